"""A section executed: only the code cells that are stale, in one kernel, or in none."""

import json
import os
from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from feedrate.files import write_atomically
from feedrate.notebooks.keys import cell_keys
from feedrate.notebooks.names import needed_cells, with_needed
from feedrate.notebooks.results import FOLDER
from feedrate.notebooks.section import Output, Section, SectionError


@dataclass(frozen=True)
class Project:
    """Where things are: the project's root, its first-party modules, the results folder."""

    root: Path
    code: Path
    results: Path

    def cached(self, key: str) -> Path:
        """The file with the outputs of the code cell with this key."""
        return self.results / ".report-cache" / f"{key}.json"

    def environment(self) -> dict[str, str]:
        """The environment variables of a kernel: this process's own, and the project's."""
        path = [str(self.code.resolve()), *filter(None, [os.environ.get("PYTHONPATH")])]
        return os.environ | {
            "PYTHONPATH": os.pathsep.join(path),
            "PYTHONHASHSEED": "0",
            # The kernel's own backend would show every figure left open, a second time.
            "MPLBACKEND": "agg",
            FOLDER: str(self.results.resolve()),
        }


@dataclass(frozen=True)
class Execution:
    """The outputs of a section's code cells by their position, and how many were executed."""

    outputs: dict[int, list[Output]]
    executed: int


def execute_section(section: Section, project: Project) -> Execution:
    """Execute the section's stale code cells and the earlier ones they need; recall the others.

    The outputs of a code cell are kept under its key. Raises SectionError, with the place, for one
    that fails, that is not Python, or that declares a file that is not there.
    """
    positions = section.code_positions
    needed = needed_by(section)
    keys = _keys(section, needed, project)
    stale = [index for index, key in enumerate(keys) if not project.cached(key).is_file()]
    chosen = with_needed(stale, needed)
    if chosen:
        for index, outputs in zip(chosen, run(section, chosen, project), strict=True):
            write_atomically(project.cached(keys[index]), json.dumps(outputs, sort_keys=True))
    recalled = [json.loads(project.cached(key).read_text(encoding="utf-8")) for key in keys]
    return Execution(dict(zip(positions, recalled, strict=True)), len(chosen))


def run(
    section: Section, indexes: Sequence[int], project: Project
) -> Generator[list[Output], None, None]:
    """Run these of the section's code cells in one new kernel; the outputs of each, in turn.

    Nothing is looked up or kept. Raises SectionError for a code cell that fails.
    """
    # Takes 0.3 s, which a section with nothing to execute doesn't need.
    from feedrate.notebooks.kernel import CodeCellError, run_cells

    cells = [section.code_cells[index] for index in indexes]
    with closing(run_cells(cells, project.root, project.environment())) as outputs:
        for index in indexes:
            try:
                yield next(outputs)
            except CodeCellError as error:
                place = section.place(section.code_positions[index])
                raise SectionError(f"{place}: {error}") from error


def split_noise(outputs: Sequence[Output]) -> tuple[list[Output], str]:
    """The outputs to show, and what the code cell wrote to stderr, which belongs in the log."""
    shown = [output for output in outputs if output.get("name") != "stderr"]
    return shown, "".join(output["text"] for output in outputs if output.get("name") == "stderr")


def needed_by(section: Section) -> list[list[int]]:
    """For each code cell the earlier ones that it needs directly; SectionError if not Python."""
    for position, cell in zip(section.code_positions, section.code_cells, strict=True):
        try:
            compile(cell.source, "cell", "exec", dont_inherit=True)
        except SyntaxError as error:
            raise SectionError(f"{section.place(position)}: not Python: {error}") from error
    return needed_cells([cell.source for cell in section.code_cells])


def _keys(section: Section, needed: Sequence[Sequence[int]], project: Project) -> list[str]:
    for position, cell in zip(section.code_positions, section.code_cells, strict=True):
        for name in cell.data:
            if not (project.results / name).is_file():
                raise SectionError(
                    f"{section.place(position)}: declares {name!r}, "
                    f"which is not in {project.results}"
                )
    return cell_keys(section.code_cells, needed, project.code, project.results)
