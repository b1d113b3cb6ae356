"""The checksums of a folder to publish: SHA256SUMS, as `sha256sum` writes and checks it."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath

from feedrate.reading import sha256

SUMS = "SHA256SUMS"
BUNDLE = "bundle.zip"

UNLISTED = (SUMS, BUNDLE)
"""What SHA256SUMS can't list: itself, and the archive that holds it."""

_LINE = re.compile(r"(?P<escaped>\\?)(?P<digest>[0-9a-f]{64}) [ *](?P<name>.+)", re.DOTALL)
_ESCAPES = {"\\": "\\\\", "\n": "\\n", "\r": "\\r"}


class ChecksumsError(Exception):
    """SHA256SUMS is missing or can't be read; the message says where, and what to do."""


def files_below(folder: Path) -> dict[str, Path]:
    """Every file below `folder` by its path relative to it, with slashes; sorted."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return dict(sorted((path.relative_to(folder).as_posix(), path) for path in files))


def sums(folder: Path) -> dict[str, str]:
    """SHA-256 by relative path of every file below `folder` that SHA256SUMS is to list; sorted."""
    files = files_below(folder).items()
    return {name: sha256(path) for name, path in files if name not in UNLISTED}


def as_text(digests: Mapping[str, str]) -> str:
    """The content of SHA256SUMS, sorted by name; `sha256sum --check` reads it."""
    return "".join(_line(name, digests[name]) for name in sorted(digests))


def _line(name: str, digest: str) -> str:
    escaped = re.sub(r"[\\\n\r]", lambda match: _ESCAPES[match[0]], name)
    # A leading backslash says that the name was escaped.
    return f"{'' if escaped == name else chr(92)}{digest}  {escaped}\n"


def read_sums(folder: Path) -> dict[str, str]:
    """SHA-256 by relative path, from SHA256SUMS in `folder`; ChecksumsError if it can't be read."""
    file = folder / SUMS
    try:
        return parse(file.read_bytes().decode("utf-8"), str(file))
    except FileNotFoundError:
        raise ChecksumsError(
            f"{folder} holds no {SUMS}: it was not published by feedrate, or is incomplete; "
            "run `make publish`, or unpack bundle.zip again"
        ) from None
    except UnicodeDecodeError:
        raise ChecksumsError(f"{file} isn't text: get the published one again") from None


def parse(text: str, place: str) -> dict[str, str]:
    """What `as_text` wrote; ChecksumsError names `place` and the line that is something else."""
    digests: dict[str, str] = {}
    for number, line in enumerate(text.removesuffix("\n").split("\n") if text else [], start=1):
        match = _LINE.fullmatch(line)
        if match is None:
            raise ChecksumsError(
                f"{place}:{number}: isn't a checksum and a name: get the published file again"
            )
        name = _unescaped(match["name"]) if match["escaped"] else match["name"]
        if _leads_out(name):
            raise ChecksumsError(f"{place}:{number}: {name!r} lies outside the folder")
        digests[name] = match["digest"]
    return digests


def _unescaped(name: str) -> str:
    originals = {escape: character for character, escape in _ESCAPES.items()}
    return re.sub(r"\\[\\nr]", lambda match: originals[match[0]], name)


def _leads_out(name: str) -> bool:
    path = PurePosixPath(name)
    return path.is_absolute() or ".." in path.parts


def differences(folder: Path) -> list[str]:
    """A sentence for every file that isn't as SHA256SUMS says; ChecksumsError without it."""
    return list(_in_words(read_sums(folder), sums(folder)))


def _in_words(listed: Mapping[str, str], found: Mapping[str, str]) -> Iterator[str]:
    for name in sorted(listed.keys() | found.keys()):
        if name not in found:
            yield f"{name} is missing, but {SUMS} lists it"
        elif name not in listed:
            yield f"{name} is there, but {SUMS} doesn't list it"
        elif listed[name] != found[name]:
            yield f"{name} was changed: its checksum isn't the one in {SUMS}"
