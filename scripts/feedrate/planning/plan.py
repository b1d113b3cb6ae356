"""The plan: the cells in their order, as the file that the rest of the pipeline reads."""

import json
import math
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from feedrate.canonical import canonical_json
from feedrate.configuration.model import Experiment
from feedrate.measurement.arm import Role
from feedrate.measurement.arms import ARMS
from feedrate.planning.cells import Cell, Combination, anchors, expand
from feedrate.planning.specification import (
    Specification,
    Surroundings,
    cell_path,
    images_of,
    role_of,
    specification,
)

NOT_MEASURED: Any = {
    "results": True,
    "dataset": {"folder", "sources", "local_folder"},
    "limits": True,
    "report": True,
}
"""Configuration keys that can't change a number: folders and limits of this machine, the page."""


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

    In `experiment`, `dataset.images` is always a number. `reserve` are the cells of
    `repetitions: auto` that are measured one round at a time, as long as they are needed;
    `sentinel` is the combination that is measured in every round; `sweeps` names the combinations
    of each sweep.
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


def make_plan(experiment: Experiment, around: Surroundings) -> Plan:
    """Every cell of `experiment` under these surroundings, with its content-addressed path.

    Watched cells rank after the cells in reserve: timing comes first.
    """
    expansion = expand(experiment, around.device)
    timed = [cell for cell in expansion.cells if ARMS[cell.arm].role is not Role.WATCHED]
    watched = [cell for cell in expansion.cells if ARMS[cell.arm].role is Role.WATCHED]
    planned, reserve, last = (
        tuple(_planned(cells, experiment, around, start))
        for cells, start in (
            (timed, 0),
            (expansion.reserve, len(timed)),
            (watched, len(timed) + len(expansion.reserve)),
        )
    )
    written = experiment.model_dump(exclude=NOT_MEASURED)
    written["dataset"]["images"] = images_of(experiment)
    return Plan(
        experiment=written,
        cells=(*planned, *last),
        reserve=reserve,
        sentinel=_named(expansion.sentinel) if expansion.sentinel else None,
        sweeps={name: [*map(_named, members)] for name, members in expansion.sweeps.items()},
        not_applicable=tuple(asdict(entry) for entry in expansion.not_applicable),
    )


def planned_anchors(
    sentinel: Combination, session: str, experiment: Experiment, around: Surroundings
) -> list[PlannedCell]:
    """The sentinel once more in the first rounds of `session`, not ranked yet."""
    cells = anchors(sentinel, session, experiment.sessions.anchor_repetitions)
    return list(_planned(cells, experiment, around, start=0))


def with_cells(plan: Plan, added: Iterable[PlannedCell]) -> Plan:
    """`plan` with more timed cells, each first in its round; all ranks are assigned again."""
    ordered = sorted([*added, *plan.cells], key=_round)
    timed = [cell for cell in ordered if _round(cell) < math.inf]
    watched = [cell for cell in ordered if _round(cell) == math.inf]
    ranked = [
        replace(cell, rank=rank)
        for rank, cell in enumerate([*timed, *plan.reserve, *watched], start=1)
    ]
    reserve = slice(len(timed), len(timed) + len(plan.reserve))
    return replace(
        plan,
        cells=(*ranked[: reserve.start], *ranked[reserve.stop :]),
        reserve=tuple(ranked[reserve]),
    )


def _round(cell: PlannedCell) -> float:
    """The round of a cell; watched cells come after all rounds."""
    watched = role_of(cell.specification) is Role.WATCHED
    return math.inf if watched else cell.specification["repetition"]


def _planned(
    cells: Iterable[Cell], experiment: Experiment, around: Surroundings, start: int
) -> Iterator[PlannedCell]:
    for rank, cell in enumerate(cells, start=start + 1):
        # As in a record: a plan must be the same text once its anchors are measured.
        content = json.loads(canonical_json(specification(cell, experiment, around)))
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
    """The cells of `plan` that haven't been measured yet, in their order."""
    return (cell for cell in plan.cells if not (results / cell.path).exists())


def unplanned_cells(plan: Plan, results: Path) -> list[Path]:
    """The cell files below `results` that `plan` doesn't name, sorted."""
    planned = {results / cell.path for cell in (*plan.cells, *plan.reserve)}
    return sorted(file for file in results.glob("cells/*/*/*.json") if file not in planned)
