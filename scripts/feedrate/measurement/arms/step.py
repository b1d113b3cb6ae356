"""Ceiling of the training: the step alone, on one batch that already lies on the device."""

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from feedrate.measurement.arm import Arm, Role, Scope

ARM = Arm(
    role=Role.CEILING,
    meaning="training on one batch that lies on the device",
    label="training step alone",
    scope=Scope.BATCH,
    loads=False,
)


def measure(
    specification: Mapping[str, Any], data: Path, batch_timeout_seconds: int
) -> dict[str, Any]:
    """Seconds of as many steps as an epoch has; one synthetic batch serves for all."""
    from feedrate.measurement.cell import (
        epochs_of,
        seed_and_threads,
        synthetic_batch,
        warm_up,
    )
    from feedrate.measurement.steps import time_steps
    from feedrate.measurement.trainer import batch_device, make_trainer

    seed_and_threads(specification)
    trainer = make_trainer(specification)
    warm_up(trainer, specification)
    device = batch_device(specification["device"]["name"])
    images, labels = synthetic_batch(specification)
    batch = images.to(device), labels.to(device)
    steps = math.ceil(specification["workload"]["images"] / specification["loader"]["batch_size"])
    return {
        "epochs": [
            {"epoch": epoch, **time_steps((batch for _ in range(steps)), trainer)}
            for epoch in epochs_of(specification)
        ]
    }
