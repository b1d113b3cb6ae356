"""Tables for a figure's data and its alternative text."""

from collections.abc import Callable, Sequence
from typing import Any

import pandas as pd

Row = dict[str, Any]


def rows_of(table: pd.DataFrame, columns: Sequence[str]) -> list[Row]:
    """The rows of `table` as mappings of these columns; what is unknown is None."""
    chosen = table[[*columns]].astype(object)
    records = chosen.where(chosen.notna(), None).to_dict("records")
    return [{str(key): value for key, value in record.items()} for record in records]


def by_workers(table: pd.DataFrame, measures: Sequence[str]) -> list[Row]:
    """A row per condition, number of workers and repetition, in this order."""
    columns = ["condition", "num_workers", "repetition"]
    return rows_of(table.sort_values(columns, kind="stable"), [*columns, *measures])


def medians_in_words(
    table: pd.DataFrame,
    conditions: Sequence[str],
    x: str,
    measure: str,
    spell: Callable[[float], str],
) -> str:
    """`light: 4,002 with 0, 6,002 with 2.`: each condition's medians by the levels of `x`."""
    sentences = []
    for condition in conditions:
        medians = table[table["condition"] == condition].groupby(x)[measure].median()
        if len(medians):
            listed = ", ".join(f"{spell(value)} with {level}" for level, value in medians.items())
            sentences.append(f"{condition}: {listed}.")
    return " ".join(sentences)


def thousands(value: float) -> str:
    """`6,002`."""
    return f"{value:,.0f}"
