"""The fewest workers that are near the best, and what is proven of it."""

import math
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass

from feedrate.statistics.blocks import BlockFit, fit_blocks
from feedrate.statistics.comparison import CONFIDENCE, MAXIMUM_ROUNDS
from feedrate.statistics.student import quantile

NEAR_BEST = 0.05
"""A setting is near the best if it loses less than this share of the throughput."""


CONTENDER_ABOVE = 0.8
"""Share of the best estimate above which a level's noise counts for the levels near the best."""


@dataclass(frozen=True)
class Plateau:
    """Which levels are near the best one.

    `best` has the highest estimate. The fewest workers near the best lie between
    `smallest_not_excluded` and `smallest_proven`, which is None where no level is proven to be
    near. `declines_from` is the smallest level above `best` that is proven slower than it, None
    where none is. `over_best_other` has estimate, low and high of each level's throughput over
    that of the best of the other levels, above 1 for `best` itself; the bounds are those that prove
    and exclude, an interval of at least 90 %.
    """

    best: int
    smallest_not_excluded: int
    smallest_proven: int | None
    proven: tuple[int, ...]
    not_excluded: tuple[int, ...]
    declines_from: int | None
    over_best_other: dict[int, tuple[float, float, float]]


def plateau(
    throughputs: Mapping[int, Mapping[int, float]], near: float = NEAR_BEST
) -> Plateau | None:
    """What throughputs of workers -> round -> images per second prove; None where `fit_blocks` is.

    A level is proven near the best if its ratio to every other level has a one-sided 95 % lower
    bound above 1 - `near`. All must hold together, so that none needs correction (Berger 1982,
    intersection-union tests); the error of 5 % is that of one level. A level is excluded if its
    ratio to some other level has an upper bound below 1 - `near`, with Bonferroni's correction for
    the number of other levels, as in Hsu's comparisons with the best (1984). That ranges overlap
    proves nothing either way.

    Levels that reach CONTENDER_ABOVE of the best estimate are compared by a fit of their own: where
    the device is the bound, what shakes slow loaders says nothing about the fast ones.

    Throughput declines from the first level above the best with an upper bound of the ratio below
    1, with Bonferroni's correction for all pairs of the fit's levels: the best was picked by the
    same numbers, so that any pair could have been the one to compare.
    """
    fits = _fits(throughputs)
    if fits is None:
        return None
    levels, best = fits.every.levels, fits.best
    over_best_other = {level: _over_best_other(fits, level) for level in levels}
    proven = tuple(level for level, (_, low, _) in over_best_other.items() if low > 1 - near)
    not_excluded = tuple(level for level, (*_, high) in over_best_other.items() if high >= 1 - near)
    return Plateau(
        best,
        smallest_not_excluded=min(not_excluded),
        smallest_proven=min(proven, default=None),
        proven=proven,
        not_excluded=not_excluded,
        declines_from=_declines_from(fits),
        over_best_other=over_best_other,
    )


def rounds_to_prove(
    throughputs: Mapping[int, Mapping[int, float]], near: float = NEAR_BEST
) -> int | None:
    """How many more complete rounds would prove what the estimates say, if nothing changed.

    That is: the smallest level that is near the best by its estimate would be proven so, with the
    same estimates and the same standard deviation. A projection, which holds about every second
    time. None where that level is proven already, where more than MAXIMUM_ROUNDS would be needed,
    and where `fit_blocks` is None.
    """
    fits = _fits(throughputs)
    if fits is None:
        return None
    limit = math.log1p(-near)
    candidate = min(
        level for level in fits.every.levels if fits.difference(level, fits.best)[0] > limit
    )
    if _lower_bound_after(fits, candidate, 0) > limit:
        return None
    further = range(1, MAXIMUM_ROUNDS + 1)
    index = bisect_left(
        further, True, key=lambda each: _lower_bound_after(fits, candidate, each) > limit
    )
    return further[index] if index < len(further) else None


@dataclass(frozen=True)
class _Fits:
    """The fit to all levels, and the one to the contenders, which is the same if it must be."""

    every: BlockFit
    contenders: BlockFit

    @property
    def best(self) -> int:
        return max(self.contenders.levels, key=self.contenders.log_means.__getitem__)

    def of(self, a: int, b: int) -> BlockFit:
        """The fit by which two levels are compared."""
        both = {a, b} <= set(self.contenders.levels)
        return self.contenders if both else self.every

    def difference(self, a: int, b: int) -> tuple[float, float]:
        return self.of(a, b).difference(a, b)


def _fits(throughputs: Mapping[int, Mapping[int, float]]) -> _Fits | None:
    every = fit_blocks(throughputs)
    if every is None:
        return None
    lowest = max(every.log_means.values()) + math.log(CONTENDER_ABOVE)
    chosen = {
        level: throughputs[level] for level in every.levels if every.log_means[level] > lowest
    }
    return _Fits(every, fit_blocks(chosen) or every)


def _others(fits: _Fits, level: int) -> list[int]:
    return [each for each in fits.every.levels if each != level]


def _one_sided(fit: BlockFit, comparisons: int) -> float:
    """The quantile for a one-sided bound, with Bonferroni's correction for `comparisons`."""
    return quantile(1 - (1 - CONFIDENCE) / comparisons, fit.degrees_of_freedom)


def _lower_bound_after(fits: _Fits, level: int, further: int) -> float:
    """The lowest bound of the log-ratios of `level` to the others after `further` rounds."""
    bounds = []
    for other in _others(fits, level):
        fit = fits.of(level, other)
        freedom = fit.degrees_of_freedom + further * (len(fit.levels) - 1)
        estimate, _ = fit.difference(level, other)
        rounds = fit.effective_rounds(level, other) + further
        margin = quantile(CONFIDENCE, freedom) * fit.standard_deviation * math.sqrt(2 / rounds)
        bounds.append(estimate - margin)
    return min(bounds)


def _upper_bound(fits: _Fits, level: int) -> float:
    """The lowest upper bound of the log-ratios of `level` to the others."""
    others = _others(fits, level)
    bounds = []
    for other in others:
        fit = fits.of(level, other)
        estimate, error = fit.difference(level, other)
        bounds.append(estimate + _one_sided(fit, len(others)) * error)
    return min(bounds)


def _declines_from(fits: _Fits) -> int | None:
    for level in _others(fits, fits.best):
        fit = fits.of(level, fits.best)
        estimate, error = fit.difference(level, fits.best)
        pairs = math.comb(len(fit.levels), 2)
        if level > fits.best and estimate + _one_sided(fit, pairs) * error < 0:
            return level
    return None


def _over_best_other(fits: _Fits, level: int) -> tuple[float, float, float]:
    estimate = min(fits.difference(level, other)[0] for other in _others(fits, level))
    low, high = _lower_bound_after(fits, level, 0), _upper_bound(fits, level)
    return math.exp(estimate), math.exp(low), math.exp(high)
