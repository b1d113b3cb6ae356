"""A section of the report: a percent-format script, read into cells and written as a notebook."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import jupytext

from feedrate.notebooks.keys import CodeCell

Output = dict[str, Any]


class SectionError(Exception):
    """What is wrong with a section, in words for its author."""


@dataclass(frozen=True)
class Section:
    """The file, and its cells in order as notebook cells without outputs."""

    path: Path
    cells: tuple[Mapping[str, Any], ...]

    @property
    def name(self) -> str:
        """The file's name without its ending."""
        return self.path.stem

    @property
    def code_positions(self) -> list[int]:
        """Where among the cells the code cells with something to execute are."""
        return [
            position
            for position, cell in enumerate(self.cells)
            if cell["cell_type"] == "code" and cell["source"].strip()
        ]

    @property
    def code_cells(self) -> list[CodeCell]:
        """The cells at `code_positions`."""
        cells = (self.cells[position] for position in self.code_positions)
        return [CodeCell(cell["source"], tuple(cell["metadata"].get("data", ()))) for cell in cells]

    def place(self, position: int) -> str:
        """The cell at `position`, so that its author finds it: file, number, first line."""
        first_line = self.cells[position]["source"].strip().partition("\n")[0]
        return f"{self.path}, cell {position + 1} ({first_line})"


def read_section(path: Path) -> Section:
    """The section in the percent-format script `path`.

    Raises SectionError for a header whose `data` is not a list of file names.
    """
    notebook = jupytext.reads(path.read_text(encoding="utf-8"), fmt="py:percent")
    section = Section(path, tuple(notebook["cells"]))
    for position in section.code_positions:
        data = section.cells[position]["metadata"].get("data", [])
        if not (isinstance(data, list) and all(isinstance(name, str) for name in data)):
            raise SectionError(f'{section.place(position)}: write data=["file", ...], not {data!r}')
    return section


def with_prose_of(section: Section, translation: Section) -> Section:
    """`section` with the prose cells of `translation`, which holds as many, in the same order.

    Raises SectionError if their numbers differ.
    """
    prose = [cell for cell in translation.cells if cell["cell_type"] == "markdown"]
    places = [place for place, cell in enumerate(section.cells) if cell["cell_type"] == "markdown"]
    if len(prose) != len(places) or len(prose) != len(translation.cells):
        raise SectionError(
            f"{translation.path}: write {len(places)} prose cells and no code, one for each of "
            f"{section.path}"
        )
    cells = dict(enumerate(section.cells)) | dict(zip(places, prose, strict=True))
    return replace(section, cells=tuple(cells[place] for place in range(len(cells))))


def as_notebook(
    section: Section,
    prose: Mapping[int, str],
    outputs: Mapping[int, Sequence[Output]],
    behind: Mapping[int, Mapping[str, Any]],
    language: str,
) -> str:
    """The section as .ipynb text: `prose`, `outputs` and what is `behind` them by position.

    `language` is that of the prose.

    The same section gives the same bytes: no times, no counters, no random ids.
    """
    cells = []
    for position, cell in enumerate(section.cells):
        written = {
            "id": f"{section.name}-{position + 1}",
            "cell_type": cell["cell_type"],
            "metadata": {key: cell["metadata"][key] for key in ("data",) if key in cell["metadata"]}
            | ({"behind": behind[position]} if position in behind else {}),
            "source": prose.get(position, cell["source"]),
        }
        if cell["cell_type"] == "code":
            written |= {"execution_count": None, "outputs": list(outputs.get(position, ()))}
        cells.append(written)
    notebook = {
        "cells": cells,
        "metadata": {"language_info": {"name": "python"}, "prose_language": language},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(notebook, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
