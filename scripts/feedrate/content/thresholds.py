"""The thresholds of the verdicts, in percent, as the page states them."""

from feedrate.statistics.bottleneck import CONTENTION_BELOW
from feedrate.statistics.comparison import CONFIDENCE, EQUIVALENCE_BOUND
from feedrate.statistics.plateau import CONTENDER_ABOVE, NEAR_BEST


def _percent(share: float) -> int:
    return round(100 * share)


CONFIDENCE_PERCENT = _percent(CONFIDENCE)
"""Of the interval that decides between faster, slower and neither."""

TWO_ONE_SIDED_PERCENT = _percent(2 * CONFIDENCE - 1)
"""Of an interval between two one-sided bounds at this confidence."""

ERROR_PERCENT = _percent(1 - CONFIDENCE)
"""At which each one-sided test is made."""

NEAR_PERCENT = _percent(NEAR_BEST)
CONTENDER_PERCENT = _percent(CONTENDER_ABOVE)
CONTENTION_PERCENT = _percent(CONTENTION_BELOW)
EQUIVALENCE_PERCENT = _percent(EQUIVALENCE_BOUND)
