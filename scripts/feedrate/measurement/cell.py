"""One cell: the construction of a loader, its epochs and its teardown, each timed separately."""

import random
import time
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy
import torch
from torch import Tensor
from torch.utils.data import Dataset

from feedrate.measurement.epoch import Batches, time_epoch
from feedrate.measurement.members import member
from feedrate.measurement.process import start_worker
from feedrate.measurement.state import keeping_state
from feedrate.measurement.trainer import Trainer
from feedrate.measurement.transforms import build_condition

DEFAULT_KIND = "dataloader"


def seed_and_threads(specification: Mapping[str, Any]) -> None:
    """Set threads and seeds as specified, before anything draws or computes."""
    torch.set_num_threads(specification["threads"])
    seed = specification["seed"] + specification["repetition"]
    torch.manual_seed(seed)
    random.seed(seed)  # a transform of the user's may draw from these
    numpy.random.seed(seed)


def prepared_dataset(specification: Mapping[str, Any], data: Path) -> Any:
    """The images below `data` under the specification's condition, seeds and threads set.

    What importing the user's modules changed in this process is undone first.
    """
    with keeping_state():
        transform = build_condition(specification["condition"])
    seed_and_threads(specification)
    workload = member("workloads", specification["workload"]["name"])
    return workload.training_images(data, specification["workload"]["images"], transform)


def epochs_of(specification: Mapping[str, Any]) -> range:
    """The numbers of a cell's epochs: as many as its arm sets, or else the training."""
    epochs = specification.get("epochs", specification["training"]["epochs"])
    return range(1, epochs + 1)


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
    warm_up(trainer, specification)
    started = time.perf_counter()
    loader = make_loader(dataset, specification, batch_timeout_seconds)
    constructed = time.perf_counter()
    epochs = [numbered_epoch(number, loader, trainer) for number in epochs_of(specification)]
    ending = time.perf_counter()
    del loader  # ends persistent workers
    return {
        "loader_construction_seconds": constructed - started,
        "epochs": epochs,
        "teardown_seconds": time.perf_counter() - ending,
    }


def numbered_epoch(number: int, loader: Batches, trainer: Trainer) -> dict[str, Any]:
    """One epoch's times and mean loss, with its number."""
    return {
        "epoch": number,
        **asdict(time_epoch(loader, trainer)),
        "mean_loss": trainer.mean_loss(),
    }


def make_loader(
    dataset: Dataset[Any], specification: Mapping[str, Any], batch_timeout_seconds: int
) -> Batches:
    """The loader that the specification describes, by its kind."""
    levels = dict(specification["loader"])
    kind = member("loaders", levels.pop("kind", DEFAULT_KIND))
    loader: Batches = kind.make(dataset, levels, batch_timeout_seconds, start_worker)
    return loader


def synthetic_batch(specification: Mapping[str, Any]) -> tuple[Tensor, Tensor]:
    """A batch of noise of the workload's shape, with random labels."""
    workload = member("workloads", specification["workload"]["name"])
    size = specification["loader"]["batch_size"]
    return torch.rand(size, *workload.IMAGE_SHAPE), torch.randint(workload.CLASSES, (size,))


def warm_up(trainer: Trainer, specification: Mapping[str, Any]) -> None:
    """One synthetic step, so that no epoch pays for the libraries' initialisation."""
    trainer.step(*synthetic_batch(specification))
    trainer.synchronize()
    trainer.mean_loss()
