"""Comparisons of settings in words and tables."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from feedrate.content.thresholds import CONFIDENCE_PERCENT
from feedrate.page.display import UNKNOWN, Table
from feedrate.statistics.comparison import MAXIMUM_ROUNDS, Comparison


def comparison_facts(comparison: Comparison) -> dict[str, Any]:
    """A comparison's verdict and numbers, as texts."""
    return {
        "verdict": comparison.verdict,
        "ratio": f"{comparison.ratio:.3f}",
        "low": f"{comparison.low:.3f}",
        "high": f"{comparison.high:.3f}",
        "rounds": comparison.rounds,
        "more_rounds": comparison.more_rounds,
    }


def verdict_table(comparisons: pd.DataFrame, sweep: str, name: str, message: str) -> Table:
    """Every comparison of `sweep`: ratio, interval, verdict; `message` is its caption's."""
    rows = [
        [
            row["condition"],
            row["settings_in_words"],
            row["against_in_words"],
            *_ratio_cells(row),
            row["verdict"],
            more_rounds(row["more_rounds"]) if row["verdict"] == "undecided" else "",
        ]
        for row in comparisons[comparisons["sweep"] == sweep].to_dict("records")
    ]
    return Table(
        name=name,
        columns=[
            "condition", "settings", "against", "ratio",
            f"{CONFIDENCE_PERCENT} % interval", "rounds", "verdict", "rounds that might decide",
        ],
        rows=rows,
        message=message,
    )  # fmt: skip


def _ratio_cells(row: Mapping[Any, Any]) -> list[Any]:
    if pd.isna(row["ratio"]):
        return [UNKNOWN, UNKNOWN, UNKNOWN]
    return [f"{row['ratio']:.3f}", f"{row['low']:.3f}–{row['high']:.3f}", int(row["rounds"])]


def more_rounds(rounds: float | None) -> str:
    """How many more rounds, from a number that may be unknown."""
    unknown = rounds is None or pd.isna(rounds)
    return f"more than {MAXIMUM_ROUNDS:,}" if unknown else f"{rounds:,.0f}"
