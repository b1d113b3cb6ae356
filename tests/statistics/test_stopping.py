from hypothesis import given
from hypothesis import strategies as st

from feedrate.statistics.stopping import Stopping, stopping

NARROW = [100.0, 101.0, 98.0, 100.0, 100.1, 99.0, 98.9]
"""From 98 to 101, around 100."""

WIDE = [100.0, 110.0, 95.0, 100.0, 100.0]


def test_narrow_enough() -> None:
    assert stopping(NARROW, 5, 30, 0.05) == Stopping(
        True, "the median's interval is 3 % wide after 7 rounds; 5 % is enough"
    )


def test_exactly_as_wide_as_asked_is_enough() -> None:
    assert stopping([95.0, 100.0, 105.0], 3, 30, 0.1).enough


def test_too_wide_goes_on() -> None:
    assert stopping(WIDE, 5, 30, 0.05) == Stopping(
        False, "the median's interval is still 15 % wide after 5 rounds; 5 % would be enough"
    )


def test_the_maximum_ends_it() -> None:
    assert stopping(WIDE, 3, 5, 0.05) == Stopping(
        True, "5 rounds, the maximum; the interval is still 15 % wide"
    )
    assert stopping([100.0], 1, 1, 0.05) == Stopping(True, "1 round, the maximum")


def test_the_minimum_is_waited_for() -> None:
    assert stopping([100.0] * 3, 5, 30, 0.05) == Stopping(False, "3 of at least 5 rounds")
    assert stopping([], 5, 30, 0.05) == Stopping(False, "0 of at least 5 rounds")


def test_one_value_has_no_interval_to_judge_by() -> None:
    assert stopping([100.0], 1, 30, 0.05) == Stopping(False, "1 of at least 2 rounds")


@given(st.lists(st.floats(90, 110), max_size=9), st.integers(1, 6), st.floats(0, 0.3))
def test_enough_is_never_before_the_minimum_and_always_at_the_maximum(
    values: list[float], minimum: int, width: float
) -> None:
    result = stopping(values, minimum, 8, width)
    assert result.enough or len(values) < 8
    assert not result.enough or len(values) >= minimum
