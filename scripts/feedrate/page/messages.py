"""The words of the page in a language: captions, the frame around them, terms of the field.

`report/messages/<language>.yaml` holds them; a caption is Markdown with Jinja over the values of
its figure or table. English has every message; another language may leave some out, which then
appear in English.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import jinja2
import yaml

ENGLISH = "en"


class MessageError(Exception):
    """A message is missing or malformed; the text says which, where, and what to do."""


@dataclass(frozen=True)
class Caption:
    """A caption as Markdown, and the language that it is in."""

    text: str
    language: str


@dataclass(frozen=True)
class Messages:
    """The messages of `language` over those in English, by group and key."""

    language: str
    groups: Mapping[str, Mapping[str, str]]
    english: Mapping[str, Mapping[str, str]]

    def of(self, language: str) -> "Messages":
        """The messages of `language`, which is this one's or English."""
        groups = self.groups if language == self.language else self.english
        return Messages(language, groups, self.english)

    def caption(self, group: str, key: str, values: Mapping[str, Any]) -> Caption:
        """The message `key` of `group` over `values`; MessageError if English lacks it too."""
        for language, groups in ((self.language, self.groups), (ENGLISH, self.english)):
            if key in groups.get(group, {}):
                place = f"report/messages/{language}.yaml, {group}.{key}"
                return Caption(self._filled(groups[group][key], values, place), language)
        raise MessageError(
            f"report/messages/{ENGLISH}.yaml has no {group}.{key}: add it, as Markdown; it may "
            f"name {', '.join(sorted(values)) or 'no values'}"
        )

    def word(self, key: str, **values: Any) -> str:
        """A word of the page's frame, over `values`."""
        return self.caption("page", key, values).text

    def term(self, text: str) -> str:
        """A term of the field, such as a verdict, in this language; itself where it is unknown."""
        return self.groups.get("terms", {}).get(text, text)

    def workers(self, count: int) -> str:
        """`4 workers`."""
        key = "one_worker" if count == 1 else "workers"
        return self.caption("counts", key, {"count": count}).text

    @property
    def filters(self) -> dict[str, Any]:
        """The filters of prose and captions: `{{ 4 | workers }}`, `{{ verdict | term }}`."""
        return {"workers": self.workers, "term": self.term}

    @cached_property
    def _environment(self) -> jinja2.Environment:
        environment = jinja2.Environment(undefined=jinja2.StrictUndefined, autoescape=False)
        environment.filters.update(self.filters)
        return environment

    def _filled(self, message: str, values: Mapping[str, Any], place: str) -> str:
        try:
            return self._environment.from_string(message).render(values).strip()
        except (jinja2.TemplateError, TypeError, ValueError) as error:
            raise MessageError(
                f"{place}: {error}; its values: {', '.join(sorted(values)) or 'none'}"
            ) from error


def read_messages(folder: Path, language: str) -> Messages:
    """The messages of `language` in `folder`; MessageError for a malformed file."""
    return Messages(language, _read(folder, language), _read(folder, ENGLISH))


def _read(folder: Path, language: str) -> Mapping[str, Mapping[str, str]]:
    file = folder / f"{language}.yaml"
    try:
        content = yaml.safe_load(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise MessageError(f"{file} can't be read: {error}") from error
    except yaml.YAMLError as error:
        raise MessageError(f"{file} isn't YAML: {error}") from error
    if not isinstance(content, dict) or not all(
        isinstance(group, dict) and all(isinstance(text, str) for text in group.values())
        for group in content.values()
    ):
        raise MessageError(f"{file}: write groups of messages, each message a key and its text")
    return content
