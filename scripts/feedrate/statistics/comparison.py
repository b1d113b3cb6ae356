"""Whether one setting is shown to be faster than another, slower, or as fast."""

import math
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from feedrate.statistics.positive import positive
from feedrate.statistics.student import quantile

EQUIVALENCE_BOUND = 0.03
"""Ratios between 1 / 1.03 and 1.03 make no difference in practice."""

CONFIDENCE = 0.95

TWO_ONE_SIDED = 2 * CONFIDENCE - 1
"""Two one-sided tests at 5 % are a 90 % interval within the bounds (Schuirmann 1987)."""

MAXIMUM_ROUNDS = 1000
"""More further rounds than these would be too long to wait for a verdict."""


class Verdict(StrEnum):
    """What a comparison shows about the numerator."""

    FASTER = "faster"
    SLOWER = "slower"
    EQUIVALENT = "equivalent"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class Comparison:
    """A ratio of throughputs, its 95 % and 90 % intervals, and what they show.

    `rounds` is the number of pairs, or of values in the smaller of two independent samples.
    `more_rounds` is how many more would bring a verdict if mean and spread stayed as they are. It
    is a rough projection, since both will change: that many rounds brought a verdict in 18 to 82 %
    of simulated runs. It is None where there is a verdict, and where it would be more than
    MAXIMUM_ROUNDS.
    """

    ratio: float
    low: float
    high: float
    low90: float
    high90: float
    rounds: int
    verdict: Verdict
    more_rounds: int | None


def compare(numerator: Sequence[float], denominator: Sequence[float]) -> Comparison | None:
    """The ratio of two settings' throughputs, paired by round; None below two rounds.

    Any measure will do for which more means faster. The mean of the log-ratios has a Student t
    interval: what slows a whole round cancels out. Equivalent is two one-sided tests at 5 %
    (Schuirmann 1987): the 90 % interval lies within the EQUIVALENCE_BOUND. It takes precedence
    over faster and slower, where the 95 % interval excludes 1. ValueError for unequal lengths and
    for values that are not positive.
    """
    above, below = positive(numerator), positive(denominator)
    if len(above) != len(below):
        raise ValueError(f"{len(above)} values can't be paired with {len(below)}")
    if len(above) < 2:
        return None
    log_ratios = np.log(above) - np.log(below)
    mean, deviation = float(log_ratios.mean()), float(log_ratios.std(ddof=1))

    def after(further: int) -> _LogRatio:
        rounds = len(log_ratios) + further
        return _LogRatio(mean, deviation / math.sqrt(rounds), rounds - 1)

    return _comparison(after, len(log_ratios))


def compare_independent(
    numerator: Sequence[float], denominator: Sequence[float]
) -> Comparison | None:
    """The ratio of two samples without pairs, such as two sessions of one setting.

    Verdicts as in `compare`, from the difference of the mean logarithms and Welch's t (Welch
    1947), as the samples may spread differently. It is an approximation: it calls 6.5 % of equal
    samples of 3 and 10 values different, not 5 %. None if either has fewer than two values;
    ValueError for values that are not positive.
    """
    above, below = np.log(positive(numerator)), np.log(positive(denominator))
    counts = len(above), len(below)
    if min(counts) < 2:
        return None
    difference = float(above.mean() - below.mean())
    variances = float(above.var(ddof=1)), float(below.var(ddof=1))

    def after(further: int) -> _LogRatio:
        sizes = [count + further for count in counts]
        shares = [variance / size for variance, size in zip(variances, sizes, strict=True)]
        return _LogRatio(difference, math.sqrt(sum(shares)), _welch_freedom(shares, sizes))

    return _comparison(after, min(counts))


def _welch_freedom(shares: Sequence[float], sizes: Sequence[int]) -> float:
    """Welch's degrees of freedom, from each mean's variance and each sample's size."""
    total = sum(shares)
    if total == 0:
        return sum(sizes) - len(sizes)
    return 1 / sum(
        (share / total) ** 2 / (size - 1) for share, size in zip(shares, sizes, strict=True)
    )


@dataclass(frozen=True)
class _LogRatio:
    estimate: float
    standard_error: float
    degrees_of_freedom: float

    def interval(self, confidence: float) -> tuple[float, float]:
        margin = quantile((1 + confidence) / 2, self.degrees_of_freedom) * self.standard_error
        return self.estimate - margin, self.estimate + margin

    @property
    def verdict(self) -> Verdict:
        bound = math.log1p(EQUIVALENCE_BOUND)
        low, high = self.interval(TWO_ONE_SIDED)
        if -bound < low and high < bound:
            return Verdict.EQUIVALENT
        low, high = self.interval(CONFIDENCE)
        if low > 0:
            return Verdict.FASTER
        return Verdict.SLOWER if high < 0 else Verdict.UNDECIDED


def _comparison(after: Callable[[int], _LogRatio], rounds: int) -> Comparison:
    now = after(0)
    verdict = now.verdict
    low, high = now.interval(CONFIDENCE)
    low90, high90 = now.interval(TWO_ONE_SIDED)
    return Comparison(
        math.exp(now.estimate),
        math.exp(low),
        math.exp(high),
        math.exp(low90),
        math.exp(high90),
        rounds,
        verdict,
        _more_rounds(after) if verdict is Verdict.UNDECIDED else None,
    )


def _more_rounds(after: Callable[[int], _LogRatio]) -> int | None:
    # Intervals only shrink with further rounds, so that a verdict once reached stays.
    further = range(1, MAXIMUM_ROUNDS + 1)
    index = bisect_left(
        further, True, key=lambda each: after(each).verdict is not Verdict.UNDECIDED
    )
    return further[index] if index < len(further) else None
