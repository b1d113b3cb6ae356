"""Shared by all tests: a small experiment, and records such as the measuring process writes."""

import fcntl
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from feedrate.canonical import digest
from feedrate.configuration.model import Experiment
from feedrate.measurement.arms import ARMS
from feedrate.measurement.workloads import WORKLOADS
from feedrate.planning.specification import Surroundings
from tests.workflow.project import CANARY, Project, copy_project

ROOT = Path(__file__).resolve().parents[1]

DATA = ROOT / "data" / WORKLOADS["fashion-mnist"].dataset.folder_name

# What Snakemake, make or a shell around the tests exports must not reach the processes they start.
os.environ.pop("PYTHONPATH", None)


@pytest.fixture(scope="session")
def dataset() -> Path:
    """The real data, acquired as a user would; by one process at a time."""
    script = ROOT / "scripts/download_dataset.py"
    DATA.parent.mkdir(exist_ok=True)
    with one_at_a_time(DATA.parent / ".test-lock"):
        subprocess.run([sys.executable, script, "--destination", DATA], check=True)
    return DATA


@pytest.fixture(scope="session")
def complete(dataset: Path, tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A project after a whole run that measured something for every section; not to be changed.

    An account named CANARY ran it.
    """
    # Training and loader: 2 settings in 2 rounds; step and resident: 2 rounds; 2 watched, 1 leak.
    home = tmp_path_factory.mktemp(CANARY)
    account = dict.fromkeys(("LOGNAME", "USER", "LNAME", "USERNAME"), CANARY) | {"HOME": str(home)}
    cells = 4 + 4 + 2 + 2 + 2 + 1
    return shared_run(tmp_path_factory, "complete", everything, cells, account)


@pytest.fixture
def said(finished: Project) -> str:
    """What the run of `finished` said."""
    return said_by(finished.folder).read_text()


@pytest.fixture(scope="session")
def finished(dataset: Path, tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A project after a whole run; not to be changed."""
    return shared_run(tmp_path_factory, "finished", lambda config: None, cells=4, account={})


def shared_run(
    tmp_path_factory: pytest.TempPathFactory,
    name: str,
    change: Callable[[dict[str, Any]], None],
    cells: int,
    account: dict[str, str],
    extend: Callable[[Project], None] = lambda project: None,
) -> Project:
    """A project after a whole run, made once for all processes that test.

    `account` are environment variables of the run; `extend` may add to the project's library.
    """
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    made = said_by(folder / name)
    with one_at_a_time(folder / f"{name}-lock"):
        if made.exists():
            return Project(folder / name)
        project = copy_project(folder / name)
        project.configure(change)
        extend(project)
        run = project.run(env=os.environ | account)
        assert run.status == 0, run.output
        assert run.jobs["measure_cell"] == cells
        made.write_text(run.output)
        return project


def said_by(project: Path) -> Path:
    """The file, beside the folder of a shared project, of what its run said."""
    return project.with_name(f"{project.name}-said")


@contextmanager
def one_at_a_time(lock: Path) -> Iterator[None]:
    """Hold `lock` against other processes that test."""
    with lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def everything(config: dict[str, Any]) -> None:
    """A configuration in which every section of the report has something to show."""
    # With fewer images, epochs are over before their memory is sampled.
    config["dataset"]["images"] = 3000
    config["conditions"] = {"light": ["ToTensor"]}
    # Numbers of workers that claims of the articles name, so that some are decided.
    sweep = {"conditions": ["light"], "num_workers": [0, 4], "repetitions": 2}
    config["sweeps"] = {"workers": sweep, "plateau": sweep}
    config["ceilings"] = {"arms": ["loader", "step", "resident"]}
    config["resources"] = {
        "instrumented": True,
        "sample_seconds": 0.05,
        "leak": {"conditions": ["light"], "num_workers": 1, "epochs": 7},
    }


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
        code={(arm, "dataloader"): f"code of {arm}" for arm in ARMS},
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
                "start_method": specification["loader"].get("start_method"),
                "torch": "2.14.1",
                "session": "20260101T000000Z",
            },
        }
        return record | {"checksum": digest(record)}

    return make
