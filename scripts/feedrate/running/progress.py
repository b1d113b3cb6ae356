"""What the user reads while cells are measured."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from feedrate.analysis.answers import counted_workers
from feedrate.planning.duration import human_duration, measured_seconds, remaining_seconds
from feedrate.planning.plan import Plan, PlannedCell, missing_cells
from feedrate.planning.specification import Specification
from feedrate.running.supervision import last_line

RECENT_CELLS = 50


def cell_name(specification: Specification) -> str:
    """`augmented, 4 workers, repetition 2`."""
    workers = counted_workers(specification["loader"]["num_workers"])
    condition, repetition = specification["condition"]["name"], specification["repetition"]
    return f"{condition}, {workers}, repetition {repetition}"


def outlook(plan: Plan, results: Path) -> str:
    """How many cells are left to measure and how long that should take."""
    missing = list(missing_cells(plan, results))
    if not missing:
        return f"all {len(plan.cells)} cells are measured"
    seconds = remaining_seconds(
        [cell.specification for cell in missing],
        recently_measured(plan, results),
        results / "rehearsals",
    )
    time = "" if seconds is None else f", {human_duration(seconds)} left"
    return f"{len(plan.cells) - len(missing)} of {len(plan.cells)} cells measured{time}"


def recently_measured(plan: Plan, results: Path) -> list[tuple[Specification, float]]:
    """Specification and wall seconds of the cells that were measured last in the plan's order."""
    present = [cell for cell in plan.cells if (results / cell.path).exists()]
    return [
        (cell.specification, measured_seconds(record))
        for cell in present[-RECENT_CELLS:]
        for record in [json.loads((results / cell.path).read_text(encoding="utf-8"))]
    ]


def warm_images_per_second(record: Mapping[str, Any]) -> float:
    """The throughput of the last epoch of a cell's record."""
    epoch = record["measurement"]["epochs"][-1]
    return float(epoch["images"] / epoch["seconds"])


def failures(plan: Plan, results: Path, logs: Path) -> Iterator[str]:
    """A line for each cell that was tried and is missing, with its reason."""
    for cell in plan.cells:
        log = cell_log(cell, logs)
        if not (results / cell.path).exists() and log.exists():
            yield f"{cell_name(cell.specification)}: {last_line(log)} (log: {log})"


def cell_log(cell: PlannedCell, logs: Path) -> Path:
    """Where the measuring process of `cell` leaves its words."""
    return logs / Path(cell.path).with_suffix(".log")
