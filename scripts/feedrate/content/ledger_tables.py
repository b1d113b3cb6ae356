"""The claims and the articles' own numbers, in tables."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from feedrate.analysis.samples import worker_family
from feedrate.analysis.tables import comparable
from feedrate.claims.ledger import Entry
from feedrate.page.display import UNKNOWN, Table


def ledger_table(ledger: Sequence[Entry], article: str) -> Table:
    """The claims of `article`: what it printed, what was measured, and the verdict."""
    return Table(
        name=f"claims-{article.lower()}",
        columns=["claim", "published", "measured here", "verdict", "published size within"],
        rows=[
            [
                entry.claim,
                entry.published or "no figure",
                entry.reason + (f" {entry.note}" if entry.note else ""),
                entry.verdict,
                entry.published_in_interval,
            ]
            for entry in ledger
            if entry.article == article
        ],
        message="claims",
        values={"article": article},
    )


def verdict_counts(ledger: Sequence[Entry]) -> str:
    """`3 reproduced, 2 contradicted, …`, without verdicts that no claim has."""
    verdicts = [entry.verdict for entry in ledger]
    order = ("reproduced", "contradicted", "undecided", "not testable here")
    return ", ".join(f"{verdicts.count(each)} {each}" for each in order if each in verdicts)


def published_table(table: Mapping[str, Any], summary: pd.DataFrame) -> Table:
    """An article's own table, with what was measured here beside it."""
    columns, measured = table["columns"], table["measured"]
    beside = measured["columns"] if measured else {}
    keys = [column for column in columns if column not in beside]
    headings = [_heading(column, unit) for column, unit in columns.items()]
    headings += [f"here: {_heading(column, columns[column])}" for column in beside]
    rows = []
    for row in table["rows"]:
        named = dict(zip(columns, row, strict=True))
        here = _measured_row(summary, measured, {key: named[key] for key in keys})
        rows.append([*map(_entry, row), *(_entry(here.get(source)) for source in beside.values())])
    return Table(
        name=f"published-{table['id']}",
        columns=headings,
        rows=rows,
        message="published",
        values={key: table[key] for key in ("article", "place", "title")}
        | {"note": f" {table['note']}" if table["note"] else ""},
    )


def _measured_row(
    summary: pd.DataFrame, measured: Mapping[str, Any] | None, named: Mapping[str, Any]
) -> Mapping[Any, Any]:
    if measured is None:
        return {}
    wanted = measured["where"] | named
    found = comparable(summary)
    found = found[found["condition"] == wanted["condition"]]
    # A number of workers alone means the loader of the widest sweep, not its variants.
    found = found if "pin_memory" in wanted or found.empty else worker_family(found)
    for column, value in wanted.items():
        found = found[found[column] == value]
    return found.iloc[0].to_dict() if len(found) == 1 else {}


PUBLISHED_HEADINGS = {
    "num_workers": "workers",
    "pin_memory": "pinned memory",
    "warm_images_per_second": "warm throughput",
    "first_epoch_seconds": "first epoch",
    "warm_epoch_seconds": "warm epoch",
    "epoch_seconds": "epoch",
    "gpu_use_percent": "GPU use",
}
"""Columns of articles' tables whose name isn't a heading."""


def _heading(column: str, unit: str) -> str:
    """The column's name, with its unit where the name doesn't imply it."""
    words = PUBLISHED_HEADINGS.get(column, column.replace("_", " "))
    return words if unit in (words, "on or off") else f"{words}, {unit}"


def _entry(value: Any) -> str | None:
    if value is None or pd.isna(value):
        return UNKNOWN
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, int):
        return f"{value:,}" if value >= 1000 else str(value)
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3f}"
