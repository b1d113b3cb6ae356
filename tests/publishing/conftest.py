"""A small project with made-up results: enough to be published, too little to be verified."""

import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml
from PIL import Image

from feedrate.configuration.model import Experiment
from feedrate.planning.plan import Plan, make_plan
from feedrate.planning.specification import Surroundings
from feedrate.result_files import LEADING_FIGURE, TABLES

ROOT = Path(__file__).resolve().parents[2]

MACHINE = {"cpu": "a processor", "usable_cores": 2, "memory_gib": 8, "gpus": []}


@dataclass(frozen=True)
class MadeUp:
    """A project folder with results, as after a run."""

    folder: Path
    plan: Plan

    @property
    def results(self) -> Path:
        return self.folder / "results"

    @property
    def config(self) -> Path:
        return self.results / "config.yaml"

    @property
    def arguments(self) -> list[str]:
        """What publishes it into `site` below its folder."""
        return [
            *("--results", str(self.results), "--project", str(self.folder)),
            *("--output", str(self.folder / "site")),
        ]


@pytest.fixture
def made_up(
    tmp_path: Path,
    experiment: Experiment,
    around: Surroundings,
    record_of: Callable[..., dict[str, Any]],
) -> MadeUp:
    folder = tmp_path / "project"
    plan = make_plan(experiment, around)
    made_up = MadeUp(folder, plan)
    for cell in plan.cells:
        write(made_up.results / cell.path, json.dumps(record_of(cell.specification, 2.0, 1.0)))
    write(made_up.results / "plan.json", plan.as_json())
    write(made_up.results / "report.html", "<!doctype html>\n<title>A report</title>\n")
    for name in (table.name for table in TABLES):
        write(made_up.results / name, "a,b\n1,2\n" if name.endswith(".csv") else "{}\n")
    write(made_up.results / "machine.json", json.dumps({"machine": MACHINE, "packages": {}}))
    write(made_up.results / "figures" / "one.svg", "<svg/>\n")
    Image.new("RGB", (1840, 688), "white").save(made_up.results / LEADING_FIGURE)
    write(made_up.results / "figures" / ".snakemake_timestamp", "")
    write(made_up.config, yaml.safe_dump(experiment.model_dump()))
    write(folder / "Snakefile", "rule all:\n")
    write(folder / "workflow" / "rules" / "measure.smk", "rule measure:\n")
    write(folder / "scripts" / "feedrate" / "one.py", '"""A module."""\n')
    write(folder / "report" / "claims.yaml", "claims: []\n")
    write(folder / "envs" / "requirements.txt", "snakemake==9.27.1 \\\n    --hash=sha256:0\n")
    for name in ("CITATION.cff", "LICENSE"):
        shutil.copyfile(ROOT / name, folder / name)
    return made_up


@pytest.fixture
def nobody(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An account and a host whose names occur nowhere."""
    for variable in ("LOGNAME", "USER", "LNAME", "USERNAME"):
        monkeypatch.setenv(variable, "zz-nobody-zz")
    monkeypatch.setenv("HOME", str(tmp_path / "zz-home-zz"))
    monkeypatch.setattr("socket.gethostname", lambda: "zz-host-zz.example")


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
