"""How far the median or the mean of a few repetitions can be trusted."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats  # type: ignore[import-untyped]

from feedrate.statistics.student import quantile

FEW_VALUES = 10
"""Up to this many values, the ends of the interval are two of the values."""

SEED = 20_240_229
"""Seed of the resampling: the same values always have the same interval."""


@dataclass(frozen=True)
class MedianInterval:
    """A median and an interval for it, in the unit of the values.

    `coverage` is the probability that such an interval holds the true median. It is exact for
    `order statistics`, whatever the distribution, and nominal for `percentile bootstrap`.
    """

    median: float
    low: float
    high: float
    coverage: float
    method: str

    @property
    def relative_width(self) -> float:
        """The interval's width as a share of the median."""
        return (self.high - self.low) / self.median


def median_interval(values: Sequence[float], confidence: float = 0.95) -> MedianInterval | None:
    """The median of independent `values` with an interval; None for fewer than two values.

    Up to FEW_VALUES it lies between the k-th smallest and the k-th largest value, which hold the
    true median between them with probability 1 - 2 P(B < k), B binomial(n, 1/2) (Hahn and Meeker
    1991, Statistical Intervals, ch. 5). k is the largest that reaches `confidence`. Below six
    values none reaches 95 %: the interval is the full range and `coverage` says what that is worth,
    75 % for three values. Above FEW_VALUES it is the percentile bootstrap (Efron 1979).
    """
    if len(values) < 2:
        return None
    if len(values) <= FEW_VALUES:
        return _order_statistics(sorted(values), confidence)
    interval = stats.bootstrap(
        (values,), np.median, confidence_level=confidence, method="percentile", rng=SEED
    ).confidence_interval
    return MedianInterval(
        float(np.median(values)),
        float(interval.low),
        float(interval.high),
        confidence,
        "percentile bootstrap",
    )


@dataclass(frozen=True)
class MeanInterval:
    """A mean and an interval for it, in the unit of the values."""

    mean: float
    low: float
    high: float


def mean_interval(values: Sequence[float], confidence: float = 0.95) -> MeanInterval | None:
    """The mean of independent `values` with Student's t interval; None for fewer than two values.

    For differences that are paired within rounds it is the paired t interval (Student 1908): what
    shifts a whole round cancels out.
    """
    count = len(values)
    if count < 2:
        return None
    array = np.array(values, dtype=float)
    mean, deviation = float(array.mean()), float(array.std(ddof=1))
    margin = quantile((1 + confidence) / 2, count - 1) * deviation / math.sqrt(count)
    return MeanInterval(mean, mean - margin, mean + margin)


def _order_statistics(ordered: Sequence[float], confidence: float) -> MedianInterval:
    count = len(ordered)
    coverages = [
        1 - 2 * float(stats.binom.cdf(outside, count, 0.5)) for outside in range(count // 2)
    ]
    outside = max((k for k, each in enumerate(coverages) if each >= confidence), default=0)
    return MedianInterval(
        float(np.median(ordered)),
        float(ordered[outside]),
        float(ordered[-1 - outside]),
        coverages[outside],
        "order statistics",
    )
