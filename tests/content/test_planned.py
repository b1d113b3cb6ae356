"""What belongs to a part of the plan."""

import pandas as pd

from feedrate.content.planned import of_sweep, why_left_out

PLAN = {
    "sweeps": {"workers": ["light/a", "light/b"]},
    "not_applicable": [{"sweep": "pinning", "factor": "pin_memory", "reason": "no device"}],
}
REPETITIONS = pd.DataFrame(
    {"condition": "light", "settings": ["a", "a", "b", "b"], "group": "first"}
)


def test_rows_are_chosen_by_condition_and_settings() -> None:
    other = REPETITIONS.assign(condition="augmented")
    table = pd.concat([REPETITIONS, other])
    assert len(of_sweep(table, PLAN, "workers")) == 4
    assert of_sweep(table, PLAN, "unknown").empty


def test_sessions_apart_are_not_shown_together() -> None:
    table = REPETITIONS.assign(group=["first", "first", "first", "later"])
    assert list(of_sweep(table, PLAN, "workers")["group"]) == ["first"] * 3


def test_a_sweep_that_was_left_out_has_its_reason() -> None:
    assert why_left_out(PLAN, "pinning") == "no device"
    assert why_left_out(PLAN, "workers") is None
