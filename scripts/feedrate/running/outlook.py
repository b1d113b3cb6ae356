"""How many cells are left and how long they should take: counted once, then cell by cell."""

import contextlib
import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from feedrate.planning.duration import (
    foretold_by,
    human_duration,
    measured_seconds,
)
from feedrate.planning.plan import Plan, missing_cells
from feedrate.planning.specification import Specification

OUTLOOK = "logs/outlook.json"
"""Where a run keeps it, below its results."""

RECENT_CELLS = 50
"""How many measured cells correct the forecast when a run starts."""


@dataclass(frozen=True)
class Outlook:
    """Where a run is.

    `cells` are the certain ones of the plan, `left` those still to be measured; `open_ended` says
    whether rounds may follow. The seconds are the forecasts for what is left and for what is done,
    and what the latter took.
    """

    cells: int
    left: int
    open_ended: bool
    foretold_left: float
    foretold_done: float
    taken: float

    def after(self, foretold: float, taken: float) -> "Outlook":
        """The outlook after one more cell: the seconds forecast for it, and those it has taken."""
        return replace(
            self,
            left=max(0, self.left - 1),
            foretold_left=max(0.0, self.foretold_left - foretold),
            foretold_done=self.foretold_done + foretold,
            taken=self.taken + taken,
        )

    @property
    def left_seconds(self) -> float:
        """The forecast for what is left, corrected by what was measured."""
        correction = self.taken / self.foretold_done if self.foretold_done else 1.0
        return self.foretold_left * correction

    def __str__(self) -> str:
        if not self.left:
            further = ", rounds are added as needed" if self.open_ended else ""
            return f"all {self.cells} cells are measured{further}"
        done = self.cells - self.left
        return f"{done} of {self.cells} cells measured, {human_duration(self.left_seconds)} left"


def outlook_of(plan: Plan, results: Path) -> Outlook:
    """The outlook of a run of `plan` that starts now; its cells must have been rehearsed."""
    missing = list(missing_cells(plan, results))
    foretold = foretold_by(results / "rehearsals")
    done, taken = _recently_measured(plan, results, foretold) if missing else (0.0, 0.0)
    return Outlook(
        cells=len(plan.cells),
        left=len(missing),
        open_ended=bool(plan.reserve),
        foretold_left=sum(foretold(cell.specification) for cell in missing),
        foretold_done=done,
        taken=taken,
    )


def _recently_measured(
    plan: Plan, results: Path, foretold: Callable[[Specification], float]
) -> tuple[float, float]:
    """Seconds foretold for the last cells in the plan's order that are measured, and taken."""
    present = [cell for cell in plan.cells if (results / cell.path).exists()]
    done = taken = 0.0
    for cell in present[-RECENT_CELLS:]:
        # What can't be read is refused by name later, by the aggregation.
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
            record = json.loads((results / cell.path).read_text(encoding="utf-8"))
            seconds = foretold(cell.specification), measured_seconds(record)
            done, taken = done + seconds[0], taken + seconds[1]
    return done, taken
