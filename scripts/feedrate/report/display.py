"""What a section's code cell may show: facts for the prose, figures, tables."""

import base64
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import mistune

from feedrate.report.svg import inline_svg

FACTS = "application/vnd.feedrate.facts+json"
FIGURE = "application/vnd.feedrate.figure+json"
TABLE = "application/vnd.feedrate.table+json"

Scalar = str | int | float | None

_inline_markdown = mistune.create_markdown(escape=True)
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_NUMBER = re.compile(r"[-+\u2212±~≈<>≤≥\u00d7]?\s?\d")
_NO_NUMBER = {"", "\u2013", "\u2014", "n/a", "not applicable"}


class Facts:
    """Values that the prose of this section may name: `{{ name }}`.

    Raises ValueError for a value that JSON cannot hold (NaN and infinity included).
    """

    def __init__(self, **values: Any) -> None:
        self.values = {name: _plain(value, f"fact {name!r}") for name, value in values.items()}

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        lines = (f"{name} = {value!r}" for name, value in self.values.items())
        return {FACTS: self.values, "text/plain": "\n".join(lines)}


@dataclass(frozen=True, kw_only=True)
class Figure:
    """One figure of the report.

    `name` is lower case with hyphens and unique in the report; `svg` and `png` are the same
    drawing; `caption` may hold inline Markdown; `alt` says in words what the drawing shows;
    `data` is the table behind it, one mapping from column to value for each row.
    Raises ValueError for a bad name, an SVG that is not XML, or data that JSON cannot hold.
    """

    name: str
    svg: str
    png: bytes
    caption: str
    alt: str
    data: Sequence[Mapping[str, Any]]

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        name = _checked(self.name)
        rows: list[dict[str, Scalar]] = _plain([*map(dict, self.data)], f"data of figure {name!r}")
        return {
            "text/html": self._html(name, rows),
            "image/png": base64.b64encode(self.png).decode("ascii"),
            "text/plain": f"Figure {name}: {self.alt}",
            FIGURE: {"name": name, "svg": self.svg, "data": rows},
        }

    def _html(self, name: str, rows: Sequence[Mapping[str, Scalar]]) -> str:
        columns = list(dict.fromkeys(column for row in rows for column in row))
        data = [[row.get(column) for column in columns] for row in rows]
        drawing = inline_svg(self.svg, prefix=f"{name}--", label=self.alt)
        return (
            f'<figure id="figure-{name}" class="drawing">\n'
            f'<div class="scroll" tabindex="0" role="group" aria-label="Figure {name}">'
            f"{drawing}</div>\n"
            f"<figcaption>{_inline_markdown(self.caption)}"
            f'<details class="data"><summary>Data</summary>\n'
            f"{_table(columns, data, f'Data of figure {name}')}</details></figcaption>\n"
            f"</figure>"
        )


@dataclass(frozen=True, kw_only=True)
class Table:
    """One table of the report: the first column heads the rows, columns of numbers align right.

    `name` is lower case with hyphens and unique in the report; `caption` may hold inline
    Markdown. Numbers get four digits and thousands separators: to have it otherwise, pass text.
    """

    name: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Scalar]]
    caption: str

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        name = _checked(self.name)
        rows: list[list[Scalar]] = _plain([*map(list, self.rows)], f"table {name!r}")
        return {
            "text/html": (
                f'<figure id="table-{name}" class="table">\n'
                f"<figcaption>{_inline_markdown(self.caption)}</figcaption>\n"
                f"{_table(self.columns, rows, f'Table {name}')}\n</figure>"
            ),
            "text/plain": f"Table {name}: {len(rows)} rows",
            TABLE: {"name": name, "columns": [*self.columns], "rows": rows},
        }


def _table(columns: Sequence[str], rows: Sequence[Sequence[Scalar]], label: str) -> str:
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


def _checked(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise ValueError(f"{name!r} is no name for a figure or table: use a-z, 0-9 and hyphens")
    return name


def _plain(value: Any, what: str) -> Any:
    """`value` in JSON's own types; numpy's scalars are unwrapped."""
    try:
        return json.loads(json.dumps(value, allow_nan=False, default=lambda scalar: scalar.item()))
    except (TypeError, ValueError, AttributeError) as error:
        raise ValueError(f"{what} is not JSON: {error}") from error
