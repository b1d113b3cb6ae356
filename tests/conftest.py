"""Shared by all tests: a small experiment, and records such as the measuring process writes."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from feedrate.canonical import digest
from feedrate.configuration.model import Experiment
from feedrate.dataset.registry import FASHION_MNIST
from feedrate.planning.cells import CEILING_ARMS, TIMED_ARMS
from feedrate.planning.specification import INSTRUMENTED_ARMS, Surroundings

ARMS = (*TIMED_ARMS, *CEILING_ARMS, *INSTRUMENTED_ARMS)
ROOT = Path(__file__).resolve().parents[1]

DATA = ROOT / "data" / FASHION_MNIST.folder_name

# What Snakemake, make or a shell around the tests exports must not reach the processes they start.
os.environ.pop("PYTHONPATH", None)


@pytest.fixture(scope="session")
def dataset() -> Path:
    """The real data, acquired as a user would."""
    subprocess.run(
        [sys.executable, ROOT / "scripts/download_dataset.py", "--destination", DATA], check=True
    )
    return DATA


@pytest.fixture
def experiment() -> Experiment:
    return Experiment.model_validate(
        {
            "conditions": {"light": ["ToTensor"], "augmented": ["ToTensor"]},
            "sweeps": {
                "workers": {
                    "conditions": ["light", "augmented"],
                    "num_workers": [0, 2],
                    "repetitions": 2,
                },
                "plateau": {"conditions": ["augmented"], "num_workers": 2, "repetitions": 3},
            },
        }
    )


@pytest.fixture
def around() -> Surroundings:
    return Surroundings(
        device="cpu",
        threads=2,
        machine={"cpu": "a processor", "usable_cores": 2},
        packages={"torch": "2.14.1"},
        code={arm: f"code of {arm}" for arm in ARMS},
        user_code={"light": "", "augmented": ""},
    )


@pytest.fixture
def record_of() -> Callable[..., dict[str, Any]]:
    """A record for a specification, with given seconds for each epoch of 1,000 images."""

    def make(specification: dict[str, Any], *epoch_seconds: float) -> dict[str, Any]:
        record: dict[str, Any] = {
            "specification": specification,
            "measurement": {
                "loader_construction_seconds": 0.001,
                "teardown_seconds": 0.02,
                "epochs": [
                    {
                        "epoch": number,
                        "seconds": seconds,
                        "iterator_creation_seconds": 0.01,
                        "first_batch_seconds": 0.1,
                        "waiting_seconds": seconds / 4,
                        "images": 1000,
                        "batches": 4,
                        "mean_loss": 1.5,
                    }
                    for number, seconds in enumerate(epoch_seconds, start=1)
                ],
            },
            "machine": {"cpu": "a processor"},
            "process": {
                "started_at": "2026-01-01T00:00:00.000+00:00",
                "ended_at": "2026-01-01T00:00:30.000+00:00",
                "threads": 2,
                "start_method": specification["loader"]["start_method"],
                "torch": "2.14.1",
                "session": "20260101T000000Z",
            },
        }
        return record | {"checksum": digest(record)}

    return make
