"""How fast something grows."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats  # type: ignore[import-untyped]

FEWEST_FOR_TREND = 5
"""With four values or fewer, no order is rarer than 5 %: there is no 95 % interval."""


@dataclass(frozen=True)
class Trend:
    """A slope and an interval for it, in the values' unit per unit of the positions."""

    slope: float
    low: float
    high: float


def trend(
    positions: Sequence[float], values: Sequence[float], confidence: float = 0.95
) -> Trend | None:
    """The Theil-Sen slope of `values` over `positions`, with Sen's interval (Sen 1968).

    It is the median of the slopes of all pairs, which a few outliers hardly move. None for fewer
    than FEWEST_FOR_TREND values, and for so many equal ones that no interval is left; ValueError
    for unequal lengths.
    """
    if len(values) < FEWEST_FOR_TREND:
        return None
    with np.errstate(invalid="ignore"):
        found = stats.theilslopes(values, positions, confidence)
    slope, _, low, high = map(float, found)
    return Trend(slope, low, high) if np.isfinite([low, high]).all() else None
