"""The fewest workers that are near the best, and what is proven about them."""

import math
from bisect import bisect_left
from collections.abc import Collection, Mapping
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

    `best` has the highest estimate. The fewest workers near the best are between
    `smallest_not_excluded` and `smallest_proven`, which is None where no level is proven to be
    near. `declines_from` is the smallest level above `best` that is proven slower than it, None
    where none is. `over_best_other` has estimate, low and high of each level's throughput over
    that of the best of the other levels, above 1 for `best` itself; the bounds are those that prove
    and exclude, an interval of at least 90 % if noise is equal at all levels.
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
    """What throughputs of workers -> round -> images per second prove; None if `fit_blocks` is.

    A level is proven near the best if its ratio to every other level has a one-sided 95 % lower
    bound above 1 - `near`. All must hold together, so that none needs correction (Berger 1982,
    intersection-union tests); the error of 5 % is that of one level. A level is excluded if its
    ratio to some other level has an upper bound below 1 - `near`, with Bonferroni's correction for
    the number of other levels, as in Hsu's comparisons with the best (1984). That ranges overlap
    proves nothing either way.

    Levels that reach CONTENDER_ABOVE of the best estimate are compared by a fit of their own: where
    the device is the bound, the noise of slow loaders says nothing about the fast ones.

    Throughput declines from the first level above the best with an upper bound of the ratio below
    1, with Bonferroni's correction for all pairs of the fit's levels: the best was picked by the
    same numbers, so that any pair could have been the one to compare.
    """
    fits = _fits(throughputs)
    if fits is None:
        return None
    levels, best = fits.every.levels, fits.best
    over_best_other = {
        level: _best_over_best(fits, [level], _others(fits, level)) for level in levels
    }
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


def best_over_best(
    throughputs: Mapping[int, Mapping[int, float]], of: Collection[int], to: Collection[int]
) -> tuple[float, float, float] | None:
    """Throughput of the best level in `of` over that of the best in `to`: estimate, low, high.

    Which level is the best in its group is itself uncertain, and the bounds allow for that: the low
    one is the highest that some level of `of` keeps to all of `to`, a one-sided 95 % bound with
    Bonferroni's correction for the choice in `of`; the high one likewise, for the choice in `to`.
    Together they are an interval of at least 90 % if noise is equal at all levels; where the best
    is noisier, either bound can fail in up to a fifth of the runs. None if `fit_blocks` is;
    ValueError for a group without levels.
    """
    if not of or not to:
        raise ValueError("both groups need a level")
    fits = _fits(throughputs)
    return None if fits is None else _best_over_best(fits, of, to)


def rounds_to_prove(
    throughputs: Mapping[int, Mapping[int, float]], near: float = NEAR_BEST
) -> int | None:
    """How many more complete rounds would prove what the estimates say, if nothing changed.

    That is: the smallest level that is near the best by its estimate would be proven so, with the
    same estimates and the same standard deviation. A rough projection, which held in 36 to 89 % of
    simulated runs. None where that level is proven already, where more than MAXIMUM_ROUNDS would
    be needed, and where `fit_blocks` is None.
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
    """The fit to all levels, and that to the contenders, or the same if they can't be fitted."""

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


def _one_sided(degrees_of_freedom: int, comparisons: int) -> float:
    """The quantile for a one-sided bound, with Bonferroni's correction for `comparisons`."""
    return quantile(1 - (1 - CONFIDENCE) / comparisons, degrees_of_freedom)


def _bound_below(fits: _Fits, a: int, b: int, comparisons: int, further: int) -> float:
    """The lower bound of the log-ratio of `a` to `b` after `further` rounds that change nothing."""
    fit = fits.of(a, b)
    freedom = fit.degrees_of_freedom + further * (len(fit.levels) - 1)
    estimate, _ = fit.difference(a, b)
    rounds = fit.effective_rounds(a, b) + further
    error = fit.standard_deviation * math.sqrt(2 / rounds)
    return estimate - _one_sided(freedom, comparisons) * error


def _lower_bound_after(fits: _Fits, level: int, further: int) -> float:
    """The lowest bound of the log-ratios of `level` to the others after `further` rounds."""
    return min(_bound_below(fits, level, other, 1, further) for other in _others(fits, level))


def _best_over_best(
    fits: _Fits, of: Collection[int], to: Collection[int]
) -> tuple[float, float, float]:
    estimate = max(min(fits.difference(a, b)[0] for b in to) for a in of)
    low = max(min(_bound_below(fits, a, b, len(of), 0) for b in to) for a in of)
    # What lies below the ratio of b to a lies above that of a to b.
    high = min(max(-_bound_below(fits, b, a, len(to), 0) for a in of) for b in to)
    return math.exp(estimate), math.exp(low), math.exp(high)


def _declines_from(fits: _Fits) -> int | None:
    for level in _others(fits, fits.best):
        fit = fits.of(level, fits.best)
        pairs = math.comb(len(fit.levels), 2)
        if level > fits.best and _bound_below(fits, fits.best, level, pairs, 0) > 0:
            return level
    return None
