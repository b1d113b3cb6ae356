"""Operators on the best number of workers, which is itself uncertain."""

from collections.abc import Sequence
from typing import ClassVar

from feedrate.analysis.samples import Throughputs, throughputs
from feedrate.claims.evidence import Evidence, NoData
from feedrate.claims.grammar import Count, number_of
from feedrate.claims.operators.operator import RATIO, Estimate, Operator
from feedrate.claims.selection import no_cells, sweep
from feedrate.configuration.model import Name, Section
from feedrate.statistics.comparison import CONFIDENCE, TWO_ONE_SIDED
from feedrate.statistics.plateau import NEAR_BEST, best_over_best, plateau
from feedrate.wording import counted_workers


class OfSweep(Section, Operator):
    """An operator over the numbers of workers measured in one condition."""

    condition: Name

    def throughputs(self, evidence: Evidence) -> tuple[Throughputs, int]:
        """Those of the sweep, and how many rounds they have."""
        found = throughputs(sweep(self.condition, {}, evidence))
        return found, max(map(len, found.values()))

    @property
    def too_few(self) -> NoData:
        return NoData(f"too few rounds or worker counts in the sweep of {self.condition}")


class FewestNearBest(OfSweep):
    """The fewest workers within 5 % of the best throughput.

    From the fewest not excluded to the fewest proven to be near the best. Where none is proven, the
    best itself may be any that is not excluded, and it is near itself.
    """

    unit: ClassVar = "workers"

    def evaluate(self, evidence: Evidence, confidence: float) -> Estimate:
        measured, rounds = self.throughputs(evidence)
        found = plateau(measured)
        if found is None:
            raise self.too_few
        ratios = found.over_best_other
        return Estimate(
            min(level for level, (ratio, *_) in ratios.items() if ratio > 1 - NEAR_BEST),
            found.smallest_not_excluded,
            max(found.not_excluded) if found.smallest_proven is None else found.smallest_proven,
            f"fewest workers within {100 * NEAR_BEST:.0f} % of the best, {self.condition}",
            CONFIDENCE,
            rounds,
        )


class OverBestOther(OfSweep):
    """A number's throughput over that of the best of the others.

    With the bounds that prove a setting near the best, or exclude it. The best is picked by the
    same values, so that a ratio to it would look too certain: to itself it is 1, however noisy
    the rounds.
    """

    unit: ClassVar = RATIO
    num_workers: Count

    def evaluate(self, evidence: Evidence, confidence: float) -> Estimate:
        measured, rounds = self.throughputs(evidence)
        found = plateau(measured)
        if found is None:
            raise self.too_few
        workers = number_of(self.num_workers, measured, evidence.facts)
        text = f"{self.condition} with {counted_workers(workers)}"
        if workers not in found.over_best_other:
            raise no_cells(text, self.num_workers, measured)
        subject = f"warm throughput, {text}, over that of the best other number of workers"
        return Estimate(*found.over_best_other[workers], subject, TWO_ONE_SIDED, rounds)


class BestOverBest(OfSweep):
    """The best throughput above a number of workers over the best up to it."""

    unit: ClassVar = RATIO
    above: Count

    def evaluate(self, evidence: Evidence, confidence: float) -> Estimate:
        measured, rounds = self.throughputs(evidence)
        number = number_of(self.above, measured, evidence.facts)
        above = [workers for workers in measured if workers > number]
        up_to = [workers for workers in measured if workers <= number]
        for group, which in ((above, "more than"), (up_to, "at most")):
            if not group:
                text = f"{self.condition} with {which} {counted_workers(number)}"
                raise no_cells(text, number, measured)
        found = best_over_best(measured, above, up_to)
        if found is None:
            raise self.too_few
        subject = (
            f"warm throughput, {self.condition} with the best of {_listed(above)} workers, "
            f"over the best of {_listed(up_to)}"
        )
        return Estimate(*found, subject, TWO_ONE_SIDED, rounds)


def _listed(numbers: Sequence[int]) -> str:
    *first, last = map(str, numbers)
    return f"{', '.join(first)} or {last}" if first else last
