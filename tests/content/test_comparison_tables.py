"""Comparisons in words and tables."""

from dataclasses import asdict

import pandas as pd

from feedrate.content.comparison_tables import verdict_table
from tests.content.decided import GAIN


def comparisons() -> pd.DataFrame:
    shared = {
        "sweep": "workers",
        "condition": "light",
        "settings": "workers-2_batch-8",
        "against": "workers-0_batch-8",
        "settings_in_words": "2 workers",
        "against_in_words": "0 workers",
    }
    gain = asdict(GAIN)
    undecided = gain | {"verdict": "undecided", "more_rounds": 40.0}
    return pd.DataFrame(
        [shared | gain, shared | undecided, shared | {"verdict": "another session"}]
    )


def test_a_comparison_has_its_interval_its_verdict_and_what_would_decide_it() -> None:
    faster, undecided, apart = verdict_table(comparisons(), "workers", "x", "comparisons").rows
    assert faster[1:3] == ["2 workers", "0 workers"]
    assert faster[3:] == ["2.980", "2.900–3.060", 3, "faster", ""]
    assert undecided[6:] == ["undecided", "40"]
    assert apart[3:] == ["n/a", "n/a", "n/a", "another session", ""]
