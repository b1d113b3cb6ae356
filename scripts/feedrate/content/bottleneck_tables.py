"""What bounds the training, in words and a table."""

from collections.abc import Sequence

import pandas as pd

from feedrate.analysis.tables import labels_of
from feedrate.content.thresholds import CONTENTION_PERCENT
from feedrate.page.display import Table
from feedrate.wording import counted_workers


def bound_table(bottlenecks: pd.DataFrame) -> Table:
    """A row per condition and settings: the ceilings, what training reaches, and what bounds it."""
    labels = labels_of(bottlenecks)
    return Table(
        name="bottlenecks",
        columns=[
            "condition", "workers", "loader alone, images/s", "step alone, images/s",
            "together allow", "training reaches", "of that", "bound",
        ],
        rows=[
            [
                row["condition"],
                labels[row["settings"]],
                *(f"{row[key]:,.0f}" for key in ("loader", "step", "expected", "training")),
                f"{100 * row['reached']:.0f} %",
                row["bound"],
            ]
            for row in bottlenecks.to_dict("records")
        ],
        values={"contention_percent": CONTENTION_PERCENT},
    )  # fmt: skip


def bounds_by_condition(bottlenecks: pd.DataFrame) -> list[dict[str, str]]:
    """For each condition, which bound holds for which settings, and one rule in full."""
    labels = labels_of(bottlenecks)
    found = []
    for condition, own in bottlenecks.groupby("condition", sort=False):
        rows = own.sort_values("num_workers", kind="stable").to_dict("records")
        by_bound: dict[str, list[str]] = {}
        for row in rows:
            by_bound.setdefault(row["bound"], []).append(labels[row["settings"]])
        found.append(
            {
                "condition": str(condition),
                "bounds": "; ".join(
                    f"{bound} with {_listed(settings)}" for bound, settings in by_bound.items()
                ),
                "rule": str(rows[-1]["rule"]),
                "rule_workers": counted_workers(int(rows[-1]["num_workers"])),
            }
        )
    return found


def _listed(labels: Sequence[str]) -> str:
    separator = "; " if any("," in label for label in labels) else ", "
    return separator.join(labels) + (" worker" if list(labels) == ["1"] else " workers")


def resident_facts(ceilings: pd.DataFrame) -> list[dict[str, str]]:
    """Throughput of each condition with the dataset on the device, median."""
    known = ceilings[ceilings["arm"] == "resident"].dropna(subset=["images_per_second"])
    medians = known.groupby("condition", sort=False)["images_per_second"].median()
    return [
        {"condition": str(condition), "throughput": f"{value:,.0f}"}
        for condition, value in medians.items()
    ]
