"""Copies of the project with a tiny configuration, and what Snakemake did in them."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from feedrate.dataset.registry import FASHION_MNIST

ROOT = Path(__file__).resolve().parents[2]
PROJECT = ("Snakefile", "workflow", "scripts", "report", "profiles", "envs")
DATA = ROOT / "data" / FASHION_MNIST.folder_name

TINY: dict[str, Any] = {
    "dataset": {"images": 300, "folder": str(ROOT / "data")},
    "loader": {"batch_size": 100},
    "conditions": {
        "light": ["ToTensor"],
        "turned": [{"RandomRotation": {"degrees": 15}}, "ToTensor"],
    },
    "sweeps": {
        "workers": {"conditions": ["light", "turned"], "num_workers": [0], "repetitions": 2}
    },
}


@dataclass(frozen=True)
class Run:
    """What one call of Snakemake did."""

    status: int
    output: str

    @property
    def jobs(self) -> Counter[str]:
        """How often each rule ran, or would have run."""
        rules = re.findall(r"^(?:local)?rule (\w+):$", self.output, re.MULTILINE)
        return Counter(rule for rule in rules if rule != "all")

    @property
    def cells(self) -> set[str]:
        """The cells that were measured or would have been, as `condition/rep`."""
        paths = re.findall(r"output: \S*?cells/(\S+?)/\S+/rep-(\d+)-\S+\.json", self.output)
        return {f"{condition}/{repetition}" for condition, repetition in paths}


class Project:
    """A copy of the project that a test may change."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @property
    def results(self) -> Path:
        return self.folder / "results"

    @property
    def cell_files(self) -> list[Path]:
        return sorted(self.results.glob("cells/*/*/*.json"))

    def records(self) -> list[dict[str, Any]]:
        return [json.loads(file.read_text()) for file in self.cell_files]

    def configure(self, change: Callable[[dict[str, Any]], None]) -> None:
        file = self.folder / "config.yaml"
        content = yaml.safe_load(file.read_text())
        change(content)
        file.write_text(yaml.safe_dump(content, sort_keys=False))

    def edit(self, name: str, old: str, new: str) -> None:
        file = self.folder / name
        text = file.read_text()
        assert old in text
        file.write_text(text.replace(old, new, 1))

    def command(self, *arguments: str) -> list[str]:
        # The profile silences the rules; the tests count them.
        snakemake = [sys.executable, "-m", "snakemake", *arguments, "--quiet", "host"]
        return snakemake

    def run(self, *arguments: str, **options: Any) -> Run:
        done = subprocess.run(
            self.command(*arguments),
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=600,
            check=False,
            **options,
        )
        return Run(done.returncode, done.stdout)

    def plan(self, **options: Any) -> Run:
        """What a run would do, without doing it."""
        run = self.run("-n", **options)
        assert run.status == 0, run.output
        return run

    def start(self, **options: Any) -> subprocess.Popen[str]:
        return subprocess.Popen(
            self.command(),
            cwd=self.folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            text=True,
            start_new_session=True,
            **options,
        )


def copy_project(folder: Path) -> Project:
    folder.mkdir(parents=True)
    for name in PROJECT:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy2(source, folder / name)
    (folder / "config.yaml").write_text(yaml.safe_dump(TINY, sort_keys=False))
    return Project(folder)


@pytest.fixture(scope="session")
def dataset() -> Path:
    """The real data, acquired as a user would."""
    subprocess.run(
        [sys.executable, ROOT / "scripts/download_dataset.py", "--destination", DATA], check=True
    )
    return DATA


@pytest.fixture
def project(dataset: Path, tmp_path: Path) -> Project:
    """A project in which nothing was measured."""
    return copy_project(tmp_path / "project")


@pytest.fixture(scope="session")
def finished(dataset: Path, tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A project after a whole run; not to be changed."""
    project = copy_project(tmp_path_factory.mktemp("finished") / "project")
    run = project.run()
    assert run.status == 0, run.output
    assert run.jobs["measure_cell"] == 4
    return project


@pytest.fixture
def measured(finished: Project, tmp_path: Path) -> Iterator[Project]:
    """A copy of a project after a whole run, with all times of its files."""
    folder = tmp_path / "project"
    shutil.copytree(finished.folder, folder, symlinks=True)
    yield Project(folder)


def one_core() -> None:
    """For `preexec_fn`: let the process use one core only."""
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
