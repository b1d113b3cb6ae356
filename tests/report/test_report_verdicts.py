from typing import Any

import pandas as pd
import pytest

from feedrate.report.decision_figures import ceiling_figure, memory_figure, near_best_figure
from feedrate.report.verdicts import (
    advice_facts,
    advice_table,
    bottleneck_table,
    bounds_by_condition,
    comparison_table,
    gpu_table,
    has_gpu_use,
    ledger_table,
    outlier_texts,
    published_table,
    resource_table,
    rule_table,
    session_texts,
    setting_labels,
    settings_in_words,
    steadiness_facts,
    verdict_counts,
)

GAIN = {
    "ratio": 2.98,
    "low": 2.9,
    "high": 3.06,
    "low90": 2.92,
    "high90": 3.04,
    "rounds": 3,
    "verdict": "faster",
    "more_rounds": None,
}
PLATEAU = {
    "best": 8,
    "smallest_not_excluded": 2,
    "smallest_proven": 4,
    "proven": [4, 8],
    "not_excluded": [2, 4, 8],
    "declines_from": None,
    "ratio_to_best": {"0": [0.3, 0.29, 0.31], "2": [0.94, 0.9, 0.99], "4": [0.99, 0.97, 1.01]},
}
ADVICE: dict[str, Any] = {
    "condition": "light",
    "device": "cpu",
    "workers": 4,
    "proven": True,
    "more_rounds": None,
    "throughput": {"median": 2980.4, "low": 2900.0, "high": 3001.0, "coverage": 0.75},
    "plateau": PLATEAU,
    "compared_workers": 4,
    "gain": GAIN,
    "help": "workers help",
    "call": "DataLoader(dataset, num_workers=4)",
    "cost": {
        "worker_memory_mib": None,
        "workers_memory_mib": 812.34,
        "shared_memory_mib": 6.2,
    },
    "paybacks": [
        {"against_workers": 0, "epochs": 2, "saved_seconds": 3.0},
        {"against_workers": 2, "epochs": None, "saved_seconds": -0.5},
    ],
    "start_seconds": 1.234,
    "persistent": True,
    "rules": [
        {
            "prediction": {"rule": "4 per GPU", "workers": None, "reason": "there is no GPU"},
            "tested": None,
            "ratio": None,
            "low": None,
            "high": None,
            "verdict": "not applicable",
        },
        {
            "prediction": {"rule": "logical cores", "workers": 3, "reason": "3 logical cores"},
            "tested": 4,
            "ratio": 0.99,
            "low": 0.97,
            "high": 1.01,
            "verdict": "near the best",
        },
    ],
}
UNPROVEN = ADVICE | {
    "condition": "augmented",
    "proven": False,
    "more_rounds": 12,
    "plateau": PLATEAU | {"smallest_proven": None, "proven": [], "declines_from": 16},
}
SINGLE = ADVICE | {"plateau": None, "gain": None, "throughput": None, "paybacks": [], "rules": []}


def decisions(*advice: dict[str, Any]) -> dict[str, Any]:
    return {"advice": list(advice)}


def test_advice_becomes_texts() -> None:
    (facts,) = advice_facts(decisions(ADVICE))
    assert facts["workers"] == "4 workers"
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
        "after 2 epochs against 0 workers",
        "never against 2 workers: a warm epoch saves -0.50 s",
    ]
    assert facts["start"] == "1.23"


def test_costs_that_nobody_measured_are_left_out() -> None:
    unknown = dict.fromkeys(ADVICE["cost"])
    (facts,) = advice_facts(decisions(ADVICE | {"cost": unknown}))
    assert facts["cost"] is None


def test_advice_from_a_single_round_leaves_out_what_is_unknown() -> None:
    (facts,) = advice_facts(decisions(SINGLE))
    assert facts["gain"] is facts["plateau"] is facts["throughput"] is None
    assert facts["paybacks"] == []


def test_the_plateau_is_an_interval_or_says_what_is_missing() -> None:
    proven, unproven, single = advice_table(decisions(ADVICE, UNPROVEN, SINGLE), 5).rows
    assert proven == ["light", "8", "2", "4", "no decline shown", ""]
    assert unproven == ["augmented", "8", "2", "none", "from 16 on", "12"]
    assert set(single[1:]) == {"n/a"}


def test_rules_of_thumb_are_scored_or_not_applicable() -> None:
    missing, scored = rule_table(decisions(ADVICE)).rows
    assert missing[2:] == ["n/a", "n/a", "n/a", "there is no GPU"]
    assert scored[2:] == ["3", "4", "0.99 [0.97–1.01]", "near the best"]


def comparisons() -> pd.DataFrame:
    shared = {
        "sweep": "workers",
        "condition": "light",
        "settings": "workers-2_batch-8",
        "against": "workers-0_batch-8",
    }
    undecided = GAIN | {"verdict": "undecided", "more_rounds": 40.0}
    return pd.DataFrame(
        [shared | GAIN, shared | undecided, shared | {"verdict": "another session"}]
    )


def test_a_comparison_has_its_interval_its_verdict_and_what_would_decide_it() -> None:
    faster, undecided, apart = comparison_table(comparisons(), "workers", "x", "caption").rows
    assert faster[1:3] == ["2 workers", "0 workers"]
    assert faster[3:] == ["2.980", "2.900–3.060", 3, "faster", ""]
    assert undecided[6:] == ["undecided", "40"]
    assert apart[3:] == ["n/a", "n/a", "n/a", "another session", ""]


FOUR = "workers-4_batch-8_prefetch-2_persistent_fork_pageable"
NONE = "workers-0_batch-8_pageable"


@pytest.mark.parametrize(
    ("settings", "other", "words"),
    [
        (FOUR, NONE, "4 workers"),
        (NONE, FOUR, "0 workers"),
        (
            "workers-4_batch-8_prefetch-1_respawned_fork_pinned",
            FOUR,
            "4 workers, prefetch 1, respawned, pinned",
        ),
        ("workers-0_batch-64_pageable", NONE, "0 workers, batch 64"),
    ],
)
def test_settings_are_told_by_what_sets_them_apart(settings: str, other: str, words: str) -> None:
    assert settings_in_words(settings, other) == words


def test_labels_name_what_differs_among_all() -> None:
    pinned = FOUR.replace("pageable", "pinned")
    assert setting_labels([FOUR, NONE]) == {FOUR: "4", NONE: "0"}
    assert setting_labels([FOUR, NONE, pinned]) == {
        FOUR: "4, pageable",
        NONE: "0, pageable",
        pinned: "4, pinned",
    }


def bottlenecks() -> pd.DataFrame:
    return pd.DataFrame(
        [
            {
                "condition": "light",
                "settings": f"workers-{workers}",
                "num_workers": workers,
                "batch_size": 8,
                "prefetch_factor": 2,
                "persistent_workers": True,
                "pin_memory": False,
                "training": 700.0 + workers,
                "loader": 1000.0,
                "step": 3000.0,
                "resident": None,
                "expected": 750.0,
                "reached": 0.95,
                "bound": bound,
                "rule": f"The rule with {workers}.",
            }
            for workers, bound in ((0, "loader-bound"), (1, "loader-bound"), (4, "contention"))
        ]
    )


def test_bounds_are_gathered_by_what_they_are() -> None:
    (facts,) = bounds_by_condition(bottlenecks())
    assert facts["bounds"] == "loader-bound with 0, 1 workers; contention with 4 workers"
    assert (facts["rule"], facts["rule_workers"]) == ("The rule with 4.", "4 workers")
    assert bottleneck_table(bottlenecks()).rows[0] == [
        "light", "0", "1,000", "3,000", "750", "700", "95 %", "loader-bound",
    ]  # fmt: skip


def resources() -> pd.DataFrame:
    return pd.DataFrame(
        [
            {
                "arm": arm,
                "condition": "light",
                "settings": "workers-2_batch-8",
                "num_workers": 2,
                "batch_size": 8,
                "prefetch_factor": 2,
                "persistent_workers": True,
                "pin_memory": False,
                "epoch": epoch,
                "samples": 10 + epoch,
                "main_cpu_cores": 0.5,
                "workers_cpu_cores": 1.25,
                "worker_memory_mib": 200.0,
                "workers_memory_mib": 400.0 + epoch,
                "total_memory_mib": 900.0,
                "end_memory_mib": 880.0 + epoch,
                "shared_memory_mib": 3.25,
                "pinned_memory_mib": None,
                "gpu_busy_percent": None,
                "gpu_utilisation_percent": None,
                "gpu_memory_mib": None,
                "gpu_clock_mhz": None,
                "gpu_clock_events": None,
            }
            for arm, epochs in (("instrumented", (1, 2)), ("leak", (1, 2, 3)))
            for epoch in epochs
        ]
    )


def test_resources_that_no_one_can_tell_are_na_and_never_zero() -> None:
    (row,) = resource_table(resources()).rows
    assert row == ["light", "2", "11", "0.50", "1.25", "200", "402", "900", "3.2", "n/a"]
    (gpu,) = gpu_table(resources()).rows
    assert gpu == ["light", "2", "n/a", "n/a", "n/a", "n/a", "n/a"]
    assert not has_gpu_use(resources())


def test_a_gpu_is_told_by_its_warm_epochs() -> None:
    known = resources().assign(
        gpu_busy_percent=[10.0, 80.0, 1.0, 1.0, 1.0],
        gpu_utilisation_percent=[20.0, 86.0, 1.0, 1.0, 1.0],
        gpu_memory_mib=[900.0, 800.0, 1.0, 1.0, 1.0],
        gpu_clock_mhz=[100.0, 2100.0, 1.0, 1.0, 1.0],
        gpu_clock_events=["idle", "power cap", None, None, None],
    )
    assert has_gpu_use(known)
    assert gpu_table(known).rows == [["light", "2", "80", "86", "900", "2,100", "idle; power cap"]]


LEDGER = [
    {
        "article": "A",
        "claim": "4 are faster than none.",
        "published": "3.59 times",
        "reason": "Measured: 1.1 times.",
        "note": "Another machine.",
        "verdict": "reproduced",
        "published_in_interval": "no",
    },
    {
        "article": "B",
        "claim": "Pinning costs memory.",
        "published": None,
        "reason": "No device.",
        "note": None,
        "verdict": "not testable here",
        "published_in_interval": "n.a.",
    },
]


def test_the_ledger_is_shown_article_by_article() -> None:
    (row,) = ledger_table(LEDGER, "A").rows
    assert row[2] == "Measured: 1.1 times. Another machine."
    (other,) = ledger_table(LEDGER, "B").rows
    assert other[1] == "no figure"
    assert verdict_counts(LEDGER) == "1 reproduced, 1 not testable here"


def test_an_articles_table_has_the_measured_numbers_beside() -> None:
    summary = pd.DataFrame(
        {
            "condition": ["light", "light", "augmented"],
            "num_workers": [0, 4, 4],
            "group": "first",
            "batch_size": 256,
            "prefetch_factor": 2,
            "persistent_workers": True,
            "pin_memory": False,
            "warm_images_per_second_median": [5000.0, 6000.0, 1.0],
        }
    )
    table = {
        "id": "a-sweep",
        "article": "A",
        "place": "sweep",
        "title": "Warm throughput",
        "note": None,
        "columns": {"num_workers": "workers", "warm_images_per_second": "images/s"},
        "rows": [[0, 30268], [4, 108782], [12, 119045]],
        "measured": {
            "where": {"condition": "light"},
            "columns": {"warm_images_per_second": "warm_images_per_second_median"},
        },
    }
    shown = published_table(table, summary)
    assert [row[1:] for row in shown.rows] == [
        ["30,268", "5,000"],
        ["108,782", "6,000"],
        ["119,045", "n/a"],
    ]
    assert len(published_table(table | {"measured": None}, summary).columns) == 2


def test_steadiness_sessions_and_outliers_become_texts() -> None:
    drift = {"percent_per_hour": -4.91, "low": -5.0, "high": -4.8, "measurements": 16}
    steadiness = {
        "hours": 1.5,
        "all_cells": drift,
        "sentinel": None,
        "outliers": [
            {
                "condition": "light",
                "settings": "b",
                "repetition": 3,
                "warm_images_per_second": 60.0,
            }
        ],
    }
    facts = steadiness_facts(steadiness)
    assert facts["all_cells"] == (
        "-4.9 % per hour (95 % interval -5.0 to -4.8; 16 repetitions): a drift"
    )
    assert facts["sentinel"] is None
    assert outlier_texts(steadiness) == ["light, `b`, repetition 3: 60 images/s"]
    merged = {
        "session": "s2",
        "setting": "light/a",
        "merged": True,
        "comparison": GAIN | {"verdict": "equivalent"},
    }
    apart = {
        "session": "s3",
        "repetitions": 3,
        "first_repetitions": 1,
        "merged": False,
        "comparison": None,
    }
    first, second = session_texts([merged, apart])
    assert first["text"].startswith("counts together with the first: `light/a` reaches 2.980")
    assert "with 3 and 1 repetitions of one setting" in second["text"]


@pytest.mark.filterwarnings("error")
def test_figures_say_in_words_what_they_draw() -> None:
    ceilings = ceiling_figure(bottlenecks(), "emulated")
    assert "4: 704 training, 1,000 loader alone" in ceilings.alt
    assert "step alone 3,000" in ceilings.alt
    assert "Emulated" in ceilings.caption
    assert ceilings.data[0]["resident"] is None
    near = near_best_figure(decisions(ADVICE, SINGLE), 0.05)
    assert "2: 0.94 (not excluded)" in near.alt
    assert "0: 0.30 (excluded)" in near.alt
    memory = memory_figure(resources(), "cpu")
    assert "900 with 2" in memory.alt
    assert "883 with 3" in memory.alt
    for figure in (ceilings, near, memory):
        assert figure.svg.startswith("<?xml")
