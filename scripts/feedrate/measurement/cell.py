"""One cell: a fresh loader, its epochs, its end; each timed on its own."""

import time
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch
from torch.utils.data import DataLoader, Dataset
from torchvision.datasets import FashionMNIST

from feedrate.measurement.epoch import time_epoch
from feedrate.measurement.process import start_worker
from feedrate.measurement.trainer import Trainer
from feedrate.measurement.transforms import Transform, build_condition


def seed_and_threads(specification: Mapping[str, Any]) -> None:
    """Make this process as the specification wants it, before anything draws or computes."""
    torch.set_num_threads(specification["threads"])
    torch.manual_seed(specification["seed"] + specification["repetition"])


def prepared_dataset(specification: Mapping[str, Any], data: Path) -> FashionMNIST:
    """The images below `data` under the specification's condition, after `seed_and_threads`."""
    seed_and_threads(specification)
    transform = build_condition(specification["condition"])
    return training_images(data, transform, specification["dataset"]["images"])


def time_epochs(
    specification: Mapping[str, Any],
    dataset: Dataset[Any],
    trainer: Trainer,
    batch_timeout_seconds: int,
) -> dict[str, Any]:
    """One loader from its construction to its end, over the specification's epochs.

    Returns seconds by phase: `loader_construction_seconds`, `epochs` (a list of EpochTimes as
    dictionaries, with the number of the epoch and its mean training loss) and `teardown_seconds`.
    """
    warm_up(trainer, specification["loader"]["batch_size"])
    started = time.perf_counter()
    loader = make_loader(dataset, specification["loader"], batch_timeout_seconds)
    constructed = time.perf_counter()
    epochs = [
        numbered_epoch(number, loader, trainer)
        for number in range(1, specification["training"]["epochs"] + 1)
    ]
    ending = time.perf_counter()
    del loader  # ends persistent workers
    return {
        "loader_construction_seconds": constructed - started,
        "epochs": epochs,
        "teardown_seconds": time.perf_counter() - ending,
    }


def numbered_epoch(number: int, loader: DataLoader[Any], trainer: Trainer) -> dict[str, Any]:
    """One epoch's times and mean loss, with its number."""
    return {
        "epoch": number,
        **asdict(time_epoch(loader, trainer)),
        "mean_loss": trainer.mean_loss(),
    }


def training_images(data: Path, transform: Transform, images: int) -> FashionMNIST:
    """The first `images` training images below `data`."""
    dataset = FashionMNIST(str(data), train=True, download=False, transform=transform)
    dataset.data = dataset.data[:images]
    dataset.targets = dataset.targets[:images]
    return dataset


def make_loader(
    dataset: Dataset[Any], settings: Mapping[str, Any], batch_timeout_seconds: int
) -> DataLoader[Any]:
    """The loader that `settings` describe; they hold None where an argument doesn't apply."""
    workers = settings["num_workers"]
    return DataLoader(
        dataset,
        batch_size=settings["batch_size"],
        shuffle=True,
        num_workers=workers,
        prefetch_factor=settings["prefetch_factor"],
        persistent_workers=settings["persistent_workers"],
        pin_memory=settings["pin_memory"],
        multiprocessing_context=settings["start_method"],
        timeout=batch_timeout_seconds if workers else 0,
        worker_init_fn=start_worker if workers else None,
    )


def warm_up(trainer: Trainer, batch_size: int) -> None:
    """One synthetic step, so that no epoch pays for the libraries' first use."""
    trainer.step(torch.randn(batch_size, 1, 28, 28), torch.randint(10, (batch_size,)))
    trainer.synchronize()
    trainer.mean_loss()
