"""What holds training back: the loader, the step, or what they share."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from feedrate.statistics.positive import positive

CONTENTION_BELOW = 0.9
"""Below this share of what loader and step allow, something else holds training back."""


class Bound(StrEnum):
    """What holds training back."""

    COMPUTE = "compute-bound"
    LOADER = "loader-bound"
    CONTENTION = "contention"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class Bottleneck:
    """What bounds training, and why.

    `expected` is the images per second if nothing else held training back, `reached` the share
    of it that training reaches, `rule` the rule that was applied, as a sentence with its numbers.
    """

    bound: Bound
    expected: float
    reached: float
    rule: str


def bottleneck(
    training: Sequence[float], loader: Sequence[float], step: Sequence[float], overlap: bool
) -> Bottleneck | None:
    """The bottleneck, from images per second of training, of the loader alone, of the step alone.

    With `overlap`, loading goes on while the device trains, in workers or because the device works
    asynchronously: the slower of the two medians is expected, as in a pipeline. Without, they
    alternate: seconds per image add up. Training below CONTENTION_BELOW of that reaches neither
    ceiling: the two share something, such as cores or memory. Otherwise the slower one is the
    bound, undecided where the ranges of the two overlap.
    None if a sequence is empty; ValueError for values that are not positive.
    """
    if not (len(training) and len(loader) and len(step)):
        return None
    trained, loaded, stepped = (
        float(np.median(positive(each))) for each in (training, loader, step)
    )
    if overlap:
        expected, manner = min(loaded, stepped), "overlap"
    else:
        expected, manner = 1 / (1 / loaded + 1 / stepped), "alternate"
    reached = trained / expected
    if reached < CONTENTION_BELOW:
        bound = Bound.CONTENTION
        reason = f"less than {100 * CONTENTION_BELOW:.0f} %, so that they share something"
    elif max(loader) < min(step):
        bound, reason = Bound.LOADER, "and the loader is the slower one"
    elif max(step) < min(loader):
        bound, reason = Bound.COMPUTE, "and the step is the slower one"
    else:
        bound, reason = Bound.UNDECIDED, "and the ranges of loader and step overlap"
    rule = (
        f"The loader at {loaded:,.0f} and the step at {stepped:,.0f} images/s {manner} and "
        f"allow {expected:,.0f}; training reaches {trained:,.0f}, {100 * reached:.1f} % of that, "
        f"{reason}."
    )
    return Bottleneck(bound, expected, reached, rule)
