"""What the user sees while cells are measured."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from feedrate.measurement.arm import Scope
from feedrate.measurement.arms import ARMS
from feedrate.planning.plan import Plan, PlannedCell
from feedrate.planning.records import warm_images_per_second
from feedrate.planning.settings import by_default, settings_in_words, settings_of
from feedrate.planning.specification import Specification
from feedrate.running.supervision import last_line


def cell_name(specification: Specification) -> str:
    """`augmented, 4 workers, pinned, repetition 2`: default settings aren't named."""
    arm, condition = ARMS[specification["arm"]], specification["condition"]
    settings = settings_of(specification)
    usual = by_default(settings, specification["device"]["name"])
    parts = [
        condition["name"] if condition else None,
        settings_in_words(settings, usual) if arm.scope is Scope.SETTINGS else None,
        arm.label,
        f"repetition {specification['repetition']}",
    ]
    return ", ".join(filter(None, parts))


def outcome(record: Mapping[str, Any]) -> str:
    """What a cell's record says, in a few words."""
    reason = record["measurement"].get("not_applicable")
    if reason:
        return f"not applicable: {reason}"
    return f"{warm_images_per_second(record):,.0f} images/s warm"


def failures(plan: Plan, results: Path, logs: Path) -> Iterator[str]:
    """A line for each cell that was tried and is missing, with its reason."""
    for cell in (*plan.cells, *plan.reserve):
        log = cell_log(cell, logs)
        if not (results / cell.path).exists() and log.exists():
            yield f"{cell_name(cell.specification)}: {last_line(log)} (log: {log})"


def cell_log(cell: PlannedCell, logs: Path) -> Path:
    """The log of the measuring process of `cell`."""
    return logs / Path(cell.path).with_suffix(".log")
