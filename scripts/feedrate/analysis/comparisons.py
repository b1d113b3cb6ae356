"""Every setting of a sweep against its first one, as a table."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import pandas as pd

from feedrate.analysis.tables import settings_in
from feedrate.planning.settings import settings_in_words
from feedrate.statistics.comparison import compare

COMPARISON_COLUMNS = {
    "sweep": "name of the sweep, as in config.yaml",
    "condition": "name of the transforms, as in config.yaml",
    "settings": "the DataLoader's settings that are compared, as one name",
    "against": "the settings that they are compared with: the sweep's first",
    "settings_in_words": "their workers, and what else sets them apart from the others",
    "against_in_words": "the same of those that they are compared with",
    "ratio": "geometric mean of the ratios of warm throughput, paired by round",
    "low": "lower end of the ratio's 95 % interval",
    "high": "upper end of the ratio's 95 % interval",
    "low90": "lower end of the ratio's 90 % interval, which decides about equivalence",
    "high90": "upper end of the ratio's 90 % interval",
    "rounds": "rounds in which both were measured",
    "verdict": "faster, slower, equivalent or undecided; or why they can't be compared",
    "more_rounds": "further rounds that would decide if mean and spread stayed; empty if decided",
}

ANOTHER_SESSION = "another session"
TOO_FEW_ROUNDS = "too few rounds"


def comparison_table(
    repetitions: pd.DataFrame, sweeps: Mapping[str, Sequence[str]]
) -> pd.DataFrame:
    """A row per sweep and setting but its first, with COMPARISON_COLUMNS.

    `repetitions` is a repetition table; `sweeps` are the plan's.
    """
    rows = [row for name, members in sweeps.items() for row in _rows(repetitions, name, members)]
    table = pd.DataFrame(rows, columns=list(COMPARISON_COLUMNS))
    return table.astype({"rounds": "Int64", "more_rounds": "Int64"})


def _rows(
    repetitions: pd.DataFrame, sweep: str, members: Sequence[str]
) -> Iterator[Mapping[str, Any]]:
    firsts: dict[str, str] = {}
    for member in members:
        condition, _, settings = member.partition("/")
        first = firsts.setdefault(condition, settings)
        if settings == first:
            continue
        own = repetitions[repetitions["condition"] == condition]
        paired = pd.concat(
            {"of": _by_round(own, settings), "to": _by_round(own, first)}, axis=1, join="inner"
        )
        named = {"sweep": sweep, "condition": condition, "settings": settings, "against": first}
        named |= _in_words(own, settings, first)
        found = compare(paired["of"].tolist(), paired["to"].tolist())
        if found:
            yield named | asdict(found)
        else:
            shared = set(_groups(own, settings)) & set(_groups(own, first))
            yield named | {"verdict": TOO_FEW_ROUNDS if shared else ANOTHER_SESSION}


def _in_words(rows: pd.DataFrame, settings: str, against: str) -> dict[str, str]:
    """Both settings, as far as they were measured."""
    by_slug = rows.drop_duplicates("settings").set_index("settings", drop=False)
    if not {settings, against} <= set(by_slug.index):
        return {"settings_in_words": settings, "against_in_words": against}
    one, other = (settings_in(by_slug.loc[each].to_dict()) for each in (settings, against))
    return {
        "settings_in_words": settings_in_words(one, other),
        "against_in_words": settings_in_words(other, one),
    }


def _groups(rows: pd.DataFrame, settings: str) -> list[str]:
    return rows[rows["settings"] == settings]["group"].tolist()


def _by_round(rows: pd.DataFrame, settings: str) -> "pd.Series[float]":
    own = rows[rows["settings"] == settings]
    return own.set_index(["group", "repetition"])["warm_images_per_second"]
