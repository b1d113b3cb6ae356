from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from feedrate.configuration.model import Experiment
from feedrate.planning.plan import make_plan
from feedrate.planning.sessions import session_for, sessions_in_order, timed_records
from feedrate.planning.specification import Surroundings

NOON = datetime(2026, 11, 29, 12, tzinfo=UTC)


def record(ended: datetime, session: str) -> dict[str, Any]:
    return {
        "process": {"ended_at": ended.isoformat(), "session": session},
        "specification": {"arm": "training"},
    }


def test_the_first_session_is_named_after_its_start() -> None:
    assert session_for(NOON, [], gap_minutes=30) == "20261129T120000Z"


@pytest.mark.parametrize(("minutes", "name"), [(29, "last"), (31, "20261129T120000Z")])
def test_a_long_gap_begins_another_session(minutes: int, name: str) -> None:
    before = [
        record(NOON - timedelta(minutes=minutes), "last"),
        record(NOON - timedelta(minutes=minutes + 5), "first"),
    ]
    assert session_for(NOON, before, gap_minutes=30) == name
    assert sessions_in_order(before) == ["first", "last"]


def test_files_that_are_not_records_belong_to_no_session(
    experiment: Experiment, around: Surroundings, tmp_path: Path
) -> None:
    plan = make_plan(experiment, around)
    for cell, content in zip(plan.cells, ["", "[]", "{}", '{"process": {}}', "null"], strict=False):
        file = tmp_path / cell.path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content)
    assert list(timed_records(plan, tmp_path)) == []
