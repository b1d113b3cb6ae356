import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedrate.statistics.drift import Drift, drift, outliers


def present(found: Drift) -> bool:
    """Whether the interval excludes no drift."""
    return found.low > 0 or found.high < 0


def session(
    settings: int, rounds: int, generator: np.random.Generator
) -> tuple[list[float], list[float], list[str]]:
    """Hours, throughputs and groups of randomised rounds with 2 % noise, over two hours."""
    count = settings * rounds
    order = np.concatenate([generator.permutation(settings) for _ in range(rounds)])
    throughputs = 100 * (1 + order) * np.exp(generator.normal(0, 0.02, count))
    return (np.arange(count) * 2 / count).tolist(), throughputs.tolist(), [str(g) for g in order]


@given(st.floats(-30, 30), st.floats(1, 1e5), st.floats(1, 1e5))
def test_an_exact_drift_is_found_whatever_the_settings(
    percent: float, one: float, other: float
) -> None:
    hours = [0.0, 0.3, 1.0, 1.1, 2.0, 1.9]  # both groups around the hour 1 to 1.1
    groups = ["a", "b", "a", "b", "a", "b"]
    throughputs = [
        (one if group == "a" else other) * (1 + percent / 100) ** hour
        for hour, group in zip(hours, groups, strict=True)
    ]
    found = drift(hours, throughputs, groups)
    assert found is not None
    # A tenth of an hour between the groups' medians is what it may be off, in part.
    assert found.percent_per_hour == pytest.approx(percent, rel=0.1, abs=1e-6)
    assert found.low - 1e-6 <= found.percent_per_hour <= found.high + 1e-6
    assert found.measurements == 6


def test_one_odd_value_moves_the_slope_little() -> None:
    hours = [float(each) for each in range(9)]
    throughputs = [100 * 1.01**hour for hour in hours]
    throughputs[7] = 10
    found = drift(hours, throughputs, ["a"] * 9)
    assert found is not None
    assert found.percent_per_hour == pytest.approx(1)


def test_a_steady_machine_seldom_drifts_and_a_drifting_one_does() -> None:
    generator = np.random.default_rng(4)
    steady, drifting = 0, 0
    for _ in range(200):
        hours, throughputs, groups = session(6, 3, generator)
        slower = [each * 0.95**hour for each, hour in zip(throughputs, hours, strict=True)]
        without, with_drift = drift(hours, throughputs, groups), drift(hours, slower, groups)
        assert without is not None
        assert with_drift is not None
        steady += present(without)
        drifting += present(with_drift) and with_drift.high < 0
    assert steady / 200 <= 0.05 + 0.046  # three standard deviations of 5 %
    assert drifting / 200 >= 0.9


def test_too_little_says_nothing() -> None:
    assert drift([], [], []) is None
    assert drift([0, 1, 2, 3], [100, 90, 80, 70], ["a"] * 4) is None
    assert drift([1] * 5, [100, 90, 80, 70, 60], ["a"] * 5) is None
    assert drift([0, 1, 2, 3, 4], [100, 90, 80, 70, 60], list("abcde")) is None
    assert drift([0, 0, 0, 1, 1, 1], [100] * 6, ["a"] * 6) is None  # ties in both


def test_equal_throughputs_have_no_drift() -> None:
    assert drift([0, 1, 2, 3, 4], [100] * 5, ["a"] * 5) == Drift(0, 0, 0, 5)


def test_five_values_in_order_are_the_fewest_that_show_a_drift() -> None:
    found = drift([0, 1, 2, 3, 4], [100, 99, 97, 96, 95], ["a"] * 5)
    assert found is not None
    assert present(found)
    # The slopes between neighbours are the extremes, from ln(97 / 99) to ln(96 / 97) and the like.
    assert found.low == pytest.approx(100 * (97 / 99 - 1))
    assert found.high == pytest.approx(100 * (99 / 100 - 1))


def test_groups_of_one_are_left_out() -> None:
    throughputs = [100, 90, 81, 72.9, 65.61, 5]
    found = drift([0, 1, 2, 3, 4, 5], throughputs, ["a"] * 5 + ["b"])
    assert found is not None
    assert found.measurements == 5
    assert found.percent_per_hour == pytest.approx(-10)


def test_an_outlier_is_flagged_in_its_own_group() -> None:
    throughputs = [100, 200, 101, 198, 99, 150, 100.5, 202]
    groups = ["a", "b"] * 4
    assert outliers(throughputs, groups) == [5]
    # Between the groups 150 would be in the middle.
    assert outliers(throughputs, ["a"] * 8) == []


def test_the_score_is_the_one_computed_by_hand() -> None:
    # Residuals -2, -1, 0, 1, x; without the median's own, MAD is the mean of the middle two of
    # 1, 1, 2, x: 1.5. Flagged above 3.5 * 1.5 / 0.6745 = 7.78.
    def flagged(largest: float) -> list[int]:
        return outliers([math.exp(each) for each in (-2, -1, 0, 1, largest)], ["a"] * 5)

    assert flagged(7.7) == []
    assert flagged(7.8) == [4]


def test_of_two_values_none_is_the_outlier() -> None:
    assert outliers([100, 101, 99, 1, 100], ["a", "a", "a", "b", "b"]) == []
    assert outliers([1, 100], ["a", "a"]) == []
    assert outliers([], []) == []


def test_three_rounds_of_plain_noise_are_seldom_flagged() -> None:
    generator = np.random.default_rng(6)
    flags = 0
    for _ in range(200):
        _, throughputs, groups = session(6, 3, generator)
        flags += len(outliers(throughputs, groups))
    assert flags / (200 * 18) < 0.02


def test_zero_is_refused() -> None:
    with pytest.raises(ValueError, match="not positive"):
        drift([0, 1, 2], [1, 0, 1], ["a"] * 3)
    with pytest.raises(ValueError, match="not positive"):
        outliers([1, 0, 1], ["a"] * 3)
