"""The recommendation in words."""

import subprocess
import sys
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from feedrate.analysis.recommendation import (
    Ratio,
    Recommendation,
    answer_in_words,
    conclusion,
    read_recommendations,
    standing,
    times_none,
)
from feedrate.files import write_json

PROVEN = Recommendation("light", "cpu", 4, True, 4, Ratio(2.98, 2.9, 3.06), "workers help")
UNPROVEN = replace(PROVEN, condition="augmented", proven=False, device="emulated")
NONE = replace(PROVEN, workers=0, help="workers don't help here")
ALONE = replace(UNPROVEN, workers=1, compared_workers=None, gain=None, device="cpu")


def test_how_sure_it_is_and_what_it_gains_are_worded_for_a_table() -> None:
    assert [standing(each) for each in (PROVEN, UNPROVEN)] == ["proven", "best estimate"]
    assert times_none(PROVEN) == "2.98 [2.90–3.06]"
    assert times_none(NONE) == "2.98 [2.90–3.06] (4)"
    assert times_none(ALONE) is None


def test_links_get_a_sentence_per_condition() -> None:
    assert answer_in_words([PROVEN, UNPROVEN]) == (
        "light: 4 workers; workers help. "
        "augmented: 4 workers for the time being; workers help (emulated device)."
    )


def write_decisions(results: Path, *advice: Recommendation) -> None:
    # As in the whole file, there is more beside.
    listed = [asdict(each) | {"call": "DataLoader(dataset)"} for each in advice]
    write_json(results / "decisions.json", {"advice": listed, "sessions": []})


def test_a_run_ends_with_a_line_per_condition_and_the_report(tmp_path: Path) -> None:
    assert conclusion(tmp_path) == []
    write_decisions(tmp_path, PROVEN, UNPROVEN, NONE, ALONE)
    (tmp_path / "report.html").touch()
    assert conclusion(tmp_path) == [
        "light: 4 workers, proven to come within 5 % of the best; workers help "
        "(4 workers: 2.98 times none, 95 % interval 2.90 to 3.06)",
        "augmented: 4 workers for the time being (the best estimate, not proven); workers help "
        "(4 workers: 2.98 times none, 95 % interval 2.90 to 3.06) [emulated device]",
        "light: 0 workers, proven to come within 5 % of the best; workers don't help here "
        "(4 workers: 2.98 times none, 95 % interval 2.90 to 3.06)",
        "augmented: 1 worker for the time being (the best estimate, not proven); workers help",
        f"the report: {tmp_path / 'report.html'}",
    ]


def test_a_file_of_another_form_is_refused_with_the_place(tmp_path: Path) -> None:
    write_json(tmp_path / "decisions.json", {"advice": [asdict(PROVEN) | {"workers": "many"}]})
    with pytest.raises(ValueError, match=r"^decisions\.json, advice, 0, workers: "):
        read_recommendations(tmp_path / "decisions.json")


def test_reading_the_snakefile_imports_no_pandas_for_it() -> None:
    heavy = "{'pandas', 'scipy'} & sys.modules.keys()"
    code = f"import sys, feedrate.analysis.recommendation; print({heavy})"
    shown = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONPATH": str(Path(__file__).resolve().parents[2] / "scripts")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert shown.stdout == "set()\n"
