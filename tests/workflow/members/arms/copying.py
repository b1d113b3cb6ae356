"""Ceiling of the copies: one batch, copied to the device over and over."""

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from feedrate.measurement.arm import Arm, Role, Scope
from feedrate.measurement.arms.loader import Copier

ARM = Arm(
    role=Role.CEILING,
    meaning="copying one batch to the device",
    label="copies alone",
    scope=Scope.BATCH,
    loads=False,
    trains=False,
)


def measure(
    specification: Mapping[str, Any], data: Path, batch_timeout_seconds: int
) -> dict[str, Any]:
    """Seconds of as many copies as an epoch has batches."""
    from feedrate.measurement.cell import epochs_of, synthetic_batch
    from feedrate.measurement.steps import time_steps

    copier = Copier(specification["device"]["name"])
    batch = synthetic_batch(specification)
    copies = math.ceil(specification["workload"]["images"] / specification["loader"]["batch_size"])
    return {
        "epochs": [
            {"epoch": epoch, **time_steps((batch for _ in range(copies)), copier)}
            for epoch in epochs_of(specification)
        ]
    }
