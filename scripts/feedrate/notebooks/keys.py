"""The key of a code cell: everything that can change what it shows."""

import platform
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from pathlib import Path

from feedrate.canonical import digest
from feedrate.code.behaviour import code_digest, source_digest
from feedrate.code.imports import first_party_closure, imported_files
from feedrate.reading import sha256

PACKAGES = (
    *("ipykernel", "jupytext", "matplotlib", "mistune", "nbclient", "numpy", "pandas", "scipy"),
    "seaborn",
)


@dataclass(frozen=True)
class CodeCell:
    """A code cell: its source, and the data files it declares, relative to the results folder."""

    source: str
    data: tuple[str, ...] = ()


def cell_keys(
    cells: Sequence[CodeCell], needed: Sequence[Sequence[int]], code: Path, results: Path
) -> list[str]:
    """One SHA-256, in hex, for each code cell; `needed` are the earlier ones that each needs.

    `code` is the folder of the first-party modules. Raises FileNotFoundError for absent data.
    """
    keys: list[str] = []
    for cell, earlier in zip(cells, needed, strict=True):
        modules = first_party_closure(imported_files(cell.source, code), code)
        keys.append(
            digest(
                {
                    "source": source_digest(cell.source),
                    "needs": [keys[index] for index in earlier],
                    "data": {name: sha256(results / name) for name in cell.data},
                    "modules": code_digest(modules, code),
                    "packages": versions(),
                }
            )
        )
    return keys


@cache
def versions() -> dict[str, str]:
    """Version by name of the packages that draw and execute; an absent one is left out."""
    found = {"python": platform.python_version()}
    for name in PACKAGES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found
