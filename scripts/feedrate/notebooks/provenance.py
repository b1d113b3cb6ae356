"""What is behind a code cell: those that it needs, the data they read, the library's code."""

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from feedrate.notebooks.execution import Project, needed_by
from feedrate.notebooks.names import with_needed
from feedrate.notebooks.section import Section
from feedrate.reading import sha256


@dataclass(frozen=True)
class Function:
    """A function of the library: its dotted name, and its source with its module's helpers."""

    name: str
    source: str


def provenance(section: Section, project: Project) -> dict[int, dict[str, Any]]:
    """For each code cell, by position: `needs`, `inputs` and `functions`, as JSON has them.

    `needs` are positions of earlier code cells; `inputs` maps each data file that the code cell or
    one of these declares to its SHA-256; `functions` are those of the library that it names.
    """
    positions, cells, needed = section.code_positions, section.code_cells, needed_by(section)
    found = {}
    for index, position in enumerate(positions):
        chosen = with_needed([index], needed)
        files = sorted({name for each in chosen for name in cells[each].data})
        imports = [cells[each].source for each in chosen]
        functions = library_functions(cells[index].source, imports, project.code)
        found[position] = {
            "needs": [positions[each] for each in chosen if each != index],
            "inputs": {name: sha256(project.results / name) for name in files},
            "functions": [{"name": each.name, "source": each.source} for each in functions],
        }
    return found


def library_functions(source: str, imports: Sequence[str], code: Path) -> list[Function]:
    """The functions of modules in the folder `code` that `source` names, in order of appearance.

    `imports` are the sources in which they are imported. A function comes with the functions of
    its own module that it uses, directly or not.
    """
    imported = dict(_imported_functions(imports))
    named = dict.fromkeys(
        node.id for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name)
    )
    found = []
    for module, name in (imported[each] for each in named if each in imported):
        file = code.joinpath(*module.split(".")).with_suffix(".py")
        if file.is_file() and (text := _with_helpers(name, file.read_text(encoding="utf-8"))):
            found.append(Function(f"{module}.{name}", text))
    return found


def _imported_functions(sources: Iterable[str]) -> Iterator[tuple[str, tuple[str, str]]]:
    """Everything that is imported by name: as what, from which module, and its name there."""
    for source in sources:
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.ImportFrom) and node.module:
                for alias in node.names:
                    yield alias.asname or alias.name, (node.module, alias.name)


def _with_helpers(name: str, module: str) -> str:
    """The source of the function `name` and of those of its module that it uses; "" if none."""
    defined = {
        node.name: node for node in ast.parse(module).body if isinstance(node, ast.FunctionDef)
    }
    wanted, waiting = [], [name]
    while waiting:
        each = waiting.pop(0)
        if each in defined and each not in wanted:
            wanted.append(each)
            waiting.extend(
                node.id for node in ast.walk(defined[each]) if isinstance(node, ast.Name)
            )
    return "\n\n\n".join(_source(defined[each], module) for each in wanted)


def _source(function: ast.FunctionDef, module: str) -> str:
    first = min([function.lineno, *(each.lineno for each in function.decorator_list)])
    return "\n".join(module.splitlines()[first - 1 : function.end_lineno])
