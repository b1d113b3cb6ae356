"""Ceiling of the loader: the same loader, its batches copied to the device, and no training."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from feedrate.measurement.arm import Arm, Role

if TYPE_CHECKING:
    from torch import Tensor

ARM = Arm(
    role=Role.CEILING,
    meaning="batches from the loader without training",
    label="loader alone",
    trains=False,
)


def measure(
    specification: Mapping[str, Any], data: Path, batch_timeout_seconds: int
) -> dict[str, Any]:
    """Seconds by phase of loading alone; see `time_epochs`."""
    from feedrate.measurement.cell import prepared_dataset, time_epochs

    dataset = prepared_dataset(specification, data)
    copier = Copier(specification["device"]["name"])
    return time_epochs(specification, dataset, copier, batch_timeout_seconds)


class Copier:
    """Copies batches to the device but doesn't train, so that only the loader is timed."""

    def __init__(self, device: str) -> None:
        from feedrate.measurement.trainer import batch_device

        self._device = batch_device(device)

    def step(self, images: "Tensor", labels: "Tensor") -> None:
        images.to(self._device, non_blocking=True)
        labels.to(self._device, non_blocking=True)

    def synchronize(self) -> None:
        from feedrate.measurement.trainer import synchronize

        synchronize(self._device)

    def mean_loss(self) -> float | None:
        return None
