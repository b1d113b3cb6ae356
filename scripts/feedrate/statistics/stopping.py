"""When a setting has been repeated often enough."""

from collections.abc import Sequence
from dataclasses import dataclass

from feedrate.statistics.intervals import median_interval


@dataclass(frozen=True)
class Stopping:
    """Whether the rounds are enough, and why, in words."""

    enough: bool
    reason: str


def stopping(
    values: Sequence[float], minimum: int, maximum: int, relative_width: float
) -> Stopping:
    """Whether one setting's `values`, one a round, suffice.

    They do from `minimum` rounds on if the width of the median's interval is at most
    `relative_width` of the median, and after `maximum` rounds in any case. Below six rounds the
    interval covers less than 95 %, see `median_interval`.
    """
    count = len(values)
    interval = median_interval(values)
    width = interval.relative_width if interval else None
    if count >= minimum and width is not None and width <= relative_width:
        return Stopping(
            True,
            f"the median's interval is {_percent(width)} wide after {_rounds(count)}; "
            f"{_percent(relative_width)} is enough",
        )
    if count >= maximum:
        still = f"; the interval is still {_percent(width)} wide" if width is not None else ""
        return Stopping(True, f"{_rounds(count)}, the maximum{still}")
    if count < minimum or width is None:
        return Stopping(False, f"{count} of at least {_rounds(max(minimum, 2))}")
    return Stopping(
        False,
        f"the median's interval is still {_percent(width)} wide after {_rounds(count)}; "
        f"{_percent(relative_width)} would be enough",
    )


def _percent(share: float) -> str:
    return f"{round(100 * share, 1):g} %"


def _rounds(count: int) -> str:
    return "1 round" if count == 1 else f"{count} rounds"
