"""Comparisons in words and tables."""

import pandas as pd
import pytest

from feedrate.content.comparison_tables import (
    setting_labels,
    settings_in_words,
    verdict_table,
)
from tests.content.decided import GAIN


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
    faster, undecided, apart = verdict_table(comparisons(), "workers", "x", "comparisons").rows
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
