"""HTML of a table's values: readable numbers, headers with a scope, a box that scrolls."""

import re
from collections.abc import Sequence
from html import escape

Scalar = str | int | float | None

_NUMBER = re.compile(r"[-+\u2212±~≈<>≤≥\u00d7]?\s?\d")
_NO_NUMBER = {"", "\u2013", "\u2014", "n/a", "not applicable"}


def table_html(columns: Sequence[str], rows: Sequence[Sequence[Scalar]], label: str) -> str:
    """A table in a box that scrolls by itself and can be reached by keyboard."""
    marks = [
        ' class="number"' if _is_numeric([row[index] for row in rows]) else ""
        for index in range(len(columns))
    ]
    head = "".join(
        f'<th scope="col"{mark}>{escape(column)}</th>'
        for column, mark in zip(columns, marks, strict=True)
    )
    body = "\n".join(
        "<tr>"
        + "".join(
            f'<th scope="row"{mark}>{_text(value)}</th>'
            if index == 0
            else f"<td{mark}>{_text(value)}</td>"
            for index, (value, mark) in enumerate(zip(row, marks, strict=True))
        )
        + "</tr>"
        for row in rows
    )
    return (
        f'<div class="scroll" tabindex="0" role="group" aria-label="{escape(label)}">'
        f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table></div>"
    )


def _is_numeric(values: Sequence[Scalar]) -> bool:
    present = [value for value in values if value is not None and value not in _NO_NUMBER]
    return bool(present) and all(
        isinstance(value, int | float) or _NUMBER.match(value) for value in present
    )


def _text(value: Scalar) -> str:
    match value:
        case None:
            return "—"
        case bool():
            return "yes" if value else "no"
        case int():
            return f"{value:,}"
        case float() if value.is_integer() or abs(value) >= 1000:
            return f"{value:,.0f}"
        case float():
            return f"{value:.4g}"
        case _:
            return escape(str(value))
