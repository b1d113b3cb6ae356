"""The plan: the cells in their order, as the file that the rest of the pipeline reads."""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from feedrate.configuration.model import Experiment
from feedrate.planning.cells import expand
from feedrate.planning.specification import (
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


@dataclass(frozen=True)
class Plan:
    """`cells` in the order in which they are measured, and the experiment that they come from."""

    experiment: dict[str, Any]
    cells: tuple[PlannedCell, ...]
    sweeps: dict[str, list[str]]
    not_applicable: tuple[dict[str, str], ...]

    def as_json(self) -> str:
        """The plan as text, the same bytes for the same plan."""
        return json.dumps(asdict(self), indent=1) + "\n"


def make_plan(experiment: Experiment, around: Surroundings) -> Plan:
    """Every cell of `experiment` under these surroundings, with its content-addressed path."""
    expansion = expand(experiment, around.device)
    contents = [(cell, specification(cell, experiment, around)) for cell in expansion.cells]
    planned = tuple(
        PlannedCell(cell_path(cell, content), rank, content)
        for rank, (cell, content) in enumerate(contents, start=1)
    )
    return Plan(
        experiment=experiment.model_dump(),
        cells=planned,
        sweeps={
            name: [f"{condition}/{settings.slug}" for condition, settings in combinations]
            for name, combinations in expansion.sweeps.items()
        },
        not_applicable=tuple(asdict(entry) for entry in expansion.not_applicable),
    )


def read_plan(path: Path) -> Plan:
    """The plan in the file `path`."""
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return Plan(
        experiment=content["experiment"],
        cells=tuple(PlannedCell(**cell) for cell in content["cells"]),
        sweeps=content["sweeps"],
        not_applicable=tuple(content["not_applicable"]),
    )


def missing_cells(plan: Plan, results: Path) -> Iterator[PlannedCell]:
    """The cells of `plan` that nobody has measured yet, in their order."""
    return (cell for cell in plan.cells if not (results / cell.path).exists())


def unplanned_cells(plan: Plan, results: Path) -> list[Path]:
    """The cell files below `results` that `plan` doesn't name, sorted."""
    planned = {results / cell.path for cell in plan.cells}
    return sorted(file for file in results.glob("cells/*/*/*.json") if file not in planned)
