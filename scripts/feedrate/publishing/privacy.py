"""What must not be published: who measured, on which host, and facts that nobody has allowed."""

import getpass
import json
import re
import socket
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from feedrate.configuration.mistakes import dotted
from feedrate.configuration.places import Key
from feedrate.publishing import layout
from feedrate.publishing.checksums import files_below

PUBLIC_MACHINE_FACTS = frozenset(
    {
        "affinity_cores",
        "architecture",
        "cpu",
        "cpu_governor",
        "environment",
        "gpus",
        "kernel",
        "load_average_before",
        "loader_defaults",
        "logical_cores",
        "memory_available_bytes",
        "memory_gib",
        "os_cpu_count",
        "physical_cores",
        "quota_cores",
        "shared_memory_bytes",
        "shared_memory_free_bytes",
        "storage",
        "system",
        "usable_cores",
    }
)
"""All that may appear under `machine` in a record: none of it identifies one such machine.

A new fact of `feedrate.environment` isn't published until it is listed here.
"""

PUBLIC_GPU_FACTS = frozenset({"name", "memory_gib", "driver"})
"""All that may appear in an entry of `gpus`: no serial number, UUID or address on the bus."""

_ALLOWED = {"machine": PUBLIC_MACHINE_FACTS, "gpus": PUBLIC_GPU_FACTS}

SHARED_NAMES = frozenset(
    {
        *("admin", "administrator", "azureuser", "build", "builder", "debian", "default"),
        *("docker", "ec2-user", "fedora", "guest", "jovyan", "nobody", "opc", "pi", "root"),
        *("runner", "test", "tester", "ubuntu", "user", "vagrant", "vscode"),
        *("computer", "container", "desktop", "host", "laptop", "linux", "localdomain"),
        *("localhost", "server", "workstation"),
    }
)
"""Names that images and installers give to every account or host: they identify nobody."""

SHORTEST_NAME = 3
"""A shorter name occurs in any text by chance."""


@dataclass(frozen=True)
class PrivateWord:
    """Something of this account or host that must not be published, and how to find it."""

    kind: str
    text: str
    pattern: re.Pattern[str]


@dataclass(frozen=True)
class Disclosure:
    """Where a file of the site discloses something private: a key or a line, and the text there."""

    file: str
    what: str
    place: str
    excerpt: str


# --- what is private ------------------------------------------------------------------------------


def private_words(public: Collection[str] = ()) -> list[PrivateWord]:
    """The user name, the host's names and the home folder of this process.

    Left out are names that many share (`SHARED_NAMES`), those shorter than SHORTEST_NAME, and
    `public`, which the user declares to be ordinary words.
    """
    host = socket.gethostname()
    named = [("user name", _user_name()), ("host name", host), ("host name", host.split(".")[0])]
    common = SHARED_NAMES | {word.casefold() for word in public}
    names = dict.fromkeys(
        (kind, name)
        for kind, name in named
        if len(name) >= SHORTEST_NAME and name.casefold() not in common
    )
    words = [PrivateWord(kind, name, _name_pattern(name)) for kind, name in names]
    home = _home()
    return [*words, PrivateWord("home folder", home, _home_pattern(home))] if home else words


def _user_name() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):  # an account without an entry has no name
        return ""


def _home() -> str:
    """The home folder; "" where there is none, or none but the root of the file system."""
    try:
        home = Path.home()
    except RuntimeError:
        return ""
    return str(home) if len(home.parts) > 1 else ""


def _name_pattern(name: str) -> re.Pattern[str]:
    """The name in any case, not as a part of a longer word."""
    return re.compile(rf"(?<![^\W_]){re.escape(name)}(?![^\W_])", re.IGNORECASE)


def _home_pattern(home: str) -> re.Pattern[str]:
    """The home folder, or a path below it.

    A folder right below the root, such as `/root`, may be a word after a slash: what counts is a
    path that goes on.
    """
    end = r"(?=[/\\])" if len(Path(home).parts) == 2 else r"(?![\w.-])"
    return re.compile(rf"(?<![\w.<-]){re.escape(home)}{end}")


# --- where it is ----------------------------------------------------------------------------------


def disclosures(folder: Path, words: Sequence[PrivateWord]) -> list[Disclosure]:
    """Every place below `folder` that holds one of `words`, or a fact that isn't allowed.

    Binary files are left out: pictures are drawn from tables that are searched.
    """
    return [
        disclosure
        for name, path in files_below(folder).items()
        if (text := _text(path)) is not None
        for disclosure in _disclosures_in(name, text, words)
    ]


def _text(path: Path) -> str | None:
    try:
        return path.read_bytes().decode("utf-8")
    except UnicodeDecodeError:
        return None


def _disclosures_in(name: str, text: str, words: Sequence[PrivateWord]) -> Iterator[Disclosure]:
    content = _content(name, text)
    strings = list(_strings(content))
    for word in words:
        found = [
            (dotted(key), value) for key, value in strings if word.pattern.search(value)
        ] or list(_lines_with(word.pattern, text))
        for place, excerpt in dict.fromkeys(found):
            yield Disclosure(name, word.kind, place, excerpt)
    for key in _facts_not_allowed(content):
        yield Disclosure(name, "fact outside the allow-list", dotted(key), "")


def _content(name: str, text: str) -> Any:
    """What a JSON or YAML file holds; None for any other."""
    try:
        match name.rpartition(".")[2]:
            case "json":
                return json.loads(text)
            case "yaml" | "cff":
                return yaml.safe_load(text)
    except (ValueError, yaml.YAMLError):
        return None
    return None


def _strings(value: Any, key: Key = ()) -> Iterator[tuple[Key, str]]:
    """Every text in `value`, names of keys included, with its key."""
    match value:
        case str():
            yield key, value
        case dict():
            for name, inner in value.items():
                yield (*key, str(name)), str(name)
                yield from _strings(inner, (*key, str(name)))
        case list():
            for index, inner in enumerate(value):
                yield from _strings(inner, (*key, index))


def _lines_with(pattern: re.Pattern[str], text: str) -> Iterator[tuple[str, str]]:
    for number, line in enumerate(text.splitlines(), start=1):
        if found := pattern.search(line):
            start = max(0, found.start() - 30)
            yield f"line {number}", line[start : found.end() + 30].strip()


def _facts_not_allowed(value: Any, key: Key = ()) -> Iterator[Key]:
    match value:
        case dict():
            for name, inner in value.items():
                yield from _facts_not_allowed(inner, (*key, str(name)))
                if key[-1:] == ("conditions",):
                    continue  # a name of the user's, whatever it is
                for fact in sorted(_facts(inner) - _ALLOWED.get(name, _facts(inner))):
                    yield (*key, name, fact)
        case list():
            for index, inner in enumerate(value):
                yield from _facts_not_allowed(inner, (*key, index))


def _facts(value: Any) -> set[str]:
    """The keys of a dictionary, or of those in a list."""
    entries = value if isinstance(value, list) else [value]
    return {str(fact) for entry in entries if isinstance(entry, dict) for fact in entry}


# --- what to do about it --------------------------------------------------------------------------

_SHOWN = 20


def refusal(found: Sequence[Disclosure]) -> str:
    """The disclosures as a message to the user: which file, what is there, what to change."""
    lines = [f"  {_in_words(disclosure)}: {_remedy(disclosure)}" for disclosure in found[:_SHOWN]]
    more = [f"  and {len(found) - _SHOWN} more"] if len(found) > _SHOWN else []
    return "\n".join(
        [
            "nothing was published, because it could identify you or this machine:",
            *lines,
            *more,
            "Then run `make publish` again. If a name is an ordinary word that anybody may read, "
            "say so: .venv/bin/python scripts/publish_site.py --public WORD",
        ]
    )


def _in_words(disclosure: Disclosure) -> str:
    excerpt = f", {disclosure.excerpt!r}" if disclosure.excerpt else ""
    return f"{disclosure.file}: {disclosure.what} at {disclosure.place}{excerpt}"


def _remedy(disclosure: Disclosure) -> str:
    setting = disclosure.place.removeprefix("experiment.")
    match disclosure.file:
        case _ if disclosure.what.startswith("fact"):
            return (
                "it was recorded by a different version of the code; measure again, or allow it in "
                "scripts/feedrate/publishing/privacy.py"
            )
        case layout.CONFIG:
            return f"change {disclosure.place} in config.yaml"
        case layout.PLAN if setting != disclosure.place:
            return f"change {setting} in config.yaml"
        case "tables/ledger.json" | "tables/published.json":
            return "change report/claims.yaml"
        case file if file.startswith(f"{layout.PROJECT}/"):
            return f"change {file.removeprefix(f'{layout.PROJECT}/')}"
        case _:
            return "change the text that this was made from"
