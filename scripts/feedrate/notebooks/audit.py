"""The audit: every code cell executed again, and compared with what the page shows."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from feedrate.notebooks.execution import Project, run, split_noise
from feedrate.notebooks.section import Section
from feedrate.page.messages import Messages
from feedrate.reading import read_json, sha256


@dataclass(frozen=True)
class Audit:
    """How many code cells were executed again, which of them differ, and in which notebooks.

    `notebooks` maps the name of each to its SHA-256, `date` is a day as ISO 8601 has it.
    """

    date: str
    cells: int
    different: tuple[str, ...]
    notebooks: Mapping[str, str]

    @property
    def identical(self) -> int:
        return self.cells - len(self.different)


def differing_cells(
    section: Section, notebook: Mapping[str, Any], project: Project
) -> Iterator[str]:
    """The places of the section's code cells whose outputs differ from those in `notebook`.

    Every code cell is executed, in one new kernel; nothing is taken from the cache.
    """
    indexes = range(len(section.code_positions))
    for position, outputs in zip(
        section.code_positions, run(section, indexes, project), strict=True
    ):
        shown, _ = split_noise(outputs)
        if shown != notebook["cells"][position]["outputs"]:
            yield section.place(position)


def notebook_digests(notebooks: Sequence[Path]) -> dict[str, str]:
    """The SHA-256 of each notebook, by its name."""
    return {file.name: sha256(file) for file in notebooks}


def badge(notebooks: Sequence[Path], audit: Path | None, messages: Messages) -> str:
    """What the page says about the audit in the file `audit`, if it was of these notebooks."""
    try:
        found = read_json(audit) if audit else {}
    except (OSError, ValueError):
        found = {}
    if found.get("notebooks") != notebook_digests(notebooks):
        return messages.word("not_audited")
    counts = messages.word("audited", identical=found["identical"], cells=found["cells"])
    return f"{counts} ({found['date']})"
