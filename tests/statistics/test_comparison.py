import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats  # type: ignore[import-untyped]

from feedrate.statistics.comparison import (
    EQUIVALENCE_BOUND,
    MAXIMUM_ROUNDS,
    Comparison,
    Verdict,
    compare,
    compare_independent,
)

pairs = st.lists(st.tuples(st.floats(50, 200), st.floats(50, 200)), min_size=2, max_size=8)


def compared(numerator: list[float], denominator: list[float]) -> Comparison:
    comparison = compare(numerator, denominator)
    assert comparison is not None
    return comparison


def with_log_ratios(mean: float, deviation: float, rounds: int) -> Comparison:
    """The comparison of `rounds` pairs of log-ratios with exactly this mean and deviation."""
    scores = np.arange(rounds) - (rounds - 1) / 2
    log_ratios = mean + deviation * scores / scores.std(ddof=1)
    return compared(np.exp(log_ratios).tolist(), [1.0] * rounds)


def test_intervals_are_those_computed_by_hand() -> None:
    # Log-ratios 0.1, 0.2, 0.3: mean 0.2, standard error 0.1 / sqrt(3), two degrees of freedom.
    comparison = compared([math.exp(0.1), 2 * math.exp(0.2), 3 * math.exp(0.3)], [1.0, 2.0, 3.0])
    error = 0.1 / math.sqrt(3)
    assert comparison.ratio == pytest.approx(math.exp(0.2))
    assert comparison.low == pytest.approx(math.exp(0.2 - 4.302653 * error))
    assert comparison.high == pytest.approx(math.exp(0.2 + 4.302653 * error))
    assert comparison.low90 == pytest.approx(math.exp(0.2 - 2.919986 * error))
    assert comparison.high90 == pytest.approx(math.exp(0.2 + 2.919986 * error))
    assert (comparison.rounds, comparison.verdict) == (3, Verdict.UNDECIDED)
    # 4 rounds: t = 3.18, 0.2 / (0.1 / 2) = 4.
    assert comparison.more_rounds == 1


def test_what_slows_a_whole_round_cancels_out() -> None:
    comparison = compared([110, 55, 88], [100, 50, 80])
    assert comparison.ratio == pytest.approx(1.1)
    assert comparison.low == pytest.approx(1.1)
    assert comparison.verdict is Verdict.FASTER
    assert compared([100, 50, 80], [110, 55, 88]).verdict is Verdict.SLOWER


def test_identical_values_are_equivalent() -> None:
    values = [101.0, 99.0, 100.0]
    for comparison in (compared(values, values), compare_independent([7.0] * 2, [7.0] * 3)):
        assert comparison is not None
        assert (comparison.ratio, comparison.verdict) == (1, Verdict.EQUIVALENT)
        assert comparison.more_rounds is None
    assert compared(values, values).low == compared(values, values).high == 1


@pytest.mark.parametrize(
    ("mean", "deviation", "rounds", "verdict"),
    [
        (0.0, 0.02, 5, Verdict.EQUIVALENT),  # 2.13 * 0.02 / sqrt(5) = 0.019 < 0.0296
        (0.0, 0.02, 3, Verdict.UNDECIDED),  # 2.92 * 0.02 / sqrt(3) = 0.034
        (0.01, 0.002, 5, Verdict.EQUIVALENT),  # surely faster, and surely by too little to matter
        (0.05, 0.02, 5, Verdict.FASTER),  # 2.78 * 0.02 / sqrt(5) = 0.025
        (-0.05, 0.02, 5, Verdict.SLOWER),
        (0.02, 0.02, 5, Verdict.UNDECIDED),
    ],
)
def test_verdicts(mean: float, deviation: float, rounds: int, verdict: Verdict) -> None:
    assert with_log_ratios(mean, deviation, rounds).verdict is verdict


@given(st.floats(-0.1, 0.1), st.floats(0.001, 0.3), st.integers(2, 10))
def test_more_rounds_are_the_fewest_that_bring_a_verdict(
    mean: float, deviation: float, rounds: int
) -> None:
    comparison = with_log_ratios(mean, deviation, rounds)
    more = comparison.more_rounds
    if comparison.verdict is not Verdict.UNDECIDED:
        assert more is None
    elif more is None:
        after = with_log_ratios(mean, deviation, rounds + MAXIMUM_ROUNDS)
        assert after.verdict is Verdict.UNDECIDED
    else:
        assert 1 <= more <= MAXIMUM_ROUNDS
        assert with_log_ratios(mean, deviation, rounds + more).verdict is not Verdict.UNDECIDED
        if more > 1:
            before = with_log_ratios(mean, deviation, rounds + more - 1)
            assert before.verdict is Verdict.UNDECIDED


def test_a_verdict_out_of_reach_has_no_number_of_rounds() -> None:
    comparison = with_log_ratios(math.log1p(EQUIVALENCE_BOUND), 1.0, 3)
    assert (comparison.verdict, comparison.more_rounds) == (Verdict.UNDECIDED, None)


@given(pairs)
def test_exchanging_the_sides_inverts_everything(values: list[tuple[float, float]]) -> None:
    one, other = [a for a, _ in values], [b for _, b in values]
    exchanged = {Verdict.FASTER: Verdict.SLOWER, Verdict.SLOWER: Verdict.FASTER}
    for function in (compare, compare_independent):
        there, back = function(one, other), function(other, one)
        assert there is not None
        assert back is not None
        assert there.ratio == pytest.approx(1 / back.ratio)
        assert there.low == pytest.approx(1 / back.high)
        assert there.high90 == pytest.approx(1 / back.low90)
        assert there.verdict is exchanged.get(back.verdict, back.verdict)
        assert there.more_rounds == back.more_rounds
        assert there.low <= there.low90 <= there.ratio <= there.high90 <= there.high


@given(
    st.lists(st.floats(50, 200), min_size=2, max_size=6),
    st.lists(st.floats(50, 200), min_size=2, max_size=6),
)
def test_independent_samples_have_welchs_interval(one: list[float], other: list[float]) -> None:
    assume(np.ptp(one) > 1)
    assume(np.ptp(other) > 1)
    comparison = compare_independent(one, other)
    expected = stats.ttest_ind(np.log(one), np.log(other), equal_var=False).confidence_interval(
        0.95
    )
    assert comparison is not None
    assert math.log(comparison.low) == pytest.approx(expected.low)
    assert math.log(comparison.high) == pytest.approx(expected.high)
    assert comparison.rounds == min(len(one), len(other))


def test_a_session_that_is_slower_as_a_whole_is_detected() -> None:
    comparison = compare_independent([900, 905, 910], [1000, 1003, 1006, 1009])
    assert comparison is not None
    assert (comparison.verdict, comparison.more_rounds) == (Verdict.SLOWER, None)


def test_one_value_each_is_too_few() -> None:
    assert compare([1.0], [2.0]) is None
    assert compare_independent([1.0], [2.0, 3.0]) is None
    assert compare_independent([1.0, 2.0], []) is None


def test_what_has_no_ratio_is_refused() -> None:
    with pytest.raises(ValueError, match="3 values can't be paired with 2"):
        compare([1, 2, 3], [1, 2])
    for function in (compare, compare_independent):
        with pytest.raises(ValueError, match="not positive"):
            function([1, 2], [1, 0])
