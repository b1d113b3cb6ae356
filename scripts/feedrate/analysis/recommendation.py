"""The recommendation for a condition, in the words that terminal, page and links share.

Imported whenever the Snakefile is read: statistics and pandas, which take a second, are not.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from feedrate.reading import read_as
from feedrate.wording import counted_workers

if TYPE_CHECKING:
    from feedrate.analysis.advice import Advice

HELP = {
    "faster": "workers help",
    "equivalent": "workers don't help here",
    "slower": "workers don't help here",
    "undecided": "not decided whether workers help",
}
"""Whether workers help, by the verdict on the throughput with them over that without."""

NOT_COMPARED = "not compared with loading without workers"


@dataclass(frozen=True)
class Ratio:
    """The part of a Comparison that is shown: the ratio of throughputs with its 95 % interval."""

    ratio: float
    low: float
    high: float


@dataclass(frozen=True)
class Recommendation:
    """The part of an Advice that is put into words here."""

    condition: str
    device: str
    workers: int
    proven: bool
    compared_workers: int | None
    gain: Ratio | None
    help: str


@dataclass(frozen=True)
class _Decided:
    advice: tuple[Recommendation, ...]


def read_recommendations(decisions: Path) -> tuple[Recommendation, ...]:
    """The recommendations in the file decisions.json, whatever else it holds.

    ValueError for a file of another form.
    """
    return read_as(_Decided, decisions).advice


def standing(each: "Recommendation | Advice") -> str:
    """How sure the recommendation is."""
    return "proven" if each.proven else "best estimate"


def times_none(each: "Recommendation | Advice") -> str | None:
    """`2.98 [2.90–3.06]`: throughput over that without workers; None where it wasn't compared.

    A number of workers other than the recommended one follows in parentheses.
    """
    if each.gain is None:
        return None
    size = f"{each.gain.ratio:.2f} [{each.gain.low:.2f}–{each.gain.high:.2f}]"
    compared = each.compared_workers
    return size if compared == each.workers else f"{size} ({compared})"


def answer_in_words(advice: "Iterable[Recommendation | Advice]") -> str:
    """The answer in a sentence per condition, for those who link to the page."""
    return " ".join(
        f"{each.condition}: {_workers(each)}; {each.help}"
        f"{' (emulated device)' if each.device == 'emulated' else ''}."
        for each in advice
    )


def conclusion(results: Path) -> list[str]:
    """What matters at the end of a run: a line per condition and the report, if it was made."""
    decisions, page = results / "decisions.json", results / "report.html"
    lines = [_line(each) for each in read_recommendations(decisions)] if decisions.exists() else []
    return [*lines, f"the report: {page}"] if page.exists() else lines


def _line(each: Recommendation) -> str:
    from feedrate.statistics.plateau import NEAR_BEST

    basis = (
        f", proven to come within {100 * NEAR_BEST:.0f} % of the best"
        if each.proven
        else " (the best estimate, not proven)"
    )
    size = (
        f" ({counted_workers(each.compared_workers)}: {each.gain.ratio:.2f} times none, "
        f"95 % interval {each.gain.low:.2f} to {each.gain.high:.2f})"
        if each.gain and each.compared_workers is not None
        else ""
    )
    label = " [emulated device]" if each.device == "emulated" else ""
    return f"{each.condition}: {_workers(each)}{basis}; {each.help}{size}{label}"


def _workers(each: "Recommendation | Advice") -> str:
    return counted_workers(each.workers) + ("" if each.proven else " for the time being")
