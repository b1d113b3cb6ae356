"""The page: executed sections, in order, as one self-contained HTML document."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

from feedrate.page.display import FACTS_MIME
from feedrate.page.illustration import KINDS, Code, Illustration, illustration, kind_of
from feedrate.page.markdown import Markdown, PageError
from feedrate.page.messages import ENGLISH, Messages

Notebook = Mapping[str, Any]
NotebookCell = Mapping[str, Any]


@dataclass(frozen=True)
class Prose:
    """A stretch of text, in a language."""

    html: Markup
    language: str
    kind: str = field(default="prose", init=False)


@dataclass(frozen=True)
class Printed:
    """What a code cell printed."""

    text: str
    kind: str = field(default="printed", init=False)


@dataclass(frozen=True)
class SectionCode:
    """The code of a section that shows no figure or table itself: imports, data, numbers."""

    id: str
    code: Sequence[Code]
    kind: str = field(default="code", init=False)


Block = Prose | Illustration | Printed | SectionCode


@dataclass(frozen=True)
class Cover:
    """What the page says about itself: its title, the card to link to, and how it was audited."""

    title: str
    card: str
    audit: str


def page(notebooks: Sequence[Notebook], cover: Cover, messages: Messages, template: Path) -> str:
    """The report as HTML text: `notebooks` under the folder `template`.

    The template finds `cover`, `css`, `messages`, `description` and `byline` (the facts of these
    names), `notices` (the facts named `banner`), `contents` (second level headings) and `blocks`.
    The same notebooks give the same text. Raises PageError for a figure or table name that is
    used twice and for an image in prose, MessageError for a missing caption.
    """
    cells = [cell for notebook in notebooks for cell in notebook["cells"]]
    markdown = Markdown(messages, taken=_taken_ids(cells, len(notebooks)))
    blocks = list(_blocks(notebooks, markdown, messages))
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(template),
        undefined=jinja2.StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("page.html.j2").render(
        cover=cover,
        css=Markup((template / "page.css").read_text(encoding="utf-8")),
        messages=messages,
        description=" ".join(_facts(cells, "description")),
        byline=" ".join(_facts(cells, "byline")),
        notices=_facts(cells, "banner"),
        contents=[heading for heading in markdown.headings if heading.level == 2],
        blocks=blocks,
    )


def drawings(notebooks: Sequence[Notebook]) -> Iterator[tuple[dict[str, Any], str]]:
    """Every figure in order: name, drawings and rows as a mapping, and its PNG in base64."""
    for cell in (cell for notebook in notebooks for cell in notebook["cells"]):
        for output in cell.get("outputs", ()):
            if kind_of(output) == "figure":
                yield output["data"][KINDS["figure"]], output["data"]["image/png"]


def _blocks(
    notebooks: Sequence[Notebook], markdown: Markdown, messages: Messages
) -> Iterator[Block]:
    """The cells of all notebooks as blocks, at the end of each the code that shows nothing."""
    numbers: Counter[str] = Counter()
    for place, notebook in enumerate(notebooks, start=1):
        language = notebook.get("metadata", {}).get("prose_language", ENGLISH)
        silent = []
        for cell in notebook["cells"]:
            if cell["cell_type"] == "markdown":
                yield Prose(markdown.prose(cell["source"], language), language)
                continue
            kinds = [kind_of(output) for output in cell.get("outputs", ())]
            if not any(kinds) and cell["source"].strip():
                silent.append(Code("", markdown.code(cell["source"])))
            for kind, output in zip(kinds, cell.get("outputs", ()), strict=True):
                if kind:
                    numbers[kind] += 1
                    content = output["data"][KINDS[kind]]
                    code = _code_id(place)
                    yield illustration(kind, numbers[kind], content, cell, code, markdown, messages)
                elif text := _printed(output):
                    yield Printed(text)
        if silent:
            yield SectionCode(_code_id(place), silent)


def _printed(output: Mapping[str, Any]) -> str:
    """What to show of an output that is neither figure nor table; "" for facts."""
    data = output.get("data", {})
    return "" if FACTS_MIME in data else str(output.get("text") or data.get("text/plain") or "")


def _code_id(place: int) -> str:
    return f"code-{place}"


def _taken_ids(cells: Sequence[NotebookCell], notebooks: int) -> set[str]:
    """Ids of figures, tables and code; PageError for a figure or table that appears twice."""
    taken = {_code_id(place) for place in range(1, notebooks + 1)}
    for output in _outputs(cells):
        if kind := kind_of(output):
            name = output["data"][KINDS[kind]]["name"]
            if f"{kind}-{name}" in taken:
                raise PageError(f"two code cells emit a {kind} named {name!r}")
            taken.add(f"{kind}-{name}")
    return taken


def _facts(cells: Sequence[NotebookCell], name: str) -> list[str]:
    """The different values of the facts called `name`, in order."""
    values = (output.get("data", {}).get(FACTS_MIME, {}).get(name) for output in _outputs(cells))
    return list(dict.fromkeys(str(value) for value in values if value))


def _outputs(cells: Sequence[NotebookCell]) -> Iterator[Mapping[str, Any]]:
    for cell in cells:
        yield from cell.get("outputs", ())
