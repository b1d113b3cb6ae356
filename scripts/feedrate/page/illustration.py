"""A figure or table of the page: what it shows, its caption, and what is behind it."""

import base64
import csv
import io
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import mistune
from markupsafe import Markup

from feedrate.page.display import FIGURE_MIME, TABLE_MIME
from feedrate.page.markdown import Markdown, permalink
from feedrate.page.markup import Scalar, table_html
from feedrate.page.messages import Messages
from feedrate.page.palette import COLOURS
from feedrate.page.svg import inline_svg

Content = Mapping[str, Any]
"""What a notebook holds of a figure or table: see `display`."""

KINDS = {"figure": FIGURE_MIME, "table": TABLE_MIME}
"""The MIME type of each kind's content in a notebook."""

_PROPERTIES = {colour: f"var(--{name})" for name, colour in COLOURS.items()}
_COLOUR = re.compile(rf"(?<=[:\s\"])({'|'.join(_PROPERTIES)})(?=[\s;\"])", re.IGNORECASE)
_inline_markdown = mistune.create_markdown(escape=True)


@dataclass(frozen=True)
class Code:
    """Code in the page, under the name of what it defines; "" for a code cell."""

    name: str
    source: Markup


@dataclass(frozen=True)
class Download:
    """A file that the page carries with itself, at an address that holds it."""

    kind: str
    file: str
    address: str


@dataclass(frozen=True)
class Behind:
    """What is behind a figure or table: its data as files, its code, its inputs by SHA-256.

    `section_code` is the id of the section's other code, None if the code cell needs none of it.
    """

    downloads: Sequence[Download]
    code: Sequence[Code]
    section_code: str | None
    inputs: Mapping[str, str]


@dataclass(frozen=True)
class Illustration:
    """A figure or table, labelled with its kind and number.

    `shown` is a table, or a figure's wide and narrow drawing; `rows` are the data of a figure.
    """

    kind: str
    name: str
    label: str
    shown: Sequence[Markup]
    caption: Markup
    caption_language: str
    rows: Markup
    behind: Behind


def kind_of(output: Mapping[str, Any]) -> str | None:
    """Whether the output of a code cell is a figure or a table; None if neither."""
    return next((kind for kind, mime in KINDS.items() if mime in output.get("data", {})), None)


def illustration(
    kind: str,
    number: int,
    content: Content,
    cell: Mapping[str, Any],
    section_code: str,
    markdown: Markdown,
    messages: Messages,
) -> Illustration:
    """The figure or table that `cell` emitted with `content`; `number` counts its kind.

    Raises MessageError for a missing caption.
    """
    name = content["name"]
    label = f"{messages.word(kind)} {number}"
    caption = messages.caption(f"{kind}s", content.get("message", name), content["values"])
    note = messages.word("emulated") if content["emulated"] else ""
    behind = cell["metadata"].get("behind", {})
    functions = behind.get("functions", ())
    return Illustration(
        kind=kind,
        name=name,
        label=label,
        shown=_drawings(content) if kind == "figure" else [_table(content, label, messages)],
        caption=_labelled(f"{caption.text} {note}".strip(), label, f"{kind}-{name}", messages),
        caption_language=caption.language,
        rows=_data_table(content, f"{label}, {messages.word('data')}")
        if kind == "figure"
        else Markup(),
        behind=Behind(
            downloads=_downloads(f"{kind}-{name}", content),
            code=[
                Code("", markdown.code(cell["source"])),
                *(Code(each["name"], markdown.code(each["source"])) for each in functions),
            ],
            section_code=section_code if behind.get("needs") else None,
            inputs=behind.get("inputs", {}),
        ),
    )


def themed(drawing: str) -> str:
    """The HTML of a drawing with the page's custom properties for `palette.COLOURS`."""
    return _COLOUR.sub(lambda match: _PROPERTIES[match[0].lower()], drawing)


def as_csv(content: Content) -> str:
    """The `columns` and `rows` of a figure or table as CSV text."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([content["columns"], *content["rows"]])
    return text.getvalue()


def as_json(content: Content) -> str:
    """The `rows` of a figure or table as JSON text, each a mapping from its `columns`."""
    records = [dict(zip(content["columns"], row, strict=True)) for row in content["rows"]]
    return json.dumps(records, ensure_ascii=False, indent=1) + "\n"


def _drawings(content: Content) -> list[Markup]:
    name, label = content["name"], content["alt"]
    return [
        Markup(themed(inline_svg(content[form], f"{name}-{form}--", label)))
        for form in ("wide", "narrow")
    ]


def _data_table(content: Content, title: str) -> Markup:
    return Markup(table_html(content["columns"], content["rows"], title))


def _table(content: Content, label: str, messages: Messages) -> Markup:
    """The table's HTML, its terms in the language of the page; what heads a row is a name."""

    def worded(value: Scalar) -> Scalar:
        return messages.term(value) if isinstance(value, str) else value

    columns = [messages.term(column) for column in content["columns"]]
    rows = [[*row[:1], *map(worded, row[1:])] for row in content["rows"]]
    return Markup(table_html(columns, rows, label))


def _labelled(caption: str, label: str, target: str, messages: Messages) -> Markup:
    """The caption's HTML with its label before and its permalink behind."""
    html = str(_inline_markdown(caption))
    html = html.replace("<p>", f'<p><span class="label">{escape(label)}.</span> ', 1)
    start, end, rest = html.rpartition("</p>")
    return Markup(f"{start} {permalink(target, label, messages)}{end}{rest}")


def _downloads(name: str, content: Content) -> list[Download]:
    """The rows as CSV and as JSON, each as an address that holds the file itself."""
    return [
        Download(kind, f"{name}.{kind.lower()}", _data_address(mime, text))
        for kind, mime, text in (
            ("CSV", "text/csv", as_csv(content)),
            ("JSON", "application/json", as_json(content)),
        )
    ]


def _data_address(mime: str, text: str) -> str:
    return f"data:{mime};charset=utf-8;base64,{base64.b64encode(text.encode()).decode('ascii')}"
