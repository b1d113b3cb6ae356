"""Ceiling of the loader: the same loader, its batches copied to the device, and no training."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from feedrate.measurement.cell import prepared_dataset, time_epochs
from feedrate.measurement.trainer import Copier


def measure(
    specification: Mapping[str, Any], data: Path, batch_timeout_seconds: int
) -> dict[str, Any]:
    """Seconds by phase of loading alone; see `time_epochs`."""
    dataset = prepared_dataset(specification, data)
    copier = Copier(specification["device"]["name"])
    return time_epochs(specification, dataset, copier, batch_timeout_seconds)
