"""Prose and code of the page as HTML."""

import re
from dataclasses import dataclass
from html import escape, unescape
from typing import Any

from markupsafe import Markup
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

from feedrate.page.messages import Messages

_TAG = re.compile(r"<[^>]*>")


class PageError(Exception):
    """What the page cannot show, in words for the author of a section."""


@dataclass(frozen=True)
class Heading:
    """A heading of the page: its text without markup, its id, and the language it is in."""

    text: str
    id: str
    level: int
    language: str


class Markdown(IPythonRenderer):
    """Markdown to HTML: HTML in it is text, headings have unique ids and are collected.

    `taken` are ids that the page uses otherwise. Raises PageError for an image.
    """

    def __init__(self, messages: Messages, taken: set[str]) -> None:
        super().__init__(escape=True, allow_harmful_protocols=False)
        self.headings: list[Heading] = []
        self._messages = messages
        self._taken = taken
        self._language = messages.language

    def prose(self, source: str, language: str) -> Markup:
        """The HTML of `source`, which is in `language`."""
        self._language = language
        return Markup(MarkdownWithMath(renderer=self).render(source))

    def code(self, source: str) -> Markup:
        """The HTML of Python source."""
        return Markup(self.block_code(source, info="python"))

    def heading(self, text: str, level: int, **_: Any) -> str:
        plain = unescape(_TAG.sub("", text))
        heading = Heading(plain, self._new_id(plain), level, self._language)
        self.headings.append(heading)
        return (
            f'<div class="heading"><h{level} id="{heading.id}">{text}</h{level}>'
            f"{permalink(heading.id, f'“{plain}”', self._messages)}</div>\n"
        )

    def image(self, text: str, url: str, title: str | None = None) -> str:
        raise PageError(f"image {url!r} in the prose: the page is one file, emit a Figure")

    def table(self, text: str) -> str:
        return (
            f'<div class="scroll" tabindex="0" role="group" '
            f'aria-label="{escape(self._messages.word("table"))}">'
            f"<table>\n{text}</table></div>\n"
        )

    def block_code(self, code: str, info: str | None = None) -> str:
        """Code in a box that scrolls by itself and can be reached by keyboard."""
        html: str = super().block_code(code, info)
        return html.replace("<pre>", '<pre tabindex="0">', 1)

    def _new_id(self, text: str) -> str:
        slug = re.sub(r"\W+", "-", text.lower()).strip("-") or "section"
        candidates = (slug, *(f"{slug}-{count}" for count in range(2, len(self._taken) + 3)))
        chosen = next(name for name in candidates if name not in self._taken)
        self._taken.add(chosen)
        return chosen


def permalink(target: str, name: str, messages: Messages) -> str:
    """The link to the element with the id `target`, which bears `name`."""
    return (
        f'<a class="permalink" href="#{target}" '
        f'aria-label="{escape(messages.word("link_to"))} {escape(name)}">#</a>'
    )
