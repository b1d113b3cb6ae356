import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedrate.statistics.intervals import (
    FEW_VALUES,
    MedianInterval,
    mean_interval,
    median_interval,
)

throughputs = st.floats(1, 1e6)


@pytest.mark.parametrize(
    ("count", "low", "high", "coverage"),
    [
        (2, 1, 2, 1 / 2),
        (3, 1, 3, 3 / 4),
        (5, 1, 5, 15 / 16),
        (6, 1, 6, 31 / 32),
        (8, 1, 8, 127 / 128),  # from 2 to 7 it would be 119 / 128, 93 %
        (9, 2, 8, 1 - 20 / 512),
        (10, 2, 9, 1 - 22 / 1024),
    ],
)
def test_few_values_have_an_exact_coverage(
    count: int, low: float, high: float, coverage: float
) -> None:
    values = [float(each) for each in range(count, 0, -1)]
    interval = median_interval(values)
    assert interval is not None
    assert (interval.low, interval.high) == (low, high)
    assert interval.median == (1 + count) / 2
    assert interval.coverage == pytest.approx(coverage)
    assert interval.method == "order statistics"


def test_less_confidence_asks_for_less() -> None:
    # From the second to the fourth of 5: missed when at most one lies on a side, 2 (1 + 5) / 32.
    interval = median_interval([1, 2, 3, 4, 5], confidence=0.6)
    assert interval is not None
    assert (interval.low, interval.median, interval.high) == (2, 3, 4)
    assert interval.coverage == pytest.approx(1 - 12 / 32)


@pytest.mark.parametrize("values", [[], [1.0]])
def test_fewer_than_two_values_have_none(values: list[float]) -> None:
    assert median_interval(values) is None


def test_many_values_are_resampled_the_same_way_every_time() -> None:
    values = [float(each) for each in range(1, 102)]
    interval = median_interval(values)
    assert interval == median_interval(values)
    assert interval is not None
    assert (interval.method, interval.coverage) == ("percentile bootstrap", 0.95)
    # The binomial interval of 101 values goes from the 41st to the 61st.
    assert interval.low == pytest.approx(41, abs=1)
    assert interval.high == pytest.approx(61, abs=1)


@given(st.lists(throughputs, min_size=2, max_size=FEW_VALUES + 2), st.floats(0.1, 10))
def test_an_interval_holds_its_median_and_scales_with_the_unit(
    values: list[float], unit: float
) -> None:
    interval = median_interval(values)
    scaled = median_interval([unit * each for each in values])
    assert interval is not None
    assert scaled is not None
    assert min(values) <= interval.low <= interval.median <= interval.high <= max(values)
    assert scaled.low == pytest.approx(unit * interval.low)
    assert scaled.relative_width == pytest.approx(interval.relative_width)


@pytest.mark.parametrize("count", [2, FEW_VALUES, FEW_VALUES + 1])
def test_equal_values_have_an_interval_without_width(count: int) -> None:
    interval = median_interval([7.0] * count)
    assert interval is not None
    assert (interval.low, interval.median, interval.high) == (7, 7, 7)
    assert interval.relative_width == 0


def test_the_width_is_a_share_of_the_median() -> None:
    assert MedianInterval(200, 190, 220, 0.75, "order statistics").relative_width == 0.15


def test_a_mean_has_students_interval() -> None:
    # 1, 2, 3: standard error 1 / sqrt(3), two degrees of freedom.
    found = mean_interval([3, 1, 2])
    assert found is not None
    margin = 4.302653 / math.sqrt(3)
    assert (found.mean, found.low, found.high) == pytest.approx((2, 2 - margin, 2 + margin))
    narrower = mean_interval([3, 1, 2], confidence=0.9)
    assert narrower is not None
    assert narrower.high == pytest.approx(2 + 2.919986 / math.sqrt(3))


def test_of_one_value_there_is_no_mean_interval() -> None:
    assert mean_interval([1.0]) is None
