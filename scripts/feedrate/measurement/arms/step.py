"""Ceiling of the training: the step alone, on one batch that already lies on the device."""

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch

from feedrate.measurement.cell import seed_and_threads, warm_up
from feedrate.measurement.steps import time_steps
from feedrate.measurement.trainer import batch_device, make_trainer


def measure(
    specification: Mapping[str, Any], data: Path, batch_timeout_seconds: int
) -> dict[str, Any]:
    """Seconds of as many steps as an epoch has; one synthetic batch serves for all."""
    seed_and_threads(specification)
    size = specification["loader"]["batch_size"]
    trainer = make_trainer(specification["device"], specification["training"]["learning_rate"])
    warm_up(trainer, size)
    device = batch_device(specification["device"]["name"])
    batch = torch.rand(size, 1, 28, 28, device=device), torch.randint(10, (size,), device=device)
    steps = math.ceil(specification["dataset"]["images"] / size)
    return {
        "epochs": [
            {"epoch": epoch, **time_steps((batch for _ in range(steps)), trainer)}
            for epoch in range(1, specification["training"]["epochs"] + 1)
        ]
    }
