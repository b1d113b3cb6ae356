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


@dataclass(frozen=True)
class Plateau:
    """Which levels are near the best one.

    `best` has the highest estimate. The fewest workers near the best lie between
    `smallest_not_excluded` and `smallest_proven`, which is None where no level is proven to be
    near. `declines_from` is the smallest level above `best` that is proven slower than it, None
    where none is. `ratio_to_best` has estimate, low and high of each level's throughput over that
    of `best`, a 90 % interval.
    """

    best: int
    smallest_not_excluded: int
    smallest_proven: int | None
    proven: tuple[int, ...]
    not_excluded: tuple[int, ...]
    declines_from: int | None
    ratio_to_best: dict[int, tuple[float, float, float]]


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

    Throughput declines from the first level above the best with an upper bound of the ratio below
    1, with Bonferroni's correction for all pairs of levels: the best was picked by the same
    numbers, so that any pair could have been the one to compare.
    """
    fit = fit_blocks(throughputs)
    if fit is None:
        return None
    best = max(fit.levels, key=fit.log_means.__getitem__)
    limit = math.log1p(-near)
    proven = tuple(level for level in fit.levels if _lower_bound(fit, level) > limit)
    not_excluded = tuple(level for level in fit.levels if _upper_bound(fit, level) >= limit)
    return Plateau(
        best,
        smallest_not_excluded=min(not_excluded),
        smallest_proven=min(proven, default=None),
        proven=proven,
        not_excluded=not_excluded,
        declines_from=_declines_from(fit, best),
        ratio_to_best={level: _ratio(fit, level, best) for level in fit.levels},
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
    fit = fit_blocks(throughputs)
    if fit is None:
        return None
    limit = math.log1p(-near)
    highest = max(fit.log_means.values())
    candidate = min(level for level in fit.levels if fit.log_means[level] - highest > limit)
    if _lower_bound(fit, candidate) > limit:
        return None
    further = range(1, MAXIMUM_ROUNDS + 1)
    index = bisect_left(
        further, True, key=lambda each: _lower_bound_after(fit, candidate, each) > limit
    )
    return further[index] if index < len(further) else None


def _others(fit: BlockFit, level: int) -> list[int]:
    return [each for each in fit.levels if each != level]


def _one_sided(fit: BlockFit, comparisons: int) -> float:
    """The quantile for a one-sided bound, with Bonferroni's correction for `comparisons`."""
    return quantile(1 - (1 - CONFIDENCE) / comparisons, fit.degrees_of_freedom)


def _lower_bound(fit: BlockFit, level: int) -> float:
    return _lower_bound_after(fit, level, 0)


def _lower_bound_after(fit: BlockFit, level: int, further: int) -> float:
    """The lowest bound of the log-ratios of `level` to the others after `further` rounds."""
    freedom = fit.degrees_of_freedom + further * (len(fit.levels) - 1)
    one_sided = quantile(CONFIDENCE, freedom)
    bounds = []
    for other in _others(fit, level):
        estimate, _ = fit.difference(level, other)
        rounds = fit.effective_rounds(level, other) + further
        bounds.append(estimate - one_sided * fit.standard_deviation * math.sqrt(2 / rounds))
    return min(bounds)


def _upper_bound(fit: BlockFit, level: int) -> float:
    """The lowest upper bound of the log-ratios of `level` to the others."""
    others = _others(fit, level)
    one_sided = _one_sided(fit, len(others))
    differences = [fit.difference(level, other) for other in others]
    return min(estimate + one_sided * error for estimate, error in differences)


def _declines_from(fit: BlockFit, best: int) -> int | None:
    one_sided = _one_sided(fit, math.comb(len(fit.levels), 2))
    for level in fit.levels:
        estimate, error = fit.difference(level, best)
        if level > best and estimate + one_sided * error < 0:
            return level
    return None


def _ratio(fit: BlockFit, level: int, best: int) -> tuple[float, float, float]:
    estimate, error = fit.difference(level, best)
    margin = _one_sided(fit, 1) * error
    return math.exp(estimate), math.exp(estimate - margin), math.exp(estimate + margin)
