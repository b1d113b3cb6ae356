"""Every mistake in a file of claims at once: file, line, claim, key, and what is allowed."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from feedrate.configuration.checks import Problem, allowed, dotted
from feedrate.configuration.places import Key, Places


def model_problems(
    error: ValidationError, raw: Any, schema: Mapping[str, Any]
) -> Iterator[Problem]:
    """What the model finds in `raw`; `schema` is its JSON schema, for what is allowed."""
    for detail in error.errors(include_url=False):
        key = _present(detail, raw)
        yield Problem(key, _text(key, detail, schema))


def duplicate_problems(raw: Any, lists: Iterable[str]) -> Iterator[Problem]:
    """Ids that appear more than once in a list of `raw`."""
    for name in lists:
        entries = raw.get(name) if isinstance(raw, Mapping) else None
        seen: set[object] = set()
        for index, entry in enumerate(entries if isinstance(entries, list) else []):
            identifier = entry.get("id") if isinstance(entry, Mapping) else None
            if isinstance(identifier, str) and identifier in seen:
                yield Problem((name, index, "id"), f"{identifier!r} is taken; allowed: a new id")
            seen.add(str(identifier))


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


def _present(detail: ErrorDetails, raw: Any) -> Key:
    """The location without the branches that pydantic adds to it."""
    key: list[str | int] = []
    *_, last = detail["loc"] or ("",)
    for part in detail["loc"]:
        inside = (isinstance(raw, Mapping) and part in raw) or (
            isinstance(raw, list) and isinstance(part, int) and part < len(raw)
        )
        if inside:
            key.append(part)
            raw = raw[part]
    return (*key, last) if detail["type"] == "missing" else tuple(key)


def _text(key: Key, detail: ErrorDetails, schema: Mapping[str, Any]) -> str:
    value = detail["input"]
    match detail["type"]:
        case "extra_forbidden":
            return f"unknown key; {allowed(key[-1], _keys_beside(key, schema))}"
        case "missing":
            return "is missing"
        case "literal_error":
            expected = detail["ctx"]["expected"].replace("'", "").replace(" or ", ", ")
            return f"is {value!r}; {allowed(value, expected.split(', '))}"
        case "string_pattern_mismatch":
            return f"{value!r} is no name; allowed: lower-case letters, digits, - and _"
        case "value_error":
            return detail["msg"].removeprefix("Value error, ")
        case _:
            text = detail["msg"].removeprefix("Input ").replace("valid integer", "whole number")
            return f"is {value!r}, {text}"


def _keys_beside(key: Key, schema: Mapping[str, Any]) -> list[str]:
    """The keys that the model has where `key` stands."""
    nodes = list(_branches(schema, schema))
    for part in key[:-1]:
        nodes = [branch for node in nodes for branch in _below(node, part, schema)]
    return sorted({name for node in nodes for name in node.get("properties", {})})


def _below(
    node: Mapping[str, Any], part: str | int, schema: Mapping[str, Any]
) -> Iterator[Mapping[str, Any]]:
    inner = (
        node.get("items")
        if isinstance(part, int)
        else node.get("properties", {}).get(part, node.get("additionalProperties"))
    )
    if isinstance(inner, Mapping):
        yield from _branches(inner, schema)


def _branches(node: Mapping[str, Any], schema: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """`node` with its references and alternatives resolved."""
    if "$ref" in node:
        yield from _branches(schema["$defs"][node["$ref"].rsplit("/", 1)[-1]], schema)
    alternatives = [*node.get("anyOf", []), *node.get("oneOf", [])]
    for each in alternatives:
        yield from _branches(each, schema)
    if "properties" in node or "items" in node or "additionalProperties" in node:
        yield node
