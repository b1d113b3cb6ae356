"""One setting entered twice (A/A): a difference must not be found more often than promised."""

import math

import numpy as np
import pytest

from feedrate.statistics.comparison import Verdict, compare, compare_independent

TRIALS = 2_000
SLACK = 3 * math.sqrt(0.05 * 0.95 / TRIALS)
"""Three standard deviations of a share of 5 % in so many trials: 1.5 percentage points."""


@pytest.mark.parametrize("noise", [0.005, 0.02, 0.1])
@pytest.mark.parametrize("rounds", [3, 5, 10])
def test_at_most_one_in_twenty_is_called_different(noise: float, rounds: int) -> None:
    generator = np.random.default_rng(rounds)
    shared = generator.normal(0, 0.05, (TRIALS, 1, rounds))  # a round is slow for both
    trials = np.exp(7 + shared + generator.normal(0, noise, (TRIALS, 2, rounds)))
    different, covering = 0, 0
    for first, second in trials.tolist():
        comparison = compare(first, second)
        assert comparison is not None
        different += comparison.verdict in (Verdict.FASTER, Verdict.SLOWER)
        covering += comparison.low <= 1 <= comparison.high
    assert different / TRIALS <= 0.05 + SLACK
    # Neither less often nor, by intervals wider than they have to be, more.
    assert covering / TRIALS == pytest.approx(0.95, abs=SLACK)


@pytest.mark.parametrize(
    ("rounds", "others", "promised"), [(3, 3, 0.05), (5, 10, 0.05), (3, 10, 0.065)]
)
def test_neither_are_two_sessions(rounds: int, others: int, promised: float) -> None:
    generator = np.random.default_rng(rounds + others)
    different = 0
    for _ in range(TRIALS):
        first, second = (np.exp(generator.normal(7, 0.05, size)) for size in (rounds, others))
        comparison = compare_independent(first.tolist(), second.tolist())
        assert comparison is not None
        different += comparison.verdict in (Verdict.FASTER, Verdict.SLOWER)
    assert different / TRIALS <= promised + SLACK


@pytest.mark.parametrize("ratio", [1.03, 1 / 1.03])
def test_a_difference_at_the_bound_is_seldom_called_equivalent(ratio: float) -> None:
    generator = np.random.default_rng(7)
    trials = np.exp(generator.normal(0, 0.01, (TRIALS, 2, 5)))
    equivalent = 0
    for first, second in trials:
        comparison = compare((ratio * first).tolist(), second.tolist())
        assert comparison is not None
        equivalent += comparison.verdict is Verdict.EQUIVALENT
    assert equivalent / TRIALS <= 0.05 + SLACK
