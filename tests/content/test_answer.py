"""The answer in words and tables."""

from dataclasses import replace

import pandas as pd

from feedrate.analysis.advice import Cost
from feedrate.content.answer import (
    advice_facts,
    advice_table,
    answer_table,
    byline,
    rule_table,
)
from tests.content.decided import ADVICE, SINGLE, UNPROVEN, bottlenecks


def test_advice_becomes_texts() -> None:
    (facts,) = advice_facts([ADVICE])
    assert facts["workers"] == 4
    assert facts["throughput"] == {
        "median": "2,980",
        "low": "2,900",
        "high": "3,001",
        "coverage": "75",
    }
    assert facts["gain"]["ratio"] == "2.980"
    assert facts["cost"]["workers_memory_mib"] == "812.3 MiB"
    assert facts["cost"]["worker_memory_mib"] == "n/a"
    assert facts["paybacks"] == [
        {"against": 0, "epochs": 2, "saved_seconds": "3.00"},
        {"against": 2, "epochs": None, "saved_seconds": "-0.50"},
    ]
    assert facts["start"] == "1.23"


def test_costs_that_nobody_measured_are_left_out() -> None:
    (facts,) = advice_facts([replace(ADVICE, cost=Cost(None, None, None))])
    assert facts["cost"] is None


def test_advice_from_a_single_round_leaves_out_what_is_unknown() -> None:
    (facts,) = advice_facts([SINGLE])
    assert facts["gain"] is facts["plateau"] is facts["throughput"] is None
    assert facts["paybacks"] == []


def test_the_answer_is_a_row_per_condition() -> None:
    none = replace(ADVICE, condition="none", workers=0)
    table = answer_table([ADVICE, UNPROVEN, replace(SINGLE, workers=1), none], bottlenecks())
    assert table.rows[0] == [
        "light", "4", "proven", "2.98 [2.90–3.06]", "workers help", "contention", "2,980",
    ]  # fmt: skip
    assert table.rows[1][2] == "best estimate"
    assert table.rows[1][5] == "n/a"
    assert (table.rows[2][3], table.rows[2][6]) == ("n/a", "n/a")
    assert table.rows[3][3] == "2.98 [2.90–3.06] (4)"


def test_who_measured_when_on_what_is_said_in_a_line() -> None:
    machine = {
        "cpu": "Chip",
        "usable_cores": 2,
        "memory_gib": 8,
        "gpus": [{"name": "GPU"}, {"name": "GPU"}],
    }
    repetitions = pd.DataFrame({"started_at": ["2026-01-02T23:59:00+00:00", "2026-01-01T10:00:00"]})
    assert byline(machine, "cuda", repetitions) == (
        "Measured 2026-01-01 to 2026-01-02 on Chip, 2 usable cores, 8 GiB, GPU; "
        "training on the device cuda"
    )
    one = byline(machine | {"usable_cores": 1, "gpus": []}, "cpu", repetitions.iloc[:1])
    assert one.startswith("Measured 2026-01-02 on Chip, 1 usable core, 8 GiB, no GPU;")


def test_the_plateau_is_an_interval_or_says_what_is_missing() -> None:
    proven, unproven, single = advice_table([ADVICE, UNPROVEN, SINGLE], 5).rows
    assert proven == ["light", "8", "2", "4", "no decline shown", ""]
    assert unproven == ["augmented", "8", "2", "none", "from 16 on", "12"]
    assert set(single[1:]) == {"n/a"}


def test_rules_of_thumb_are_scored_or_not_applicable() -> None:
    missing, scored = rule_table([ADVICE]).rows
    assert missing[2:] == ["n/a", "n/a", "n/a", "there is no GPU"]
    assert scored[2:] == ["3", "4", "0.99 [0.97–1.01]", "near the best"]
