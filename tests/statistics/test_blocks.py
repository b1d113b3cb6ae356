import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedrate.statistics.blocks import BlockFit, fit_blocks

Throughputs = dict[int, dict[int, float]]


def fitted(throughputs: Throughputs) -> BlockFit:
    fit = fit_blocks(throughputs)
    assert fit is not None
    return fit


def exponentials(logs: dict[int, list[float]]) -> Throughputs:
    return {
        level: {number: math.exp(each) for number, each in enumerate(values, 1)}
        for level, values in logs.items()
    }


def test_two_levels_are_the_paired_t() -> None:
    # Differences 1, 2, 3: mean 2, standard error 1 / sqrt(3).
    fit = fitted(exponentials({1: [5.0, 6.0, 4.0], 2: [6.0, 8.0, 7.0]}))
    assert fit.difference(2, 1) == pytest.approx((2, 1 / math.sqrt(3)))
    assert fit.degrees_of_freedom == 2
    assert fit.log_means == pytest.approx({1: 5, 2: 7})


def test_a_table_computed_by_hand() -> None:
    # Level means 1, 2, 6; round means 2, 4; residuals of size 1, 0, 1, and 4 as their squares' sum.
    fit = fitted(exponentials({0: [-1.0, 3.0], 1: [1.0, 3.0], 2: [6.0, 6.0]}))
    assert fit.levels == (0, 1, 2)
    assert fit.log_means == pytest.approx({0: 1, 1: 2, 2: 6})
    assert fit.degrees_of_freedom == 2
    assert fit.standard_deviation == pytest.approx(math.sqrt(4 / 2))
    assert fit.difference(2, 0) == pytest.approx((5, math.sqrt(2) * math.sqrt(2 / 2)))
    assert fit.rounds == {0: 2, 1: 2, 2: 2}


def test_a_level_isnt_blamed_for_the_slow_round_it_was_measured_in() -> None:
    complete = exponentials({1: [5.0, 5.0, 3.0], 2: [6.0, 6.0, 4.0], 4: [7.0, 7.0, 5.0]})
    del complete[4][1], complete[4][2]
    fit = fitted(complete)
    assert fit.log_means == pytest.approx({1: 13 / 3, 2: 16 / 3, 4: 19 / 3})
    assert fit.difference(4, 1)[0] == pytest.approx(2)
    assert fit.rounds == {1: 3, 2: 3, 4: 1}


def test_fewer_rounds_are_less_precise() -> None:
    lacking = exponentials({1: [5.0, 5.1, 5.0], 2: [6.1, 6.0, 6.0], 4: [7.0, 7.1, 7.2]})
    del lacking[4][1]
    fit = fitted(lacking)
    assert fit.degrees_of_freedom == 8 - 5
    assert fit.difference(1, 4)[1] > fit.difference(1, 2)[1]
    assert fit.effective_rounds(1, 2) == pytest.approx(3)
    assert 2 < fit.effective_rounds(1, 4) < 3  # the round without 4 still tells of the error


@given(
    st.integers(2, 5).flatmap(
        lambda rounds: st.lists(
            st.lists(st.floats(-1, 1), min_size=rounds, max_size=rounds), min_size=2, max_size=6
        )
    ),
    st.lists(st.floats(-1, 1), min_size=5, max_size=5),
)
def test_complete_rounds_have_the_textbook_solution(
    rows: list[list[float]], slowness: list[float]
) -> None:
    logs = np.array(rows)
    levels, rounds = logs.shape
    fit = fitted(exponentials(dict(enumerate((logs + slowness[:rounds]).tolist()))))
    residuals = logs - logs.mean(1, keepdims=True) - logs.mean(0) + logs.mean()
    freedom = (levels - 1) * (rounds - 1)
    deviation = math.sqrt((residuals**2).sum() / freedom)
    assert fit.degrees_of_freedom == freedom
    assert fit.standard_deviation == pytest.approx(deviation, abs=1e-12)
    estimate, error = fit.difference(1, 0)
    assert estimate == pytest.approx(logs[1].mean() - logs[0].mean(), abs=1e-12)
    assert error == pytest.approx(deviation * math.sqrt(2 / rounds), abs=1e-12)
    assert fit.effective_rounds(0, 1) == pytest.approx(rounds)


def test_standard_errors_are_the_spread_of_estimates_of_incomplete_rounds() -> None:
    generator = np.random.default_rng(3)
    estimates, variances = [], []
    for _ in range(1000):
        throughputs = exponentials(dict(enumerate(generator.normal(0, 0.1, (3, 4)).tolist())))
        del throughputs[0][1], throughputs[0][2], throughputs[2][4]
        estimate, error = fitted(throughputs).difference(0, 2)
        estimates.append(estimate)
        variances.append(error**2)
    # The standard deviation of a variance's estimate from 1000 normal values is 4.5 %.
    assert np.var(estimates) == pytest.approx(np.mean(variances), rel=0.15)


@pytest.mark.parametrize(
    "throughputs",
    [
        {},
        {1: {}},
        {1: {1: 10.0, 2: 11.0}},
        {1: {1: 10.0}, 2: {1: 20.0}},
        {1: {1: 10.0, 2: 11.0}, 2: {1: 20.0}},
        {  # 1 and 2 share no round with 3 and 4
            **{level: {1: 10.0, 2: 11.0, 3: 12.0} for level in (1, 2)},
            **{level: {4: 10.0, 5: 11.0, 6: 12.0} for level in (3, 4)},
        },
    ],
)
def test_what_leaves_no_error_or_no_link_has_no_fit(throughputs: Throughputs) -> None:
    assert fit_blocks(throughputs) is None


def test_levels_without_measurements_are_left_out() -> None:
    assert fitted({1: {1: 1.0, 2: 2.0}, 2: {1: 3.0, 2: 4.0}, 4: {}}).levels == (1, 2)


def test_a_throughput_of_zero_is_refused() -> None:
    with pytest.raises(ValueError, match="not positive"):
        fit_blocks({1: {1: 1.0, 2: 0.0}, 2: {1: 3.0, 2: 4.0}})
