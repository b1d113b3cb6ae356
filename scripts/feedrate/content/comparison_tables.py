"""Comparisons of settings in words and tables."""

from collections.abc import Iterable, Mapping
from typing import Any

import pandas as pd

from feedrate.content.thresholds import CONFIDENCE_PERCENT
from feedrate.page.display import UNKNOWN, Table
from feedrate.statistics.comparison import MAXIMUM_ROUNDS
from feedrate.wording import counted_workers

PAIRS = {
    "pinned": "memory", "pageable": "memory", "persistent": "life", "respawned": "life",
    "fork": "start", "forkserver": "start", "spawn": "start",
}  # fmt: skip
"""Parts of a name of settings that exclude each other."""


def comparison_facts(comparison: Mapping[str, Any]) -> dict[str, Any]:
    """A comparison's verdict and numbers, as texts."""
    return {
        "verdict": comparison["verdict"],
        "ratio": f"{comparison['ratio']:.3f}",
        "low": f"{comparison['low']:.3f}",
        "high": f"{comparison['high']:.3f}",
        "rounds": int(comparison["rounds"]),
        "more_rounds": _count(comparison["more_rounds"]),
    }


def verdict_table(comparisons: pd.DataFrame, sweep: str, name: str, message: str) -> Table:
    """Every comparison of `sweep`: ratio, interval, verdict; `message` is its caption's."""
    rows = [
        [
            row["condition"],
            settings_in_words(row["settings"], row["against"]),
            settings_in_words(row["against"], row["settings"]),
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


def settings_in_words(settings: str, other: str) -> str:
    """`4 workers`, and what else sets one name of settings apart from the other: `, pinned`.

    What a loader without workers doesn't have makes no difference to one that has it.
    """
    workers, *parts = settings.split("_")
    kinds = {_kind(part) for part in other.split("_")}
    differing = [
        part.replace("-", " ")
        for part in parts
        if part not in other.split("_") and _kind(part) in kinds
    ]
    return ", ".join([counted_workers(int(workers.partition("-")[2])), *differing])


def setting_labels(names: Iterable[str]) -> dict[str, str]:
    """For each name of settings its workers, and what else differs among the names: `4, pinned`."""
    parts = {name: name.split("_")[1:] for name in names}
    seen: dict[str, set[str]] = {}
    for each in parts.values():
        for part in each:
            seen.setdefault(_kind(part), set()).add(part)
    return {
        name: ", ".join(
            [
                name.split("_")[0].partition("-")[2],
                *(part.replace("-", " ") for part in each if len(seen[_kind(part)]) > 1),
            ]
        )
        for name, each in parts.items()
    }


def _kind(part: str) -> str:
    """What a part of a name of settings is about."""
    return PAIRS.get(part, part.partition("-")[0])


def _count(value: Any) -> int | None:
    return None if value is None or pd.isna(value) else int(value)


def more_rounds(rounds: Any) -> str:
    """How many more rounds, from a number that may be unknown."""
    count = _count(rounds)
    return f"more than {MAXIMUM_ROUNDS:,}" if count is None else f"{count:,}"
