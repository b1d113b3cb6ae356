"""Whether the machine became faster or slower while it measured."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from feedrate.statistics.comparison import CONFIDENCE
from feedrate.statistics.positive import positive
from feedrate.statistics.trend import trend

OUTLIER_SCORE = 3.5
"""Modified z-score above which a value is flagged."""

SHORTEST_FOR_DRIFT_HOURS = 0.1
"""A slope per hour from a shorter time would be mostly extrapolation."""

FEWEST_FOR_OUTLIERS = 3
"""Of two values, either could be the outlier."""


@dataclass(frozen=True)
class Drift:
    """Change of throughput in percent per hour, with a 95 % interval, from `measurements`."""

    percent_per_hour: float
    low: float
    high: float
    measurements: int


def drift(
    hours: Sequence[float], throughputs: Sequence[float], groups: Sequence[str]
) -> Drift | None:
    """The trend over `hours` of throughputs, each relative to the median of its group.

    It is the `trend` of the log-residuals. A group is what should be equal, such as one setting,
    and should be spread over the session, as in randomised rounds: a drift between groups looks
    like a difference of settings. Groups of one value show nothing and are left out. None for
    less than SHORTEST_FOR_DRIFT_HOURS from the first to the last, and where there is no `trend`;
    ValueError for values that are not positive.
    """
    residuals = _residuals(throughputs, groups, fewest=2)
    known = np.isfinite(residuals)
    time = np.array(hours, dtype=float)[known]
    if not len(time) or np.ptp(time) < SHORTEST_FOR_DRIFT_HOURS:
        return None
    found = trend(time.tolist(), residuals[known].tolist(), CONFIDENCE)
    if found is None:
        return None
    percent, low, high = (100 * math.expm1(each) for each in (found.slope, found.low, found.high))
    return Drift(percent, low, high, len(time))


def outliers(throughputs: Sequence[float], groups: Sequence[str]) -> list[int]:
    """Indexes of throughputs that are far off their group's median: to flag, never to drop.

    The modified z-score 0.6745 r / MAD of the log-residual r is above 3.5 in size (Iglewicz and
    Hoaglin 1993). MAD is the median of |r| over all groups. Groups of fewer than three values
    have no residual. ValueError for values that are not positive.
    """
    residuals = np.abs(_residuals(throughputs, groups, FEWEST_FOR_OUTLIERS))
    spread = [
        each
        for group in dict.fromkeys(groups)
        # The median's own residual is zero: counting it would halve the MAD of groups of three.
        for each in sorted(residuals[[name == group for name in groups]])[1:]
        if np.isfinite(each)
    ]
    if not spread:
        return []
    flagged = 0.6745 * residuals > OUTLIER_SCORE * float(np.median(spread))
    return [int(index) for index in np.flatnonzero(flagged)]


def _residuals(
    throughputs: Sequence[float], groups: Sequence[str], fewest: int
) -> NDArray[np.float64]:
    """Logarithms minus their group's median; NaN in groups of fewer than `fewest` values."""
    logs = np.log(positive(throughputs))
    residuals = np.full(len(logs), np.nan)
    for group in set(groups):
        members = np.array([name == group for name in groups])
        if members.sum() >= fewest:
            residuals[members] = logs[members] - np.median(logs[members])
    return residuals
