"""All that was decided about a run, as decisions.json holds it."""

from dataclasses import dataclass

from feedrate.analysis.advice import Advice
from feedrate.analysis.samples import SessionMatch
from feedrate.analysis.steadiness import Steadiness
from feedrate.statistics.stopping import Stopping


@dataclass(frozen=True)
class Decisions:
    """An Advice per condition, every later session, and why open-ended rounds stopped.

    `stopping` is by combination of condition and settings.
    """

    advice: tuple[Advice, ...]
    sessions: tuple[SessionMatch, ...]
    steadiness: Steadiness
    stopping: dict[str, Stopping]
