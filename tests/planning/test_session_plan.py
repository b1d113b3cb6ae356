import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from feedrate.configuration.model import Experiment
from feedrate.planning.plan import Plan, make_plan
from feedrate.planning.session_plan import NothingToMeasure, plan_session
from feedrate.planning.specification import Surroundings


def store(plan: Plan, results: Path, ended: datetime, session: str, arm: str = "") -> None:
    """Write a record for every cell that has none, or for those of one arm."""
    for cell in plan.cells:
        file = results / cell.path
        if not file.exists() and arm in ("", cell.specification["arm"]):
            file.parent.mkdir(parents=True, exist_ok=True)
            process = {"ended_at": ended.isoformat(), "session": session}
            content = {"process": process, "specification": cell.specification}
            file.write_text(json.dumps(content, sort_keys=True))


def anchors_of(plan: Plan) -> list[tuple[str, int]]:
    return [
        (cell.specification["session"], cell.specification["repetition"])
        for cell in plan.cells
        if cell.specification["arm"] == "anchor"
    ]


def with_condition(experiment: Experiment) -> Experiment:
    """The experiment with one more condition in its first sweep."""
    content = experiment.model_dump()
    content["conditions"]["flipped"] = ["RandomHorizontalFlip", "ToTensor"]
    content["sweeps"]["workers"]["conditions"].append("flipped")
    return Experiment.model_validate(content)


@pytest.fixture
def around(around: Surroundings) -> Surroundings:
    return replace(around, user_code={**around.user_code, "flipped": ""})


def test_a_first_run_has_no_anchors(
    experiment: Experiment, around: Surroundings, tmp_path: Path
) -> None:
    plan, _ = plan_session(experiment, around, tmp_path)
    assert anchors_of(plan) == []
    assert plan == make_plan(experiment, around)


def test_what_is_added_later_comes_with_anchors_first_in_their_rounds(
    experiment: Experiment, around: Surroundings, tmp_path: Path
) -> None:
    store(make_plan(experiment, around), tmp_path, datetime(2026, 1, 1, tzinfo=UTC), "old")
    plan, session = plan_session(with_condition(experiment), around, tmp_path)
    assert anchors_of(plan) == [(session, 1), (session, 2), (session, 3)]
    missing = [cell for cell in plan.cells if not (tmp_path / cell.path).exists()]
    assert missing[0].specification["arm"] == "anchor"
    assert [cell.specification["repetition"] for cell in missing] == sorted(
        cell.specification["repetition"] for cell in missing
    )


def test_the_anchors_stay_in_the_plan_once_their_session_is_measured(
    experiment: Experiment, around: Surroundings, tmp_path: Path
) -> None:
    store(make_plan(experiment, around), tmp_path, datetime(2026, 1, 1, tzinfo=UTC), "old")
    added = with_condition(experiment)
    plan, _ = plan_session(added, around, tmp_path)
    store(plan, tmp_path, datetime(2026, 2, 1, tzinfo=UTC), anchors_of(plan)[0][0])
    again, _ = plan_session(added, around, tmp_path)
    assert again.as_json() == plan.as_json()


def test_a_session_that_has_ended_keeps_its_anchors_whatever_comes_first_now(
    experiment: Experiment, around: Surroundings, tmp_path: Path
) -> None:
    store(make_plan(experiment, around), tmp_path, datetime(2026, 1, 1, tzinfo=UTC), "old")
    added = with_condition(experiment)
    plan, _ = plan_session(added, around, tmp_path)
    second = anchors_of(plan)[0][0]
    store(plan, tmp_path, datetime(2026, 2, 1, tzinfo=UTC), second)

    content = added.model_dump()
    content["sweeps"] = dict(reversed(content["sweeps"].items()))
    content["sessions"]["anchor_repetitions"] = 5
    again, _ = plan_session(Experiment.model_validate(content), around, tmp_path)
    assert anchors_of(again) == [(second, 1), (second, 2), (second, 3)]
    assert not [cell for cell in again.cells if not (tmp_path / cell.path).exists()]


def test_the_anchor_is_a_setting_that_the_first_session_has(
    experiment: Experiment, around: Surroundings, tmp_path: Path
) -> None:
    store(make_plan(experiment, around), tmp_path, datetime(2026, 1, 1, tzinfo=UTC), "old")
    content = with_condition(experiment).model_dump()
    content["sweeps"]["workers"]["conditions"] = ["flipped", "augmented"]
    plan, _ = plan_session(Experiment.model_validate(content), around, tmp_path)
    anchors = [cell for cell in plan.cells if cell.specification["arm"] == "anchor"]
    assert {cell.combination.partition("/")[0] for cell in anchors} == {"augmented"}


def test_rounds_that_are_added_later_come_with_anchors_too(
    experiment: Experiment,
    around: Surroundings,
    tmp_path: Path,
    record_of: Callable[..., dict[str, Any]],
) -> None:
    content = experiment.model_dump() | {
        "sweeps": {"a": {"conditions": ["light"], "num_workers": [0], "repetitions": "auto"}},
        "auto_repetitions": {"minimum": 2, "maximum": 4, "relative_width": 0.01},
    }
    auto = Experiment.model_validate(content)
    for cell, seconds in zip(make_plan(auto, around).cells, (1.0, 2.0), strict=True):
        file = tmp_path / cell.path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(record_of(cell.specification, 3.0, seconds)))
    plan, session = plan_session(auto, around, tmp_path)
    assert anchors_of(plan) == [(session, 1), (session, 2), (session, 3)]


def test_nothing_to_measure_is_reported_with_the_reason(
    around: Surroundings, tmp_path: Path
) -> None:
    pinning = {"conditions": ["light"], "pin_memory": [True, False], "repetitions": 1}
    only = Experiment.model_validate(
        {
            "conditions": {"light": ["ToTensor"]},
            "sweeps": {"pinning": pinning},
            "resources": {"leak": {"conditions": ["light"]}},
        }
    )
    with pytest.raises(NothingToMeasure, match="pinning: pin_memory has no effect"):
        plan_session(only, around, tmp_path)


def test_what_is_resumed_soon_needs_no_anchors(
    experiment: Experiment, around: Surroundings, tmp_path: Path
) -> None:
    store(make_plan(experiment, around), tmp_path, datetime.now(UTC), "now")
    plan, session = plan_session(with_condition(experiment), around, tmp_path)
    assert session == "now"
    assert anchors_of(plan) == []


def test_what_is_only_watched_needs_no_anchors(
    experiment: Experiment, around: Surroundings, tmp_path: Path
) -> None:
    watched = Experiment.model_validate(
        experiment.model_dump() | {"resources": {"instrumented": True}}
    )
    plan = make_plan(watched, around)
    store(plan, tmp_path, datetime(2026, 1, 1, tzinfo=UTC), "old", arm="training")
    assert anchors_of(plan_session(watched, around, tmp_path)[0]) == []
