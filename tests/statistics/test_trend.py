import pytest

from feedrate.statistics.trend import FEWEST_FOR_TREND, Trend, trend


def test_a_trend_is_the_median_of_the_slopes_of_all_pairs() -> None:
    # Of the 15 slopes the ten among the first five are 1; those to the odd last value are 20,
    # 24.75, 32.67, 48.5 and 96. Sen: (15 ± 1.96 sqrt(6 * 5 * 17 / 18)) / 2 is 2.3 and 12.7, so that
    # the interval goes from the 2nd to the 14th slope.
    assert trend([1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5, 101]) == Trend(1, 1, 48.5)


def test_a_straight_line_has_its_slope() -> None:
    assert trend([2, 3, 4, 6, 8], [10, 13, 16, 22, 28]) == Trend(3, 3, 3)
    assert trend([1, 2, 3, 4, 5], [7, 7, 7, 7, 7]) == Trend(0, 0, 0)


def test_too_few_values_have_no_trend() -> None:
    few = list(range(FEWEST_FOR_TREND - 1))
    assert trend(few, few) is None


def test_so_many_equal_values_have_no_trend() -> None:
    assert trend([0, 0, 0, 1, 1, 1], [7] * 6) is None


def test_every_value_needs_its_position() -> None:
    with pytest.raises(ValueError, match="shapes"):
        trend([1, 2, 3, 4], [1, 2, 3, 4, 5])
