"""Drawing and tables of several machines."""

from typing import Any

import pytest

from feedrate.analysis.machines import MachineRun
from feedrate.claims.ledger import Entry
from feedrate.content.machine_figures import (
    conclusion_counts,
    conclusion_table,
    machine_table,
    machines_figure,
    speedup_rows,
)


def machine(name: str, **changes: Any) -> MachineRun:
    base: dict[str, Any] = {
        "machine": "Chip",
        "measured": "2026-01-01",
        "throughput": {"light": {0: 100.0, 2: 150.0, 4: 120.0}},
        "recommended": {"light": 2},
    }
    return MachineRun(name, **base | changes)


OURS = machine("this run", verdicts={"a": "reproduced", "b": "reproduced", "c": "undecided"})
THEIRS = machine(
    "machine 1",
    throughput={"light": {0: 100.0, 4: 300.0}},
    recommended={"light": None},
    verdicts={"a": "reproduced", "b": "contradicted", "d": "contradicted"},
)
ARTICLE = machine(
    "article A", measured=None, recommended={}, throughput={"light": {0: 10.0, 8: 40.0}}
)
LEDGER = [
    Entry(each, "A", "place", f"Claim {each}.", None, None, "undecided", "Too few rounds.")
    for each in "abcd"
]


@pytest.mark.filterwarnings("error")
def test_each_machine_is_drawn_over_its_own_rate_without_workers() -> None:
    figure = machines_figure([OURS, ARTICLE, THEIRS], ["light", "absent"], "cpu")
    assert "article A 1.00 with 0, 4.00 with 8" in figure.alt
    assert figure.values["best"] == [
        {
            "condition": "light",
            "machines": [
                {"machine": "this run", "times": "1.50", "workers": 2},
                {"machine": "article A", "times": "4.00", "workers": 8},
                {"machine": "machine 1", "times": "3.00", "workers": 4},
            ],
        }
    ]
    assert len(figure.data) == 7


def test_a_machine_without_the_base_or_with_it_alone_is_not_drawn() -> None:
    bare = machine("bare", throughput={"light": {0: 1.0}})
    late = machine("late", throughput={"light": {2: 1.0, 4: 2.0}})
    assert speedup_rows([bare, late], ["light"]) == []


def test_what_was_recommended_is_proven_or_not_or_only_fastest() -> None:
    other = machine("other", other_conditions=("light",))
    rows = machine_table([OURS, ARTICLE, THEIRS, other], ["light"]).rows
    assert [row[3] for row in rows] == ["2", "fastest: 8", "none proven", "other transforms"]
    assert rows[1][2] == "n/a"


def test_conclusions_are_counted_over_the_machines_that_decide() -> None:
    machines = [OURS, ARTICLE, THEIRS]
    assert conclusion_counts(LEDGER, machines) == {"all": 1, "some": 1, "none": 1, "open": 1}
    table = conclusion_table(LEDGER, machines)
    assert table.columns == ["claim", "article", "this run", "machine 1"]
    assert table.rows[3] == ["Claim d.", "A", "n/a", "contradicted"]
