"""Separate the effects of levels and rounds: a randomised block design."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from feedrate.statistics.positive import positive


@dataclass(frozen=True)
class BlockFit:
    """Log-throughput = level + round + error, fitted by least squares.

    `log_means` are the levels' means in an average round, adjusted for the rounds each was
    measured in; `rounds` how many those are. `standard_deviation` is that of the error, which is
    about the relative noise of one measurement. `unit_covariance` is that of the log means, in
    the order of `levels`, for errors of variance 1.
    """

    levels: tuple[int, ...]
    log_means: dict[int, float]
    standard_deviation: float
    degrees_of_freedom: int
    rounds: dict[int, int]
    unit_covariance: tuple[tuple[float, ...], ...]

    def difference(self, a: int, b: int) -> tuple[float, float]:
        """The logarithm of the throughput of level `a` over that of `b`, and its standard error."""
        return (
            self.log_means[a] - self.log_means[b],
            self.standard_deviation * math.sqrt(self._unit_variance(a, b)),
        )

    def effective_rounds(self, a: int, b: int) -> float:
        """In how many complete rounds two different levels compare as precisely as here."""
        return 2 / self._unit_variance(a, b)

    def _unit_variance(self, a: int, b: int) -> float:
        i, j = self.levels.index(a), self.levels.index(b)
        covariance = self.unit_covariance
        return max(0.0, covariance[i][i] + covariance[j][j] - 2 * covariance[i][j])


def fit_blocks(throughputs: Mapping[int, Mapping[int, float]]) -> BlockFit | None:
    """The fit to throughputs of level -> round -> images per second; levels may lack rounds.

    All levels are taken to share one error variance, so that even three rounds give many degrees
    of freedom: 10 for six levels, where one pair of them has 2 (Box, Hunter and Hunter 2005,
    Statistics for Experimenters, ch. 4). If noise isn't equal at all levels, intervals cover less
    often than stated where the noisy levels are compared. None where no degrees of freedom are
    left for the error, and where the rounds don't link all levels. ValueError for values that are
    not positive.
    """
    levels = tuple(sorted(level for level, by_round in throughputs.items() if by_round))
    rounds = sorted({each for level in levels for each in throughputs[level]})
    cells = [(level, each) for level in levels for each in throughputs[level]]
    parameters = len(levels) + len(rounds) - 1
    degrees_of_freedom = len(cells) - parameters
    if len(levels) < 2 or degrees_of_freedom < 1:
        return None
    logs = np.log(positive(throughputs[level][each] for level, each in cells))
    level_columns = np.array([[level == each for each in levels] for level, _ in cells], float)
    round_columns = np.array([[number == each for each in rounds] for _, number in cells], float)
    # Round effects sum to zero: a level's coefficient is then its mean in an average round.
    design = np.hstack([level_columns, round_columns[:, :-1] - round_columns[:, -1:]])
    coefficients, _, rank, _ = np.linalg.lstsq(design, logs)
    if rank < parameters:
        return None
    residuals = logs - design @ coefficients
    covariance = np.linalg.inv(design.T @ design)[: len(levels), : len(levels)]
    return BlockFit(
        levels,
        {level: float(each) for level, each in zip(levels, coefficients, strict=False)},
        math.sqrt(float(residuals @ residuals) / degrees_of_freedom),
        degrees_of_freedom,
        {level: len(throughputs[level]) for level in levels},
        tuple(tuple(float(each) for each in row) for row in covariance),
    )
