"""A user's mistake in a YAML file, put in words."""

import difflib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic_core import ErrorDetails

from feedrate.configuration.places import Key


@dataclass(frozen=True)
class Problem:
    """What is wrong at `key`, in words for the user."""

    key: Key
    text: str


def dotted(key: Key) -> str:
    """`("sweeps", "workers", "num_workers", 2)` as `sweeps.workers.num_workers[2]`."""
    text = ""
    for part in key:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text


def allowed(value: object, names: Iterable[str]) -> str:
    """`allowed: …`, and the nearest of `names` to a mistyped `value`, if one is near."""
    known = sorted(names)
    near = difflib.get_close_matches(str(value), known, n=1, cutoff=0.6) or [
        name for name in known if name.lower() == str(value).lower()
    ]
    hint = f"did you mean {near[0]}? " if near else ""
    return f"{hint}allowed: {', '.join(known)}"


def existing_key(detail: ErrorDetails, raw: Any) -> Key:
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


def in_words(key: Key, detail: ErrorDetails, schema: Mapping[str, Any]) -> str:
    """What is wrong at `key` and what is allowed; `schema` is the model's JSON schema."""
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
            return f"{value!r} isn't a name; allowed: lower-case letters, digits, - and _"
        case "value_error":
            return detail["msg"].removeprefix("Value error, ")
        case _:
            text = detail["msg"].removeprefix("Input ").replace("valid integer", "whole number")
            return f"is {value!r}, {text}"


def _keys_beside(key: Key, schema: Mapping[str, Any]) -> list[str]:
    """The keys that the model allows in the place of `key`."""
    nodes = list(_branches(schema, schema))
    for part in key[:-1]:
        nodes = [branch for node in nodes for branch in _below(node, part, schema)]
    return sorted({name for node in nodes for name in node.get("properties", {})})


def _below(
    node: Mapping[str, Any], part: str | int, schema: Mapping[str, Any]
) -> Iterator[Mapping[str, Any]]:
    if isinstance(part, int):
        inner = node.get("items")
    else:
        by_pattern = next(iter(node.get("patternProperties", {}).values()), None)
        others = by_pattern or node.get("additionalProperties")
        inner = node.get("properties", {}).get(part, others)
    if isinstance(inner, Mapping):
        yield from _branches(inner, schema)


def _branches(node: Mapping[str, Any], schema: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """`node` with its references and alternatives resolved."""
    if "$ref" in node:
        yield from _branches(schema["$defs"][node["$ref"].rsplit("/", 1)[-1]], schema)
    alternatives = [*node.get("anyOf", []), *node.get("oneOf", [])]
    for each in alternatives:
        yield from _branches(each, schema)
    if node.keys() & {"properties", "items", "additionalProperties", "patternProperties"}:
        yield node
