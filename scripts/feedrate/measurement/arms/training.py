"""The timed arm: training from the loader, epoch after epoch, with nothing beside it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from feedrate.measurement.arm import Arm, Role

ARM = Arm(role=Role.TIMED, meaning="training from the loader")


def measure(
    specification: Mapping[str, Any], data: Path, batch_timeout_seconds: int
) -> dict[str, Any]:
    """Seconds by phase of training from the loader; see `time_epochs`."""
    from feedrate.measurement.cell import prepared_dataset, time_epochs
    from feedrate.measurement.trainer import make_trainer

    dataset = prepared_dataset(specification, data)
    trainer = make_trainer(specification)
    return time_epochs(specification, dataset, trainer, batch_timeout_seconds)
