"""The project behind a run: the files that another machine needs to plan and measure it again."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from feedrate.code.user import user_files
from feedrate.planning.specification import dotted_paths
from feedrate.publishing.checksums import files_below

PARTS = (
    *("Snakefile", "workflow", "scripts", "report", "profiles", "envs"),
    *("Makefile", "README.md", "CITATION.cff", "LICENSE"),
)
"""The folders whose files count, and the files beside them. Tests, data and results don't."""


def project_files(project: Path) -> dict[str, Path]:
    """Every file of `project` that belongs to its PARTS, by its path in it.

    The configuration isn't among them: a run has its own, merged from several files. What
    programs keep for themselves, hidden files and compiled modules, is left out.
    """
    return {name: path for part in PARTS for name, path in _files_of(project, part)}


def _files_of(project: Path, part: str) -> Iterator[tuple[str, Path]]:
    if (project / part).is_file():
        yield part, project / part
    for name, path in files_below(project / part).items():
        if not any(each.startswith(".") or each == "__pycache__" for each in name.split("/")):
            yield f"{part}/{name}", path


def user_modules(project: Path, conditions: dict[str, Any]) -> dict[str, Path]:
    """The modules of the user's own transforms, by the path below which Python finds them.

    They are those that the dotted paths in `conditions` lead to, and what these import; what is
    installed isn't among them.
    """
    files = user_files(
        dotted_paths(list(conditions.values())), [os.getcwd(), *sys.path, str(project)]
    )
    return {_place(module, file): file for module, file in files.items()}


def _place(module: str, file: Path) -> str:
    parts = module.split(".") + ([file.stem] if file.stem == "__init__" else [])
    return "/".join(parts) + file.suffix
