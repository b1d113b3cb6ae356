"""All that was decided, written and read back."""

from dataclasses import asdict, replace
from pathlib import Path

from feedrate.analysis.decisions import Decisions
from feedrate.analysis.machines import MachineRun
from feedrate.analysis.samples import SessionMatch
from feedrate.analysis.steadiness import Outlier, Steadiness
from feedrate.files import write_json
from feedrate.reading import read_as
from feedrate.statistics.comparison import Verdict
from feedrate.statistics.drift import Drift
from feedrate.statistics.stopping import Stopping
from tests.content.decided import ADVICE, GAIN, SINGLE, UNPROVEN


def test_what_was_decided_is_read_as_what_was_written(tmp_path: Path) -> None:
    decisions = Decisions(
        advice=(ADVICE, UNPROVEN, SINGLE),
        sessions=(
            SessionMatch("two", "light/a", 3, 3, replace(GAIN, verdict=Verdict.EQUIVALENT), True),
            SessionMatch("three", None, 0, 0, None, merged=False),
        ),
        steadiness=Steadiness(
            "one", 1.5, Drift(-4.9, -5, -4.8, 16), None, (Outlier("light", "b", "one", 3, 60.0),)
        ),
        stopping={"light/a": Stopping(True, "5 rounds, the maximum")},
    )
    file = tmp_path / "decisions.json"
    write_json(file, asdict(decisions))
    assert read_as(Decisions, file) == decisions


def test_machines_are_read_as_what_was_written(tmp_path: Path) -> None:
    runs = [
        MachineRun("this run", "Chip", "2026-01-01", {"light": {0: 100.0, 2: 150.0}}, {"light": 2}),
        MachineRun(
            "article A", "Their chip", None, {"light": {0: 1.0}}, differences=("epochs: 3",)
        ),
    ]
    write_json(tmp_path / "machines.json", [asdict(run) for run in runs])
    assert read_as(list[MachineRun], tmp_path / "machines.json") == runs
