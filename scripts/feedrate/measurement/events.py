"""How long a GPU was busy with training, from events on its own clock."""

from typing import Any

import torch
from torch import Tensor

from feedrate.measurement.trainer import Trainer

EVENT_DEVICES = ("cuda", "xpu")


class EventTimedTrainer:
    """A trainer that encloses each step in a pair of device events."""

    def __init__(self, trainer: Trainer, device: str) -> None:
        self._trainer = trainer
        self._event: Any = getattr(torch, device).Event if device in EVENT_DEVICES else None
        self._pairs: list[tuple[Any, Any]] = []

    def step(self, images: Tensor, labels: Tensor) -> None:
        if self._event is None:
            self._trainer.step(images, labels)
            return
        began, ended = self._event(enable_timing=True), self._event(enable_timing=True)
        began.record()
        self._trainer.step(images, labels)
        ended.record()
        self._pairs.append((began, ended))

    def synchronize(self) -> None:
        self._trainer.synchronize()

    def mean_loss(self) -> float | None:
        return self._trainer.mean_loss()

    def busy_seconds(self) -> float | None:
        """Seconds from the first to the last kernel of each step since the last call, summed.

        Gaps between the kernels of a step count as busy. None where a device has no events.
        Call it after `synchronize`.
        """
        if self._event is None:
            return None
        milliseconds = sum(began.elapsed_time(ended) for began, ended in self._pairs)
        self._pairs.clear()
        return float(milliseconds) / 1000


def peak_pinned_bytes(device: str) -> int | None:
    """The most page-locked bytes that torch has held at once; None where it doesn't count them."""
    if device != "cuda":
        return None
    return int(torch.cuda.host_memory_stats()["allocated_bytes.peak"])
