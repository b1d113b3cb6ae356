"""The claims, and the articles' own numbers."""

import pandas as pd

from feedrate.claims.ledger import Entry
from feedrate.content.ledger_tables import ledger_table, published_table, verdict_counts

LEDGER = [
    Entry(
        id="workers",
        article="A",
        place="sweep",
        claim="4 are faster than none.",
        published="3.59 times",
        published_on="Their chip",
        verdict="reproduced",
        reason="Measured: 1.1 times.",
        published_in_interval="no",
        note="Another machine.",
    ),
    Entry(
        id="pinning",
        article="B",
        place="rules",
        claim="Pinning costs memory.",
        published=None,
        published_on=None,
        verdict="not testable here",
        reason="No device.",
    ),
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
            "start_method": "fork",
            "kind": "dataloader",
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
