"""A whole run: what it measured, how, and what it left behind."""

import json
import re
import subprocess
import sys
from collections.abc import Iterable
from datetime import datetime
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.workflow.project import ROOT, Project, copy_project

pytestmark = pytest.mark.slow


def light_only(config: dict[str, Any]) -> None:
    """One condition instead of two, where the other has nothing to add."""
    config["conditions"] = {"light": ["ToTensor"]}
    config["sweeps"]["workers"]["conditions"] = ["light"]


def times(records: Iterable[dict[str, Any]]) -> list[tuple[datetime, datetime]]:
    return sorted(
        (
            datetime.fromisoformat(record["process"]["started_at"]),
            datetime.fromisoformat(record["process"]["ended_at"]),
        )
        for record in records
    )


def test_cells_are_measured_one_at_a_time_in_the_plans_order(finished: Project) -> None:
    plan = json.loads((finished.results / "plan.json").read_text())
    records = [json.loads((finished.results / cell["path"]).read_text()) for cell in plan["cells"]]
    spans = times(records)
    assert all(ended <= started for (_, ended), (started, _) in pairwise(spans))
    assert [record["process"]["started_at"] for record in records] == sorted(
        record["process"]["started_at"] for record in records
    )


def test_every_cell_ran_with_the_threads_that_its_specification_names(finished: Project) -> None:
    records = finished.records()
    assert {record["process"]["threads"] for record in records} == {
        records[0]["specification"]["threads"]
    }


def test_real_training_is_recorded_phase_by_phase(finished: Project) -> None:
    for record in finished.records():
        first, warm = record["measurement"]["epochs"]
        assert (first["images"], first["batches"]) == (300, 3)
        assert 0 < warm["mean_loss"] < first["mean_loss"]
        for epoch in (first, warm):
            parts = epoch["iterator_creation_seconds"] + epoch["waiting_seconds"]
            assert 0 < epoch["first_batch_seconds"] <= epoch["waiting_seconds"]
            assert parts < epoch["seconds"]
        assert record["measurement"]["loader_construction_seconds"] > 0
        assert record["measurement"]["teardown_seconds"] > 0


def test_the_run_leaves_what_the_readme_names(finished: Project) -> None:
    named = re.findall(r"^\| `results/([\w./*]+)`", (ROOT / "README.md").read_text(), re.M)
    assert len(named) >= 8
    for pattern in named:
        assert list(finished.results.glob(pattern)), pattern


class Links(HTMLParser):
    """The addresses and scripts of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.ids: list[str] = []
        self.scripts = 0

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.scripts += tag == "script"
        for name, value in attributes:
            if name in ("href", "src", "srcset", "action") and value:
                self.addresses.append(value)
            if name == "id" and value:
                self.ids.append(value)


def test_the_report_is_one_page_that_asks_for_nothing(finished: Project) -> None:
    links = Links()
    links.feed((finished.results / "report.html").read_text())
    assert links.scripts == 0
    assert all(address.startswith(("#", "data:")) for address in links.addresses)
    assert len(links.ids) == len(set(links.ids))
    local = [address[1:] for address in links.addresses if address.startswith("#")]
    assert len(local) > 10
    assert set(local) <= set(links.ids)


def test_two_copies_at_once_never_measure_at_the_same_time(
    project: Project, tmp_path: Path
) -> None:
    other = copy_project(tmp_path / "other")
    for each in (project, other):
        each.configure(light_only)
    running = [each.start("measure") for each in (project, other)]
    assert [process.wait(timeout=600) for process in running] == [0, 0]
    spans = times([*project.records(), *other.records()])
    assert len(spans) == 4
    assert all(ended <= started for (_, ended), (started, _) in pairwise(spans))


def test_an_emulated_accelerator_is_labelled_wherever_it_shows(project: Project) -> None:
    def emulate(config: dict[str, Any]) -> None:
        light_only(config)
        config["device"] = "emulated"
        config["emulated"] = {"images_per_second": 3000}

    project.configure(emulate)
    run = project.run()
    assert run.status == 0, run.output
    assert "[emulated device]" in run.output
    page = (project.results / "report.html").read_text()
    assert "is emulated" in page
    assert "Nothing was trained" in page
    assert "was trained with Adam" not in page
    captions = re.findall(r"<figcaption.*?</figcaption>", page, re.DOTALL)
    assert sum("Emulated accelerator" in caption for caption in captions) >= 3
    assert "emulated" in (project.results / "summary.csv").read_text()
    for record in project.records():
        assert record["measurement"]["epochs"][1]["mean_loss"] is None
        # An epoch can't be shorter than the emulated accelerator needs for it.
        assert record["measurement"]["epochs"][1]["seconds"] >= 300 / 3000


def test_what_is_to_come_is_said_before_and_what_matters_after(said: str) -> None:
    expected = r"feedrate: 0 of 4 cells measured, (about .* min|less than a minute) left"
    assert re.search(expected, said)
    assert said.index("0 of 4 cells measured") < said.index("rule measure_cell")
    assert "feedrate: all 4 cells are measured" in said or "· all 4 cells" in said
    assert "feedrate: light: 0 workers for the time being" in said
    assert "feedrate: the report: results/report.html" in said


def test_a_run_without_the_articles_sweeps_has_a_report_too(project: Project) -> None:
    def rename(config: dict[str, Any]) -> None:
        config["sweeps"] = {
            "mine": {"conditions": ["light"], "batch_size": [50, 100], "repetitions": 1}
        }

    project.configure(rename)
    run = project.run()
    assert run.status == 0, run.output
    page = (project.results / "report.html").read_text()
    for sweep in ("workers", "plateau", "pinning"):
        assert f"<code>{sweep}</code>" in page
    assert "batch-50" in (project.results / "summary.csv").read_text()


def test_pruning_deletes_what_the_plan_no_longer_names(measured: Project) -> None:
    def drop(config: dict[str, Any]) -> None:
        del config["conditions"]["turned"]
        config["sweeps"]["workers"]["conditions"] = ["light"]

    measured.configure(drop)
    assert measured.run("measure").cells == set()
    done = subprocess.run(
        [sys.executable, "scripts/prune.py", "--yes"],
        cwd=measured.folder,
        capture_output=True,
        text=True,
        check=True,
    )
    assert len(done.stdout.splitlines()) == 2
    assert {file.parts[-3] for file in measured.cell_files} == {"light"}
