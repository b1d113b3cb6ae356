"""Warm throughput by the pipeline's timed loop against an independent bare loop, same loader."""

import math
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import torch
from torch import nn

from feedrate.environment.machine import torch_threads
from feedrate.measurement.cell import make_loader
from feedrate.measurement.epoch import Batches, time_epoch
from feedrate.measurement.models import small_cnn
from feedrate.measurement.trainer import TorchTrainer
from feedrate.measurement.transforms import build_condition
from feedrate.measurement.workloads import fashion_mnist
from tests.bench.figures import Failed, repeat
from tests.workflow.project import ROOT

# Short epochs: the two of a pair must meet the same mood of a shared machine.
IMAGES = 2_560
ROUNDS = {0: 60, 2: 180}  # by workers: with them, short epochs scatter more
LEAST_ROUNDS = 10  # of fewer, the interval of a median isn't one
SECONDS = 120
BOUND = 0.02

DATA = ROOT / "data" / fashion_mnist.DATASET.folder_name

WITH_WORKERS = {"persistent_workers": True, "start_method": "fork"}

CONDITIONS: dict[str, list[Any]] = {
    "light": ["ToTensor"],
    "augmented": [
        {"RandomResizedCrop": {"size": 28, "scale": [0.75, 1.0]}},
        {"RandomRotation": {"degrees": 15}},
        "ToTensor",
    ],
}


def fidelity(condition: str, workers: int) -> str:
    """The ratio for a condition and a number of workers, with its 90 % interval."""
    torch.set_num_threads(torch_threads())
    acquire()
    return _verdict(_log_ratios(condition, workers))


def acquire() -> None:
    """The data, as a user would get them; at once where they are."""
    script = ROOT / "scripts/download_dataset.py"
    done = subprocess.run(
        [sys.executable, script, "--destination", DATA], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise Failed(" ".join(done.stderr.split()))


def _log_ratios(condition: str, workers: int) -> list[float]:
    """Log of pipeline over bare throughput for every pair of epochs, in random order within."""
    transform = build_condition({"api": "v1", "transforms": CONDITIONS[condition]})
    loader = make_loader(
        fashion_mnist.training_images(DATA, IMAGES, transform),
        {"loader": {"batch_size": 256, "num_workers": workers} | (WITH_WORKERS if workers else {})},
        120,
    )
    trainer = TorchTrainer("cpu", small_cnn.build(), learning_rate=0.001)
    bare = _bare_loop()
    loops: dict[str, Callable[[Batches], float]] = {
        "pipeline": lambda loader: time_epoch(loader, trainer).seconds,
        "bare": bare,
    }
    for loop in loops.values():
        loop(loader)
    order = random.Random(0)

    def log_ratio() -> float:
        seconds = {name: loops[name](loader) for name in order.sample(list(loops), 2)}
        return math.log(seconds["bare"] / seconds["pipeline"])

    return repeat(log_ratio, ROUNDS[workers], SECONDS, LEAST_ROUNDS)


def _bare_loop() -> Callable[[Batches], float]:
    """The article's loop, with nothing of ours but the model."""
    model, loss = small_cnn.build(), nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.001)

    def loop(loader: Batches) -> float:
        started = time.perf_counter()
        for images, labels in loader:
            optimizer.zero_grad()
            loss(model(images), labels).backward()
            optimizer.step()
        return time.perf_counter() - started

    return loop


def _verdict(log_ratios: list[float]) -> str:
    """Equivalent if the 90 % percentile bootstrap interval of the median lies within the bound."""
    source = random.Random(0)
    medians = sorted(
        statistics.median(source.choices(log_ratios, k=len(log_ratios))) for _ in range(4000)
    )
    low, high = (math.exp(medians[round(len(medians) * share) - 1]) for share in (0.05, 0.95))
    equivalent = low >= 1 / (1 + BOUND) and high <= 1 + BOUND
    ratio = math.exp(statistics.median(log_ratios))
    word = "equivalent" if equivalent else "NOT SHOWN equivalent"
    return (
        f"{ratio:.4f} [{low:.4f}, {high:.4f}], {word} within {BOUND:.0%} ({len(log_ratios)} rounds)"
    )
