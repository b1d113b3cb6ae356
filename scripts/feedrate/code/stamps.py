"""A stamp of the code that a command runs: a short text, different for different code."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path

from feedrate.code.imports import ImportGraph


def code_stamps(entries: Mapping[str, Sequence[Path]], root: Path) -> dict[str, str]:
    """For each name a digest of its entries and of all that they import below `root`.

    Every byte of these files counts: what runs again after a changed comment is cheap.
    """
    graph = ImportGraph(root)
    digest_of = cache(_digest)
    return {
        name: _stamp(graph.closure(files), root.resolve(), digest_of)
        for name, files in entries.items()
    }


def _stamp(files: Sequence[Path], root: Path, digest_of: Callable[[Path], str]) -> str:
    listed = (f"{_place(file, root)} {digest_of(file)}\n" for file in files)
    return hashlib.sha256("".join(listed).encode()).hexdigest() + "\n"


def _place(file: Path, root: Path) -> str:
    return str(file.relative_to(root) if file.is_relative_to(root) else file.name)


def _digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()
