import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from feedrate.configuration.model import Experiment
from feedrate.planning.plan import Plan, make_plan
from feedrate.planning.rounds import decide_after, first_rounds, needed_rounds, next_rounds, replay
from feedrate.planning.specification import Surroundings

RecordOf = Callable[..., dict[str, Any]]


@pytest.fixture
def plan(experiment: Experiment, around: Surroundings) -> Plan:
    """Light without and with workers: 3 rounds for certain, up to 6."""
    content = experiment.model_dump() | {
        "sweeps": {"a": {"conditions": ["light"], "num_workers": [0, 2], "repetitions": "auto"}},
        "auto_repetitions": {"minimum": 3, "maximum": 6, "relative_width": 0.1},
    }
    return make_plan(Experiment.model_validate(content), around)


def measure(
    plan: Plan, results: Path, record_of: RecordOf, seconds: dict[int, list[float]]
) -> None:
    """Write every cell of the plan, with the warm seconds of its workers and repetition."""
    for cell in (*plan.cells, *plan.reserve):
        specification = cell.specification
        warm = seconds[specification["loader"]["num_workers"]][specification["repetition"] - 1]
        file = results / cell.path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(record_of(specification, 2.0, warm)))


STEADY = [1.0, 1.01, 1.02, 9.0, 9.0, 9.0]
LATE = [1.0, 1.5, 1.01, 1.02, 1.01, 1.03]
NEVER = [1.0, 2.0, 1.0, 2.0, 1.0, 2.0]


def repetitions(cells: list[Any]) -> list[tuple[int, int]]:
    return [
        (cell.specification["loader"]["num_workers"], cell.specification["repetition"])
        for cell in cells
    ]


def test_rounds_go_on_for_what_is_not_enough_and_no_longer(
    plan: Plan, record_of: RecordOf, tmp_path: Path
) -> None:
    measure(plan, tmp_path, record_of, {0: STEADY, 2: NEVER})
    cells, reasons = needed_rounds(plan, tmp_path)
    assert repetitions(cells) == [(2, 4), (2, 5), (2, 6)]
    (steady, never) = reasons.values()
    assert steady.enough
    assert "after 3 rounds" in steady.reason
    assert never.enough
    assert "6 rounds, the maximum" in never.reason


def test_a_cell_that_is_not_needed_is_not_read(
    plan: Plan, record_of: RecordOf, tmp_path: Path
) -> None:
    measure(plan, tmp_path, record_of, {0: STEADY, 2: STEADY})
    for cell in plan.reserve:
        (tmp_path / cell.path).unlink()
    assert needed_rounds(plan, tmp_path)[0] == []


def test_the_decision_after_some_rounds_is_about_those_still_open(
    plan: Plan, record_of: RecordOf, tmp_path: Path
) -> None:
    measure(plan, tmp_path, record_of, {0: STEADY, 2: LATE})
    assert len(decide_after(0, plan, tmp_path)) == 2
    (later,) = decide_after(1, plan, tmp_path)
    assert "workers-2" in later


def test_measured_rounds_are_replayed_up_to_the_first_that_is_missing(
    plan: Plan, record_of: RecordOf, tmp_path: Path
) -> None:
    measure(plan, tmp_path, record_of, {0: STEADY, 2: NEVER})
    added, still_open = replay(plan, tmp_path)
    assert [repetitions(cells) for cells in added] == [[(2, 4)], [(2, 5)], [(2, 6)]]
    assert still_open == {}
    (tmp_path / added[1][0].path).unlink()
    added, still_open = replay(plan, tmp_path)
    assert [repetitions(cells) for cells in added] == [[(2, 4)], [(2, 5)]]
    (cells,) = still_open.values()
    assert repetitions(cells)[-1] == (2, 5)


def test_without_auto_nothing_is_open(experiment: Experiment, around: Surroundings) -> None:
    assert first_rounds(make_plan(experiment, around)) == {}


def test_the_next_round_has_the_next_cell_in_reserve(plan: Plan) -> None:
    rounds = first_rounds(plan)
    enough = dict.fromkeys(rounds, False)
    for expected in (4, 5, 6):
        rounds = next_rounds(rounds, enough, plan)
        assert {cells[-1].specification["repetition"] for cells in rounds.values()} == {expected}
    assert next_rounds(rounds, enough, plan) == {}
