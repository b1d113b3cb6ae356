"""Copies of the project with a tiny configuration, and what Snakemake did in them."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from feedrate.publishing.project import project_files

ROOT = Path(__file__).resolve().parents[2]

NO_WORK = ("all", "measure", "report", "write_plan")
"""Targets, and what takes the place in a dry run of what a run writes before it."""

CANARY = "zz-canary-zz"
"""An account whose name must not appear in what a run publishes."""

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
        rules = re.findall(r"^(?:local)?(?:rule|checkpoint) (\w+):$", self.output, re.MULTILINE)
        return Counter(rule for rule in rules if rule not in NO_WORK)

    @property
    def cells(self) -> set[str]:
        """The cells that were measured or would have been, as `condition/rep`."""
        paths = re.findall(r"output: \S*?cells/(\S+?)/\S+/rep-(\d+)-\S+\.json", self.output)
        return {f"{condition}/{repetition}" for condition, repetition in paths}


class Project:
    """A copy of the project that a test may change."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.environment: dict[str, str] = {}

    def copied(self, folder: Path) -> "Project":
        """A copy that a test may change, with all times of its files."""
        shutil.copytree(self.folder, folder, symlinks=True)
        return Project(folder)

    @property
    def results(self) -> Path:
        return self.folder / "results"

    @property
    def cell_files(self) -> list[Path]:
        return sorted(self.results.glob("cells/*/*/*.json"))

    def records(self) -> list[dict[str, Any]]:
        """What was measured; at least one record."""
        records = [json.loads(file.read_text()) for file in self.cell_files]
        assert records
        return records

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
        return [sys.executable, "-m", "snakemake", *arguments, "--quiet", "host"]

    def run(self, *arguments: str, timeout: float = 600, **options: Any) -> Run:
        environment = {**options.pop("env", os.environ), **self.environment}
        done = subprocess.run(
            self.command(*arguments),
            cwd=self.folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=timeout,
            check=False,
            **options,
        )
        return Run(done.returncode, done.stdout)

    def plan(self, **options: Any) -> Run:
        """What a run would do, without doing it."""
        run = self.run("-n", **options)
        assert run.status == 0, run.output
        return run

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            self.command(*arguments),
            cwd=self.folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            text=True,
            start_new_session=True,
            preexec_fn=hear_interrupts,
        )


def copy_project(folder: Path) -> Project:
    for name, source in project_files(ROOT).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source, folder / name)
    (folder / "config.yaml").write_text(yaml.safe_dump(TINY, sort_keys=False))
    return Project(folder)


def hear_interrupts() -> None:
    """For `preexec_fn`: what a shell starts in the background ignores SIGINT."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def one_core() -> None:
    """For `preexec_fn`: let the process use one core only."""
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
