"""A digest of the code of a user's transforms, wherever Python finds it, without importing it."""

import ast
import re
import sys
import sysconfig
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from hashlib import sha256
from importlib import invalidate_caches, metadata
from importlib.machinery import ModuleSpec, PathFinder
from importlib.metadata import Distribution
from pathlib import Path

from feedrate.canonical import digest
from feedrate.code.behaviour import code_digest
from feedrate.code.imports import imported_names

REQUIRED = re.compile(r"[^A-Za-z0-9._-]")
"""Ends the name in a requirement (PEP 508)."""


class CodeUnreadable(Exception):
    """A user's module can't be parsed; the message names file and reason."""


def digest_of_user_code(paths: Iterable[str], search: Sequence[str], ours: Iterable[str]) -> str:
    """Digest of the code behind the dotted `paths` of a condition; "" if none of it is the user's.

    `search` are the folders in which the measuring process looks for modules, in its order. Source
    files count by what they do, with all that they import in turn; installed packages, and those
    that they require, by name, version and the list of their files' digests. `ours` are
    distributions that the specification names in any case. CodeUnreadable for a file that can't be
    parsed.
    """
    invalidate_caches()
    files, installed = _followed(paths, search)
    required = _with_required(installed, search, {_normalised(name) for name in ours})
    versions = {name: _installed(each) for name, each in sorted(required.items())}
    if not files and not versions:
        return ""
    by_module = {name: _file_digest(file) for name, file in sorted(files.items())}
    return digest({"modules": by_module, "installed": versions})


def user_files(paths: Iterable[str], search: Sequence[str]) -> dict[str, Path]:
    """The source files that count in `digest_of_user_code`, by their module's dotted name."""
    invalidate_caches()
    return _followed(paths, tuple(search))[0]


def _followed(
    paths: Iterable[str], search: Sequence[str]
) -> tuple[dict[str, Path], dict[str, Distribution]]:
    """Files by module, and distributions by name, that importing `paths` brings in."""
    files: dict[str, Path] = {}
    installed: dict[str, Distribution] = {}
    waiting = list(paths)
    owners = cache(lambda module: _owners(module, search))
    while waiting:
        for name, spec in _specs(waiting.pop(), search):
            if name in files or spec.origin is None:
                continue
            file = Path(spec.origin)
            found = owners(name.split(".")[0]) if _is_installed(file) else {}
            if found:
                installed |= found
                break
            files[name] = file
            package = name if spec.submodule_search_locations else name.rpartition(".")[0]
            waiting += _imports(file, package)
    return files, installed


def _specs(path: str, search: Sequence[str]) -> Iterator[tuple[str, ModuleSpec]]:
    """The modules that importing the dotted `path` runs, packages first, without Python's own."""
    parts = path.split(".")
    if parts[0] in sys.stdlib_module_names:
        return
    folders = search
    for length in range(1, len(parts) + 1):
        name = ".".join(parts[:length])
        spec = _top_level(name, search) if length == 1 else PathFinder.find_spec(name, folders)
        if spec is None:
            return  # an attribute, or missing: importing it will show
        yield name, spec
        if not spec.submodule_search_locations:
            return
        folders = list(spec.submodule_search_locations)


def _top_level(name: str, search: Sequence[str]) -> ModuleSpec | None:
    """A module as the interpreter finds it; an editable installation may have its own finder."""
    spec = PathFinder.find_spec(name, list(search))
    finders = (each for each in sys.meta_path if each is not PathFinder)
    if spec is None or spec.origin is None:
        found = (each.find_spec(name, None) for each in finders if hasattr(each, "find_spec"))
        spec = next((each for each in found if each and each.origin), spec)
    return spec


def _imports(file: Path, package: str) -> list[str]:
    if file.suffix != ".py":
        return []
    return list(imported_names(_tree(file), tuple(package.split(".")) if package else ()))


def _file_digest(file: Path) -> str:
    if file.suffix != ".py":
        return sha256(file.read_bytes()).hexdigest()
    return code_digest([file], file.parent)


def _tree(file: Path) -> ast.Module:
    try:
        return ast.parse(file.read_bytes(), str(file))
    except SyntaxError as error:
        place = f"{file}:{error.lineno}" if error.lineno else str(file)
        remedy = "; save the file as UTF-8" if "codec" in error.msg else ""
        raise CodeUnreadable(f"{place}: isn't Python: {error.msg}{remedy}") from None
    except ValueError as error:
        raise CodeUnreadable(f"{file}: can't be read as Python: {error}") from None


@cache
def _site_folders() -> tuple[Path, ...]:
    paths = sysconfig.get_paths()
    return tuple({Path(paths[name]).resolve() for name in ("purelib", "platlib")})


def _is_installed(file: Path) -> bool:
    resolved = file.resolve()
    return not {"site-packages", "dist-packages"}.isdisjoint(resolved.parts) or any(
        resolved.is_relative_to(folder) for folder in _site_folders()
    )


def _owners(module: str, search: Sequence[str]) -> dict[str, Distribution]:
    """The distributions in `search` that provide the top-level `module`, by name."""
    return {
        _normalised(distribution.name): distribution
        for distribution in metadata.distributions(path=list(dict.fromkeys(search)))
        if module in _top_level_names(distribution)
    }


def _with_required(
    installed: Mapping[str, Distribution], search: Sequence[str], ours: set[str]
) -> dict[str, Distribution]:
    """The distributions and those in `search` that they require, in turn; none of `ours`."""
    if not installed.keys() - ours:
        return {}
    known: dict[str, Distribution] = {}
    for each in metadata.distributions(path=list(dict.fromkeys(search))):
        known.setdefault(_normalised(each.name), each)
    known |= installed
    found: dict[str, Distribution] = {}
    waiting = list(installed)
    while waiting:
        name = waiting.pop()
        if name in found or name in ours or name not in known:
            continue
        found[name] = known[name]
        needed = (line for line in known[name].requires or () if "extra ==" not in line)
        waiting += (_normalised(REQUIRED.split(line, maxsplit=1)[0]) for line in needed)
    return found


def _top_level_names(distribution: Distribution) -> set[str]:
    """The top-level names that a distribution provides, as it declares or as its files show."""
    declared = distribution.read_text("top_level.txt")
    if declared is not None:
        return set(declared.split())
    record = distribution.read_text("RECORD") or ""
    return {
        line.partition("/")[0].partition(",")[0].partition(".")[0] for line in record.splitlines()
    }


def _installed(distribution: Distribution) -> list[str]:
    """Version and digest of the list of files of a distribution."""
    record = distribution.read_text("RECORD") or ""
    return [distribution.version, sha256(record.encode()).hexdigest()]


def _normalised(name: str) -> str:
    """A distribution's name, normalised for comparison (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()
