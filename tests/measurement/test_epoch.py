import time
from typing import Any

import pytest
import torch
from torch.utils.data import DataLoader, Dataset

from feedrate.measurement.cell import make_loader
from feedrate.measurement.epoch import time_epoch
from feedrate.measurement.trainer import EmulatedTrainer

LOAD_SECONDS = 0.005
BARE = {"loader": {"batch_size": 4, "num_workers": 0}}


class SlowImages(Dataset[Any]):
    """Ten images that take LOAD_SECONDS each."""

    def __len__(self) -> int:
        return 10

    def __getitem__(self, index: int) -> tuple[torch.Tensor, int]:
        time.sleep(LOAD_SECONDS)
        return torch.zeros(1), index


def test_all_images_are_counted_the_last_short_batch_too() -> None:
    times = time_epoch(make_loader(SlowImages(), BARE, 60), EmulatedTrainer(1e6))
    assert (times.images, times.batches) == (10, 3)


def test_waiting_and_training_are_reported_apart() -> None:
    trainer = EmulatedTrainer(images_per_second=100)  # 40 ms a batch, 20 ms to load it
    times = time_epoch(make_loader(SlowImages(), BARE, 60), trainer)
    assert times.waiting_seconds >= 10 * LOAD_SECONDS
    assert times.first_batch_seconds >= 4 * LOAD_SECONDS
    assert times.waiting_seconds < times.seconds
    assert times.seconds >= 4 * LOAD_SECONDS + 10 / 100  # the first batch, then the accelerator


@pytest.mark.slow
def test_workers_stay_for_the_warm_epoch() -> None:
    levels = {
        "batch_size": 4,
        "num_workers": 2,
        "prefetch_factor": 2,
        "persistent_workers": True,
        "start_method": "fork",
    }
    loader = make_loader(SlowImages(), {"loader": levels}, 60)
    assert isinstance(loader, DataLoader)
    time_epoch(loader, EmulatedTrainer(1e6))
    first = [worker.pid for worker in loader._iterator._workers]  # type: ignore[union-attr]
    time_epoch(loader, EmulatedTrainer(1e6))
    assert [worker.pid for worker in loader._iterator._workers] == first  # type: ignore[union-attr]
    assert len(first) == 2
