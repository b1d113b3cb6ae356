"""The timed loop."""

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from torch import Tensor

from feedrate.measurement.trainer import Trainer

Batches = Iterable[Sequence[Tensor]]
"""Batches of images and labels; each iteration over them is one epoch."""


@dataclass(frozen=True)
class EpochTimes:
    """One epoch, in seconds of the monotonic clock.

    `seconds` runs from before the iterator is created until the device has finished its last
    step; `waiting_seconds` is the part of it spent waiting for batches from the loader.
    """

    seconds: float
    iterator_creation_seconds: float
    first_batch_seconds: float
    waiting_seconds: float
    images: int
    batches: int


def time_epoch(loader: Batches, trainer: Trainer) -> EpochTimes:
    """Train on every batch of `loader` once; the device is synchronised at both ends only."""
    clock = time.perf_counter
    trainer.synchronize()
    started = clock()
    iterator = iter(loader)
    created = clock()
    waiting = first_batch = 0.0
    images = batches = 0
    while True:
        asked = clock()
        batch = next(iterator, None)
        if batch is None:
            break
        waited = clock() - asked
        waiting += waited
        first_batch = first_batch or waited
        trainer.step(*batch)
        images += len(batch[1])
        batches += 1
    trainer.synchronize()
    ended = clock()
    return EpochTimes(ended - started, created - started, first_batch, waiting, images, batches)
