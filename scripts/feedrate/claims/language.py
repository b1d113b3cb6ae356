"""An expression, evaluated: an estimate with its interval."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats  # type: ignore[import-untyped]

from feedrate.claims.evidence import FACTS, Evidence
from feedrate.claims.grammar import (
    Cells,
    Compare,
    Difference,
    DividedSweep,
    Growth,
    Pair,
    Ratio,
    Runs,
    Sweep,
    SweepCell,
)
from feedrate.claims.metrics import METRICS
from feedrate.claims.selection import (
    NoData,
    Round,
    Sample,
    cores,
    growth,
    known_number,
    no_cells,
    runs,
    sample,
    throughputs,
    worker_count,
)
from feedrate.statistics.comparison import CONFIDENCE, compare
from feedrate.statistics.intervals import median_interval
from feedrate.statistics.plateau import NEAR_BEST, Plateau, best_over_best, plateau
from feedrate.wording import counted_workers

TWO_ONE_SIDED = 2 * CONFIDENCE - 1
"""Two one-sided tests at 5 % are a 90 % interval within the bounds (Schuirmann 1987)."""

FEWEST_EPOCHS = 5
"""Below five points a slope has no 95 % interval."""


@dataclass(frozen=True)
class Estimate:
    """What an expression comes to, in `unit`.

    `low` and `high` are None where the interval is unknown. `coverage` is the probability that
    such an interval holds the true value, None where it has none. `rounds` counts the rounds,
    None where there are none. `basis` says what the interval rests on and `subject` what was
    compared, in words. `certain` allows a verdict without an interval: a fact, or a resource
    that was observed once.
    """

    estimate: float
    low: float | None
    high: float | None
    unit: str
    basis: str
    subject: str
    coverage: float | None = None
    rounds: int | None = None
    certain: bool = False


@dataclass(frozen=True)
class NotTestable:
    """Why an expression has no value on this machine."""

    reason: str


def evaluate(
    expression: Compare, evidence: Evidence, equivalence: bool = False
) -> Estimate | NotTestable:
    """The estimate of `expression`, with a 95 % interval, 90 % to show an `equivalence`.

    Ratios come from the mean of the log-ratios and differences from the mean difference, both
    paired within rounds, with Student's t; values from `median_interval`; slopes from Theil and
    Sen (Sen 1968) over the warm epochs; what concerns the best from `plateau`.
    """
    try:
        match expression:
            case Compare(ratio=Ratio() as pair):
                return _ratio(pair, evidence, equivalence)
            case Compare(difference=Difference() as pair):
                return _difference(pair, evidence, equivalence)
            case Compare(value=Cells() as cells):
                return _value(cells, evidence)
            case Compare(range=Runs() as selected):
                return _range(selected, evidence)
            case Compare(slope=Growth() as selected):
                return _slope(selected, evidence)
            case Compare(fewest_near_best=Sweep() as sweep):
                return _fewest_near_best(sweep, evidence)
            case Compare(over_best_other=SweepCell() as cell):
                return _over_best_other(cell, evidence)
            case Compare(best_over_best=DividedSweep() as sweep):
                return _best_over_best(sweep, evidence)
            case Compare(fact=str() as name):
                return _fact(name, evidence)
        raise ValueError(f"no expression: {expression}")
    except NoData as reason:
        return NotTestable(str(reason))


def _ratio(pair: Ratio, evidence: Evidence, equivalence: bool) -> Estimate:
    one, other = _operands(pair, evidence)
    above, below = _paired(one, other)
    subject = _subject(pair, one, other, "over")
    unit = Compare(ratio=pair).unit
    if min(*above, *below) <= 0:
        raise NoData(f"a ratio needs values above zero: {subject}")
    shown = compare(above, below)
    if shown is None:
        return _single(above[0] / below[0], unit, subject, one.rounds)
    low, high = (shown.low90, shown.high90) if equivalence else (shown.low, shown.high)
    return Estimate(
        shown.ratio,
        low,
        high,
        unit,
        _rounds_text(shown.rounds),
        subject,
        TWO_ONE_SIDED if equivalence else CONFIDENCE,
        shown.rounds,
    )


def _difference(pair: Difference, evidence: Evidence, equivalence: bool) -> Estimate:
    one, other = _operands(pair, evidence)
    above, below = _paired(one, other)
    subject = _subject(pair, one, other, "less")
    unit = Compare(difference=pair).unit
    differences = np.array(above) - np.array(below)
    count, mean = len(differences), float(differences.mean())
    if count < 2:
        return _single(mean, unit, subject, one.rounds)
    coverage = TWO_ONE_SIDED if equivalence else CONFIDENCE
    quantile = float(stats.t.ppf((1 + coverage) / 2, count - 1))
    margin = quantile * float(differences.std(ddof=1)) / math.sqrt(count)
    return Estimate(
        mean, mean - margin, mean + margin, unit, _rounds_text(count), subject, coverage, count
    )


def _value(cells: Cells, evidence: Evidence) -> Estimate:
    found = sample(cells, evidence)
    metric = METRICS[cells.metric]
    subject = f"{metric.meaning}, {found.text}"
    values = list(found.values.values())
    interval = median_interval(values)
    if interval is None:
        return _single(values[0], metric.unit, subject, found.rounds)
    return Estimate(
        interval.median,
        interval.low,
        interval.high,
        metric.unit,
        _rounds_text(len(values)),
        subject,
        interval.coverage,
        len(values),
    )


def _range(selected: Runs, evidence: Evidence) -> Estimate:
    values = runs(selected, evidence)
    metric = METRICS[selected.metric]
    where = f"{selected.condition}, " if selected.condition else ""
    subject = f"{metric.meaning}, {where}more than {counted_workers(selected.workers_above)}"
    basis = "range over 1 run" if len(values) == 1 else f"range over {len(values)} runs"
    return Estimate(float(np.median(values)), min(values), max(values), metric.unit, basis, subject)


def _slope(selected: Growth, evidence: Evidence) -> Estimate:
    by_epoch = growth(selected, evidence)
    if len(by_epoch) < FEWEST_EPOCHS:
        raise NoData(
            f"{len(by_epoch)} warm epochs of condition {selected.condition} in the arm leak; "
            f"a trend needs {FEWEST_EPOCHS}"
        )
    slope, _, low, high = stats.theilslopes([*by_epoch.values()], [*by_epoch], CONFIDENCE)
    return Estimate(
        float(slope),
        float(low),
        float(high),
        Compare(slope=selected).unit,
        f"{len(by_epoch)} warm epochs",
        f"trend of {METRICS[selected.metric].meaning}, {selected.condition}",
        CONFIDENCE,
    )


def _fewest_near_best(sweep: Sweep, evidence: Evidence) -> Estimate:
    """From the fewest not excluded to the fewest proven to be near the best.

    Where none is proven, the best itself may be any that is not excluded, and it is near itself.
    """
    found, rounds = _plateau(sweep, evidence)
    near = [level for level, (ratio, *_) in found.over_best_other.items() if ratio > 1 - NEAR_BEST]
    return Estimate(
        min(near),
        found.smallest_not_excluded,
        max(found.not_excluded) if found.smallest_proven is None else found.smallest_proven,
        Compare(fewest_near_best=sweep).unit,
        _rounds_text(rounds),
        f"fewest workers within {100 * NEAR_BEST:.0f} % of the best, {sweep.condition}",
        CONFIDENCE,
        rounds,
    )


def _over_best_other(cell: SweepCell, evidence: Evidence) -> Estimate:
    """With the bounds that prove a setting near the best, or exclude it.

    The best is picked by the same values, so that a ratio to it would be too sure: to itself it is
    1, however noisy the rounds.
    """
    found, rounds = _plateau(cell, evidence)
    workers = worker_count(cell, evidence)
    text = f"{cell.condition} with {counted_workers(workers)}"
    if workers not in found.over_best_other:
        raise no_cells(text, cell.num_workers, found.over_best_other)
    return Estimate(
        *found.over_best_other[workers],
        unit=Compare(over_best_other=cell).unit,
        basis=_rounds_text(rounds),
        subject=f"warm throughput, {text}, over that of the best other number of workers",
        coverage=TWO_ONE_SIDED,
        rounds=rounds,
    )


def _best_over_best(sweep: DividedSweep, evidence: Evidence) -> Estimate:
    by_workers = throughputs(sweep.condition, evidence)
    number = cores(sweep.above, evidence.facts)
    above = [workers for workers in by_workers if workers > number]
    up_to = [workers for workers in by_workers if workers <= number]
    for group, which in ((above, "more than"), (up_to, "at most")):
        if not group:
            raise NoData(
                f"no cells for condition {sweep.condition} with {which} {counted_workers(number)}; "
                f"worker counts measured: {', '.join(map(str, by_workers))}"
            )
    found = best_over_best(by_workers, above, up_to)
    if found is None:
        raise _too_few(sweep)
    rounds = _rounds(by_workers)
    return Estimate(
        *found,
        unit=Compare(best_over_best=sweep).unit,
        basis=_rounds_text(rounds),
        subject=f"warm throughput, {sweep.condition} with the best of {_listed(above)} workers, "
        f"over the best of {_listed(up_to)}",
        coverage=TWO_ONE_SIDED,
        rounds=rounds,
    )


def _plateau(sweep: Sweep, evidence: Evidence) -> tuple[Plateau, int]:
    """The plateau of the sweep, and its rounds."""
    by_workers = throughputs(sweep.condition, evidence)
    found = plateau(by_workers)
    if found is None:
        raise _too_few(sweep)
    return found, _rounds(by_workers)


def _too_few(sweep: Sweep) -> NoData:
    return NoData(f"too few rounds or worker counts in the sweep of {sweep.condition}")


def _rounds(by_workers: Mapping[int, Mapping[int, float]]) -> int:
    return max(len(by_round) for by_round in by_workers.values())


def _fact(name: str, evidence: Evidence) -> Estimate:
    value = known_number(name, evidence.facts)
    fact = FACTS[name]
    return Estimate(value, value, value, fact.unit, "read off", fact.meaning, certain=True)


def _operands(pair: Pair, evidence: Evidence) -> tuple[Sample, Sample]:
    first, second = pair.operands
    one, other = sample(first, evidence), sample(second, evidence)
    if (first.metric, one.text) == (second.metric, other.text):
        raise NoData(f"both sides are {one.text} here, and nothing can be told from that")
    return one, other


def _paired(one: Sample, other: Sample) -> tuple[Sequence[float], Sequence[float]]:
    """The values of both in the rounds that they share."""
    first, second = one.values, other.values
    if not all(session for session, _ in (*first, *second)):
        first, second = _without_session(first), _without_session(second)
    shared = [each for each in first if each in second]
    if not shared:
        raise NoData(f"{one.text} and {other.text} share no round of one session")
    return [first[each] for each in shared], [second[each] for each in shared]


def _without_session(values: Mapping[Round, float]) -> dict[Round, float]:
    return {("", repetition): value for (_, repetition), value in values.items()}


def _single(value: float, unit: str, subject: str, repeated: bool) -> Estimate:
    """One value: a resource speaks for itself, a time needs more rounds."""
    if repeated:
        return Estimate(value, None, None, unit, _rounds_text(1), subject, rounds=1)
    return Estimate(value, None, None, unit, "one observation", subject, certain=True)


def _subject(pair: Pair, one: Sample, other: Sample, word: str) -> str:
    first, second = (METRICS[each.metric].meaning for each in pair.operands)
    second = "" if first == second else f"{second}, "
    return f"{first}, {one.text}, {word} {second}{other.text}"


def _listed(numbers: Sequence[int]) -> str:
    *first, last = map(str, numbers)
    return f"{', '.join(first)} or {last}" if first else last


def _rounds_text(count: int) -> str:
    return "1 round" if count == 1 else f"{count} rounds"
