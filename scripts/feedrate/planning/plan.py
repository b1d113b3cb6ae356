"""The plan: the cells in their order, as the file that the rest of the pipeline reads."""

import json
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from feedrate.configuration.model import Experiment
from feedrate.planning.cells import Cell, Combination, anchors, expand
from feedrate.planning.specification import (
    INSTRUMENTED_ARMS,
    Specification,
    Surroundings,
    cell_path,
    specification,
)


@dataclass(frozen=True)
class PlannedCell:
    """A cell's place below the results folder, its rank in the order, and its specification."""

    path: str
    rank: int
    specification: Specification

    @property
    def combination(self) -> str:
        """Condition and settings as the folder of the cell's path, such as `light/workers-0_…`."""
        return self.path.removeprefix("cells/").rpartition("/")[0]


@dataclass(frozen=True)
class Plan:
    """`cells` in the order in which they are measured, and the experiment that they come from.

    `reserve` are the cells of `repetitions: auto` that are measured one round at a time, as long
    as they are needed; `sentinel` is the combination that is measured in every round; `sweeps`
    names the combinations of each sweep.
    """

    experiment: dict[str, Any]
    cells: tuple[PlannedCell, ...]
    reserve: tuple[PlannedCell, ...]
    sentinel: str | None
    sweeps: dict[str, list[str]]
    not_applicable: tuple[dict[str, str], ...]

    def as_json(self) -> str:
        """The plan as text, the same bytes for the same plan."""
        return json.dumps(asdict(self), indent=1) + "\n"


def make_plan(
    experiment: Experiment,
    around: Surroundings,
    later_sessions: Sequence[str] = (),
) -> Plan:
    """Every cell of `experiment` under these surroundings, with its content-addressed path.

    Each of `later_sessions` gets anchors: the sentinel once more in its first rounds.
    """
    expansion = expand(experiment, around.device)
    added = [
        anchor
        for session in later_sessions
        if expansion.sentinel
        for anchor in anchors(expansion.sentinel, session, experiment.sessions.anchor_repetitions)
    ]
    # Sorting is stable: an anchor comes first in its round, among the cells that are missing.
    ordered = sorted([*added, *expansion.cells], key=_round)
    planned = list(_planned(ordered, experiment, around))
    reserve = list(_planned(expansion.reserve, experiment, around, start=len(planned)))
    return Plan(
        experiment=experiment.model_dump(),
        cells=tuple(planned),
        reserve=tuple(reserve),
        sentinel=_named(expansion.sentinel) if expansion.sentinel else None,
        sweeps={name: [*map(_named, members)] for name, members in expansion.sweeps.items()},
        not_applicable=tuple(asdict(entry) for entry in expansion.not_applicable),
    )


def _round(cell: Cell) -> float:
    """The round of a cell; what is instrumented comes after all of them."""
    return math.inf if cell.arm in INSTRUMENTED_ARMS else cell.repetition


def _planned(
    cells: Iterable[Cell], experiment: Experiment, around: Surroundings, start: int = 0
) -> Iterator[PlannedCell]:
    for rank, cell in enumerate(cells, start=start + 1):
        content = specification(cell, experiment, around)
        yield PlannedCell(cell_path(cell, content), rank, content)


def _named(combination: Combination) -> str:
    condition, settings = combination
    return f"{condition}/{settings.slug}"


def read_plan(path: Path) -> Plan:
    """The plan in the file `path`."""
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return Plan(
        experiment=content["experiment"],
        cells=tuple(PlannedCell(**cell) for cell in content["cells"]),
        reserve=tuple(PlannedCell(**cell) for cell in content["reserve"]),
        sentinel=content["sentinel"],
        sweeps=content["sweeps"],
        not_applicable=tuple(content["not_applicable"]),
    )


def missing_cells(plan: Plan, results: Path) -> Iterator[PlannedCell]:
    """The cells of `plan` that nobody has measured yet, in their order."""
    return (cell for cell in plan.cells if not (results / cell.path).exists())


def unplanned_cells(plan: Plan, results: Path) -> list[Path]:
    """The cell files below `results` that `plan` doesn't name, sorted."""
    planned = {results / cell.path for cell in (*plan.cells, *plan.reserve)}
    return sorted(file for file in results.glob("cells/*/*/*.json") if file not in planned)
