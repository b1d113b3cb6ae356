"""Every mistake in a file of claims at once: file, line, claim, key, and what is allowed."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from feedrate.configuration.mistakes import Problem, allowed, dotted, existing_key, in_words
from feedrate.configuration.places import Key, Places


def model_problems(
    error: ValidationError, raw: Any, schema: Mapping[str, Any]
) -> Iterator[Problem]:
    """What the model finds in `raw`; `schema` is its JSON schema, for what is allowed."""
    for detail in error.errors(include_url=False):
        key = existing_key(detail, raw)
        yield Problem(key, in_words(key, detail, schema))


def duplicate_problems(raw: Any) -> Iterator[Problem]:
    """Ids that appear more than once among the claims, or among the tables."""
    seen: set[tuple[str, str]] = set()
    for name, index, entry in _entries(raw):
        identifier = entry.get("id")
        if isinstance(identifier, str):
            if (name, identifier) in seen:
                yield Problem((name, index, "id"), f"{identifier!r} is taken; allowed: a new id")
            seen.add((name, identifier))


def article_problems(raw: Any) -> Iterator[Problem]:
    """Claims and tables of an article that isn't among the file's articles."""
    articles = raw.get("articles") if isinstance(raw, Mapping) else None
    if not isinstance(articles, Mapping):
        return
    for name, index, entry in _entries(raw):
        article = entry.get("article")
        if isinstance(article, str) and article not in articles:
            known = allowed(article, map(str, articles))
            yield Problem((name, index, "article"), f"{article!r} isn't among articles; {known}")


def _entries(raw: Any) -> Iterator[tuple[str, int, Mapping[str, Any]]]:
    """The claims and the tables, each with the name of its list and its place there."""
    for name in ("claims", "tables"):
        entries = raw.get(name) if isinstance(raw, Mapping) else None
        for index, entry in enumerate(entries if isinstance(entries, list) else []):
            if isinstance(entry, Mapping):
                yield name, index, entry


def message(problems: Sequence[Problem], raw: Any, places: Places) -> str:
    """All problems as one text, a line each."""
    count = "1 mistake" if len(problems) == 1 else f"{len(problems)} mistakes"
    lines = (
        f"  {places.of(each.key)}: {': '.join([*_named(each.key, raw), each.text])}"
        for each in problems
    )
    return "\n".join([f"The claims have {count}:", *lines])


def _named(key: Key, raw: Any) -> Iterator[str]:
    """`claim a-pinning` and the key below it; `claim number 3` where it has no id."""
    match key:
        case ("claims" | "tables" as name, int() as index, *rest):
            entry = raw[name][index]
            identifier = entry.get("id") if isinstance(entry, Mapping) else None
            yield f"{name[:-1]} {identifier or f'number {index + 1}'}"
            if rest:
                yield dotted(tuple(rest))
        case ():
            return
        case _:
            yield dotted(key)
