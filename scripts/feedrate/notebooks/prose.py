"""Prose with numbers: a section's Markdown is a template over the facts of its code cells."""

from collections.abc import Mapping, Sequence
from typing import Any

import jinja2

from feedrate.notebooks.section import Output, Section, SectionError
from feedrate.page.display import FACTS_MIME
from feedrate.page.messages import Messages


def facts_of(section: Section, outputs: Mapping[int, Sequence[Output]]) -> dict[str, Any]:
    """Every fact that the section's code cells emitted; SectionError if two emit one name."""
    facts: dict[str, Any] = {}
    for position, emitted in outputs.items():
        for output in emitted:
            for name, value in output.get("data", {}).get(FACTS_MIME, {}).items():
                if name in facts:
                    raise SectionError(
                        f"{section.place(position)}: the fact {name!r} already exists"
                    )
                facts[name] = value
    return facts


def fill_in(section: Section, facts: Mapping[str, Any], messages: Messages) -> dict[int, str]:
    """The Markdown of the section's prose cells, by position, with the facts in their places.

    A fact may hold Markdown; the page shows HTML as text. Terms and counted workers are those of
    `messages`. Raises SectionError for a fact that is missing and for a template that is
    malformed.
    """
    environment = jinja2.Environment(
        undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True, autoescape=False
    )
    environment.filters.update(messages.filters)
    prose = {}
    for position, cell in enumerate(section.cells):
        if cell["cell_type"] == "markdown":
            try:
                prose[position] = environment.from_string(cell["source"]).render(facts)
            except (jinja2.TemplateError, TypeError, ValueError, ZeroDivisionError) as error:
                known = ", ".join(sorted(facts)) or "none"
                raise SectionError(
                    f"{section.place(position)}: {error}; the facts of this section: {known}"
                ) from error
    return prose
