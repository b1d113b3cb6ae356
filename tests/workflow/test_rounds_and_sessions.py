"""Rounds that Snakemake adds, sessions and their anchors, ceilings and resources, and a knee."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.workflow.project import Project

pytestmark = pytest.mark.slow


def test_rounds_are_added_until_they_are_enough_and_then_nothing_runs(project: Project) -> None:
    def auto(config: dict[str, Any]) -> None:
        config["conditions"] = {"light": ["ToTensor"]}
        config["sweeps"]["workers"] = {
            "conditions": ["light"], "num_workers": [0], "repetitions": "auto",
        }  # fmt: skip
        # No interval of real measurements is so narrow: the maximum stops it.
        config["auto_repetitions"] = {"minimum": 2, "maximum": 4, "relative_width": 0.000001}

    project.configure(auto)
    run = project.run()
    assert run.status == 0, run.output
    assert run.jobs["measure_cell"] == 4
    assert run.jobs["decide_rounds"] == 3
    assert "4 rounds, the maximum" in run.output
    assert "4 rounds, the maximum" in (project.results / "report.html").read_text()
    assert "light" in (project.results / "summary.csv").read_text()
    assert project.run().jobs == {}

    # A deleted cell of an added round is noticed, and nothing else is measured.
    added = next(file for file in project.cell_files if "rep-4" in file.name)
    added.unlink()
    assert project.plan().cells == {"light/4"}

    def wider(config: dict[str, Any]) -> None:
        config["auto_repetitions"]["relative_width"] = 1000.0

    # With a rule that two rounds meet, the fourth isn't needed, and nothing is measured.
    project.configure(wider)
    again = project.run("results/summary.csv")
    assert again.status == 0, again.output
    assert again.cells == set()
    (row,) = csv.DictReader((project.results / "summary.csv").open())
    assert row["repetitions"] == "2"


def test_what_is_added_in_another_session_comes_with_anchors(measured: Project) -> None:
    def add(config: dict[str, Any]) -> None:
        config["conditions"]["flipped"] = ["RandomHorizontalFlip", "ToTensor"]
        config["sweeps"]["workers"]["conditions"].append("flipped")
        config["sessions"] = {"gap_minutes": 0, "anchor_repetitions": 2}

    measured.configure(add)
    run = measured.run("results/decisions.json")
    assert run.status == 0, run.output
    assert run.jobs["measure_cell"] == 2 + 2
    anchors = [file for file in measured.cell_files if file.name.startswith("anchor")]
    assert {file.parts[-3] for file in anchors} == {"light"}
    decisions = json.loads((measured.results / "decisions.json").read_text())
    (session,) = decisions["sessions"]
    assert session["setting"].startswith("light/")
    assert (session["repetitions"], session["first_repetitions"]) == (2, 2)
    assert measured.run("results/decisions.json").jobs == {}
    assert measured.plan().cells == set()


def test_ceilings_and_resources_reach_the_report(complete: Project) -> None:
    page = (complete.results / "report.html").read_text()
    for name in ("figure-ceilings", "figure-memory", "table-bottlenecks", "table-resources"):
        assert f'id="{name}"' in page
    ceilings = (complete.results / "ceilings.csv").read_text()
    for arm in ("loader", "step", "resident"):
        assert f"\n{arm}," in ceilings


def test_every_claim_has_a_verdict(complete: Project) -> None:
    ledger = json.loads((complete.results / "ledger.json").read_text())
    verdicts = {entry["id"]: entry["verdict"] for entry in ledger}
    claims = yaml.safe_load((complete.folder / "report" / "claims.yaml").read_text())["claims"]
    assert list(verdicts) == [claim["id"] for claim in claims]
    assert verdicts["b-shared-memory-64-mb"] == "contradicted"
    assert verdicts["b-persistent-by-default"] == "contradicted"
    assert verdicts["a-pinning-no-difference"] == "not testable here"
    page = (complete.results / "report.html").read_text()
    assert all(entry["reason"].split("(")[0][:30] in page for entry in ledger[:3])


def test_another_claim_is_yaml_only_and_measures_nothing(complete: Project, tmp_path: Path) -> None:
    project = complete.copied(tmp_path / "project")
    project.edit(
        "report/claims.yaml",
        "claims:\n",
        """claims:
  - id: mine
    article: A
    place: nowhere
    claim: Four workers use memory.
    compare: {value: {metric: workers_memory_mib, condition: light, num_workers: 4}}
    holds: {above: 1}
""",
    )
    run = project.run()
    assert run.status == 0, run.output
    assert run.jobs.keys() == {
        "judge_claims", "compare_machines", "render_section", "assemble_report",
    }  # fmt: skip
    ledger = json.loads((project.results / "ledger.json").read_text())
    assert ledger[0]["id"] == "mine"
    assert ledger[0]["verdict"] == "reproduced"


def test_a_mistake_in_the_claims_is_reported_without_a_traceback(measured: Project) -> None:
    measured.edit("report/claims.yaml", "holds: {above: 1.03}", "holds: {abov: 1.03}")
    run = measured.run()
    assert run.status == 1
    assert "claims.yaml" in run.output
    assert "abov" in run.output
    assert "Traceback" not in run.output


SLEEPER = """
import time

import torch
from torchvision.transforms.functional import to_tensor


def wait_then_convert(image):
    time.sleep(0.004)
    return to_tensor(image)
"""


@pytest.mark.alone
def test_a_known_knee_is_recovered_through_the_whole_pipeline(project: Project) -> None:
    """A worker loads at most 250 images/s, the emulated device takes 600: 4 are enough, 2 not."""

    def knee(config: dict[str, Any]) -> None:
        config["device"] = "emulated"
        config["emulated"] = {"images_per_second": 600}
        config["dataset"]["images"] = 900
        config["loader"]["batch_size"] = 30
        config["conditions"] = {"waiting": "sleeper.wait_then_convert"}
        config["sweeps"]["workers"] = {
            "conditions": ["waiting"], "num_workers": [0, 2, 4, 8], "repetitions": 3,
        }  # fmt: skip

    (project.folder / "sleeper.py").write_text(SLEEPER)
    project.configure(knee)
    run = project.run("results/decisions.json")
    assert run.status == 0, run.output
    decisions = json.loads((project.results / "decisions.json").read_text())
    (advice,) = decisions["advice"]
    assert (advice["workers"], advice["proven"]) == (4, True)
    assert advice["plateau"]["smallest_not_excluded"] == 4
    assert advice["help"] == "workers help"
    assert 2.2 < advice["gain"]["ratio"] < 4  # 600 images/s against 250 or a little less
    assert "[emulated device]" in run.output
