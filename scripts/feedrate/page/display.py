"""What a section's code cell may show: facts for the prose, figures, tables.

They put data into the notebook; the page makes HTML of it (assembly.py), in the language it is
assembled for.
"""

import base64
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from feedrate.page.markup import Scalar, table_html
from feedrate.page.svg import check_svg

FACTS_MIME = "application/vnd.feedrate.facts+json"
FIGURE_MIME = "application/vnd.feedrate.figure+json"
TABLE_MIME = "application/vnd.feedrate.table+json"

UNKNOWN = "n/a"
"""In a table, what was not measured or isn't known here; never 0."""

_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


class Facts:
    """Values that the prose of this section may name: `{{ name }}`.

    Raises ValueError for a value that JSON cannot hold (NaN and infinity included).
    """

    def __init__(self, **values: Any) -> None:
        self.values = {name: _plain(value, f"fact {name!r}") for name, value in values.items()}

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        lines = (f"{name} = {value!r}" for name, value in self.values.items())
        return {FACTS_MIME: self.values, "text/plain": "\n".join(lines)}


@dataclass(frozen=True)
class Drawing:
    """One drawing: SVG for a wide page, SVG with its panels stacked for a narrow one, and PNG."""

    wide: str
    narrow: str
    png: bytes


@dataclass(frozen=True, kw_only=True)
class Figure:
    """One figure of the report.

    `name` is lower case with hyphens and unique in the report. Its caption is the message
    `figures.<name>` over `values`; `alt` says in words what the drawing shows; `data` is the table
    behind it, one mapping from column to value for each row; `device` is what trained.
    Raises ValueError for a bad name, an SVG that is not XML, or data that JSON cannot hold.
    """

    name: str
    drawing: Drawing
    alt: str
    data: Sequence[Mapping[str, Any]]
    device: str
    values: Mapping[str, Any] = field(default_factory=dict)

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        name = _checked(self.name)
        for svg in (self.drawing.wide, self.drawing.narrow):
            check_svg(svg)
        columns = list(dict.fromkeys(column for row in self.data for column in row))
        rows = [[row.get(column) for column in columns] for row in self.data]
        return {
            "image/png": base64.b64encode(self.drawing.png).decode("ascii"),
            "text/plain": f"Figure {name}: {self.alt}",
            FIGURE_MIME: {
                "name": name,
                "wide": self.drawing.wide,
                "narrow": self.drawing.narrow,
                "alt": self.alt,
                "columns": columns,
                "rows": _plain(rows, f"data of figure {name!r}"),
                "emulated": self.device == "emulated",
                "values": _plain(dict(self.values), f"values of figure {name!r}"),
            },
        }


@dataclass(frozen=True, kw_only=True)
class Table:
    """One table of the report: the first column heads the rows, columns of numbers align right.

    `name` is lower case with hyphens and unique in the report. Its caption is the message
    `tables.<message>` over `values`; `message` is the name unless several tables share one.
    Numbers get four digits and thousands separators: to have it otherwise, pass text. `device` is
    what trained, where the table is about training.
    """

    name: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Scalar]]
    message: str | None = None
    device: str | None = None
    values: Mapping[str, Any] = field(default_factory=dict)

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        name = _checked(self.name)
        rows: list[list[Scalar]] = _plain([*map(list, self.rows)], f"table {name!r}")
        return {
            "text/html": table_html(self.columns, rows, f"Table {name}"),
            "text/plain": f"Table {name}: {len(rows)} rows",
            TABLE_MIME: {
                "name": name,
                "message": self.message or name,
                "columns": [*self.columns],
                "rows": rows,
                "emulated": self.device == "emulated",
                "values": _plain(dict(self.values), f"values of table {name!r}"),
            },
        }


def _checked(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise ValueError(f"{name!r} can't name a figure or table: use a-z, 0-9 and hyphens")
    return name


def _plain(value: Any, what: str) -> Any:
    """`value` in JSON's own types; numpy's scalars are unwrapped."""
    try:
        return json.loads(json.dumps(value, allow_nan=False, default=lambda scalar: scalar.item()))
    except (TypeError, ValueError, AttributeError) as error:
        raise ValueError(f"{what} is not JSON: {error}") from error
