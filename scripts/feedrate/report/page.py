"""The page: executed sections, in order, as one self-contained HTML document."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape, unescape
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

from feedrate.report.display import FACTS, FIGURE, TABLE
from feedrate.report.palette import COLOURS
from feedrate.report.section import Output, SectionError

Notebook = Mapping[str, Any]
Cell = Mapping[str, Any]

_PROPERTIES = {colour: f"var(--{name})" for name, colour in COLOURS.items()}
_COLOUR = re.compile(rf"(?<=[:\s\"])({'|'.join(_PROPERTIES)})(?=[\s;\"])", re.IGNORECASE)
_TAG = re.compile(r"<[^>]*>")


@dataclass(frozen=True)
class Block:
    """A stretch of the page: HTML to show, and the source behind it ("" under prose)."""

    shown: Markup
    code: Markup


@dataclass(frozen=True)
class Heading:
    """A heading of the page: its text without markup, and its id."""

    text: str
    id: str
    level: int


def page(notebooks: Sequence[Notebook], title: str, template: Path) -> str:
    """The report as HTML text: `notebooks` under the folder `template`.

    The template finds `title`, `css`, `notices` (the facts named `banner`), `contents` (second
    level headings) and `blocks`. The same notebooks give the same text. Raises SectionError for
    a figure or table name that is used twice, and for an image in prose.
    """
    cells = _cells(notebooks)
    prose = _Prose(taken={f"{kind}-{name}" for kind, name in _named(cells)})
    blocks = list(_blocks(cells, prose))
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(template),
        undefined=jinja2.StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("page.html.j2").render(
        title=title,
        css=Markup((template / "page.css").read_text(encoding="utf-8")),
        notices=list(dict.fromkeys(_banners(cells))),
        contents=[heading for heading in prose.headings if heading.level == 2],
        blocks=blocks,
    )


def drawings(notebooks: Sequence[Notebook]) -> Iterator[tuple[dict[str, Any], str]]:
    """Every figure in order: its name, SVG and data rows as a mapping, and its PNG in base64."""
    for data in _emitted(_cells(notebooks)):
        if FIGURE in data:
            yield data[FIGURE], data["image/png"]


def themed(drawing: str) -> str:
    """The HTML of a drawing with the page's custom properties for `palette.COLOURS`."""
    return _COLOUR.sub(lambda match: _PROPERTIES[match[0].lower()], drawing)


class _Prose(IPythonRenderer):
    """Markdown to HTML: HTML in it is text, headings have unique ids and are collected."""

    def __init__(self, taken: set[str]) -> None:
        super().__init__(escape=True, allow_harmful_protocols=False)
        self.taken = taken
        self.headings: list[Heading] = []

    def heading(self, text: str, level: int, **_: Any) -> str:
        plain = unescape(_TAG.sub("", text))
        heading = Heading(plain, self._new_id(plain), level)
        self.headings.append(heading)
        return (
            f'<div class="heading"><h{level} id="{heading.id}">{text}</h{level}>'
            f'<a class="permalink" href="#{heading.id}" '
            f'aria-label="Link to “{escape(plain)}”">#</a></div>\n'
        )

    def image(self, text: str, url: str, title: str | None = None) -> str:
        raise SectionError(f"image {url!r} in the prose: the page is one file, emit a Figure")

    def table(self, text: str) -> str:
        return (
            '<div class="scroll" tabindex="0" role="group" aria-label="Table">'
            f"<table>\n{text}</table></div>\n"
        )

    def _new_id(self, text: str) -> str:
        slug = re.sub(r"\W+", "-", text.lower()).strip("-") or "section"
        candidates = (slug, *(f"{slug}-{count}" for count in range(2, len(self.taken) + 3)))
        chosen = next(name for name in candidates if name not in self.taken)
        self.taken.add(chosen)
        return chosen


def _blocks(cells: Sequence[Cell], prose: _Prose) -> Iterator[Block]:
    """The cells as blocks; code that shows nothing is told with what it leads to."""
    markdown, code = MarkdownWithMath(renderer=prose), Markup()
    for cell in cells:
        if cell["cell_type"] == "code":
            code += Markup(prose.block_code(cell["source"], info="python"))
            shown = Markup("\n").join(map(_shown, cell["outputs"]))
            if shown.strip():
                yield Block(shown, code)
                code = Markup()
        elif cell["cell_type"] == "markdown":
            if code:
                yield Block(Markup(), code)
                code = Markup()
            yield Block(Markup(markdown.render(cell["source"])), code)
    if code:
        yield Block(Markup(), code)


def _shown(output: Output) -> Markup:
    """The HTML of an output: of a display object, or plain text; nothing for facts."""
    data = output.get("data", {})
    if FIGURE in data:
        return Markup(themed(data["text/html"]))
    if TABLE in data:
        return Markup(data["text/html"])
    text = output.get("text") or data.get("text/plain")
    if FACTS in data or not text:
        return Markup()
    return Markup('<pre class="output">{}</pre>').format(text)


def _named(cells: Sequence[Cell]) -> set[tuple[str, str]]:
    """Kind and name of every figure and table."""
    names: set[tuple[str, str]] = set()
    for data in _emitted(cells):
        for kind, mime in (("figure", FIGURE), ("table", TABLE)):
            if mime in data:
                name = data[mime]["name"]
                if (kind, name) in names:
                    raise SectionError(f"two cells emit a {kind} named {name!r}")
                names.add((kind, name))
    return names


def _banners(cells: Sequence[Cell]) -> Iterator[str]:
    for data in _emitted(cells):
        if banner := data.get(FACTS, {}).get("banner"):
            yield str(banner)


def _cells(notebooks: Sequence[Notebook]) -> list[Cell]:
    return [cell for notebook in notebooks for cell in notebook["cells"]]


def _emitted(cells: Sequence[Cell]) -> Iterator[Mapping[str, Any]]:
    """The data of every output, by MIME type."""
    for cell in cells:
        yield from (output.get("data", {}) for output in cell.get("outputs", ()))
