import math

import numpy as np
import pytest

from feedrate.statistics.plateau import (
    NEAR_BEST,
    Plateau,
    best_over_best,
    plateau,
    rounds_to_prove,
)

Curve = dict[int, float]
Throughputs = dict[int, dict[int, float]]

TRIALS = 400
SHARED_NOISE = 0.03
"""What slows or speeds a whole round, such as the clock or other load."""

SHARP: Curve = {workers: min(100.0 * workers, 850.0) for workers in (1, 2, 4, 6, 8, 9, 12, 16)}
"""A knee between 8 and 9 workers: 8 reach 94 %."""

GRADUAL: Curve = {workers: 1000 * workers / (workers + 2) for workers in (1, 2, 4, 8, 16, 24, 32)}
"""16 workers reach 94.4 % of 32, 24 reach 98.1 %."""

PUBLIC: Curve = {1: 265, 2: 489, 4: 870, 8: 1206, 16: 1144, 32: 607}


def measured(
    curve: Curve, noise: float, rounds: int, generator: np.random.Generator
) -> Throughputs:
    shared = generator.normal(0, SHARED_NOISE, rounds)
    return {
        workers: dict(
            enumerate(
                (throughput * np.exp(shared + generator.normal(0, noise, rounds))).tolist(), 1
            )
        )
        for workers, throughput in curve.items()
    }


def exact(curve: Curve, scores: tuple[float, ...]) -> Throughputs:
    """Rounds with errors of these sizes, of opposite signs in neighbouring levels."""
    return {
        workers: {
            number: throughput * math.exp((-1) ** index * score)
            for number, score in enumerate(scores, 1)
        }
        for index, (workers, throughput) in enumerate(curve.items())
    }


def found(throughputs: Throughputs) -> Plateau:
    result = plateau(throughputs)
    assert result is not None
    return result


def near_best(curve: Curve) -> list[int]:
    return [w for w, each in curve.items() if each >= (1 - NEAR_BEST) * max(curve.values())]


@pytest.mark.parametrize("curve", [SHARP, GRADUAL], ids=["sharp", "gradual"])
@pytest.mark.parametrize("rounds", [3, 5])
def test_the_truth_lies_between_not_excluded_and_proven(curve: Curve, rounds: int) -> None:
    generator = np.random.default_rng(rounds)
    near = near_best(curve)
    held, true_proofs, proofs = 0, 0, 0
    for _ in range(TRIALS):
        result = found(measured(curve, 0.02, rounds, generator))
        proven = result.smallest_proven
        held += result.smallest_not_excluded <= near[0] <= (proven or math.inf)
        proofs += proven is not None
        true_proofs += proven in near
    assert held / TRIALS >= 0.95
    assert true_proofs / proofs >= 0.95
    assert proofs / TRIALS >= 0.9  # never proving anything would be safe as well


def test_overlapping_ranges_mostly_pick_a_setting_that_isnt_near_the_best() -> None:
    generator = np.random.default_rng(5)
    naive = 0
    for _ in range(TRIALS):
        throughputs = measured(GRADUAL, 0.02, 5, generator)
        best = found(throughputs).best
        picked = min(
            workers
            for workers, by_round in throughputs.items()
            if max(by_round.values()) >= min(throughputs[best].values())
        )
        naive += picked not in near_best(GRADUAL)
    assert naive / TRIALS > 0.8


def test_the_public_sweep() -> None:
    generator = np.random.default_rng(1)
    for _ in range(20):
        throughputs = measured(PUBLIC, 0.01, 5, generator)
        result = found(throughputs)
        assert (result.best, result.declines_from) == (8, 16)
        assert result.smallest_not_excluded == result.smallest_proven == 8
        assert result.not_excluded in ((8,), (8, 16))  # 1144 is 94.9 % of 1206
        assert rounds_to_prove(throughputs) is None


def test_a_flat_curve_seldom_declines() -> None:
    """The best is picked by chance then, and all above it are compared with a lucky number."""
    generator = np.random.default_rng(2)
    flat = dict.fromkeys((1, 2, 4, 8, 16, 32), 1000.0)
    declines = [found(measured(flat, 0.02, 5, generator)).declines_from for _ in range(1000)]
    # 5 % and three standard deviations of that share.
    assert sum(each is not None for each in declines) / 1000 <= 0.05 + 0.021


def test_ratios_and_their_intervals_are_those_computed_by_hand() -> None:
    # Two levels, errors of +-0.01: log-ratios differ by 0.02 from their mean 0, s = 0.02 / sqrt(2)
    # a round, standard error 0.02, one degree of freedom, t = 6.3138.
    result = found(exact({1: 100, 2: 200}, (0.01, -0.01)))
    assert result.best == 2
    wide = math.exp(6.3138 * 0.02)
    assert result.over_best_other[1] == pytest.approx((0.5, 0.5 / wide, 0.5 * wide), rel=1e-5)
    assert result.over_best_other[2] == pytest.approx((2, 2 / wide, 2 * wide), rel=1e-5)
    assert result.proven == result.not_excluded == (2,)
    assert result.declines_from is None


def test_what_shakes_slow_levels_says_nothing_about_the_fast_ones() -> None:
    # 4 and 8 are bounded by the device and steady; 0 follows the machine, by 8 % a round.
    steady = {4: {1: 1000.0, 2: 1001.0, 3: 999.0}, 8: {1: 1001.0, 2: 1000.0, 3: 1001.0}}
    shaken = {0: {1: 300.0, 2: 276.0, 3: 324.0}}
    result = found(shaken | steady)
    assert result.proven == (4, 8)
    assert result.not_excluded == (4, 8)
    pair = found(steady).over_best_other
    assert result.over_best_other[4][:2] == pair[4][:2]
    # The upper bound is corrected for two others instead of one.
    assert result.over_best_other[4][2] > pair[4][2]


def test_the_bounds_hold_together_and_prove_what_they_say() -> None:
    result = found(exact({1: 900, 2: 1000, 4: 990}, (0.01, -0.01)))
    # The first round has the errors e, -e, e, the second the opposite. Without the rounds' means of
    # e/3 the residuals are 2/3 e, -4/3 e, 2/3 e, twice; their squares add up to 2 * 24/9 e^2, with
    # 2 degrees of freedom. The quantiles of t are 2.91999 (95 %) and 4.30265 (97.5 %).
    error = math.sqrt(24 / 9) * 0.01 * math.sqrt(2 / 2)
    low, high = math.exp(-2.919986 * error), math.exp(4.302653 * error)
    assert result.over_best_other[1] == pytest.approx((0.9, 0.9 * low, 0.9 * high), rel=1e-5)
    assert result.over_best_other[2] == pytest.approx((1 / 0.99, low / 0.99, high / 0.99), rel=1e-5)
    assert result.over_best_other[4] == pytest.approx((0.99, 0.99 * low, 0.99 * high), rel=1e-5)
    assert result.proven == (2,)  # 0.963 above 0.95; 4 has 0.944
    assert result.not_excluded == (1, 2, 4)  # 1 may reach 0.966


def test_the_best_of_a_group_over_the_best_of_another_by_hand() -> None:
    throughputs = exact({1: 900, 2: 1000, 4: 990}, (0.01, -0.01))
    error = math.sqrt(24 / 9) * 0.01  # as above; two levels to choose from take t of 97.5 %
    ratio, low, high = 10 / 9, math.exp(-4.302653 * error), math.exp(2.919986 * error)
    assert best_over_best(throughputs, [2, 4], [1]) == pytest.approx(
        (ratio, ratio * low, ratio * high), rel=1e-5
    )
    assert best_over_best(throughputs, [1], [2, 4]) == pytest.approx(
        (1 / ratio, 1 / (ratio * high), 1 / (ratio * low)), rel=1e-5
    )
    assert best_over_best({1: {1: 10.0}, 2: {1: 20.0}}, [1], [2]) is None
    with pytest.raises(ValueError, match="a level"):
        best_over_best(throughputs, [], [1])


@pytest.mark.parametrize("ratio", [1.0, 1.2])
def test_bounds_of_a_ratio_of_the_best_allow_for_the_choice(ratio: float) -> None:
    generator = np.random.default_rng(3)
    curve: Curve = {1: 1000, 2: 1000, 4: 1000 * ratio, 8: 1000 * ratio, 16: 1000 * ratio}
    low_errs = high_errs = 0
    for _ in range(1000):
        bounds = best_over_best(measured(curve, 0.02, 5, generator), [4, 8, 16], [1, 2])
        assert bounds is not None
        low_errs += bounds[1] > ratio
        high_errs += bounds[2] < ratio
    # 5 % and three standard deviations of that share.
    assert low_errs / 1000 <= 0.05 + 0.021
    assert high_errs / 1000 <= 0.05 + 0.021


def test_too_much_noise_proves_nothing_and_excludes_little() -> None:
    result = found(exact({1: 100, 2: 970, 4: 1000}, (0.1, -0.1, 0.0)))
    assert (result.smallest_proven, result.proven) == (None, ())
    assert result.not_excluded == (2, 4)
    assert (result.smallest_not_excluded, result.best) == (2, 4)


def test_near_is_what_is_asked_for() -> None:
    throughputs = exact({1: 100, 2: 900, 4: 1000}, (0.001, -0.001, 0.0))
    assert found(throughputs).smallest_proven == 4
    wider = plateau(throughputs, near=0.2)
    assert wider is not None
    assert (wider.smallest_not_excluded, wider.smallest_proven) == (2, 2)


def test_exact_measurements_decide_everything() -> None:
    result = found(exact(SHARP, (0.0, 0.0, 0.0)))
    assert result.not_excluded == result.proven == (9, 12, 16)


def test_one_level_or_one_round_has_no_plateau() -> None:
    for throughputs in ({4: {1: 10.0, 2: 11.0}}, {1: {1: 10.0}, 2: {1: 20.0}}):
        assert plateau(throughputs) is None
        assert rounds_to_prove(throughputs) is None


def test_as_many_more_rounds_as_projected_prove_the_smallest_near_level() -> None:
    curve: Curve = {1: 100, 2: 980, 4: 1000}
    scores = (0.05, -0.05)
    more = rounds_to_prove(exact(curve, scores))
    assert more is not None
    assert found(exact(curve, scores)).smallest_proven is None

    def proven_after(further: int) -> int | None:
        rounds = len(scores) + further
        pattern = np.where(np.arange(rounds) % 2, -1.0, 1.0)
        pattern -= pattern.mean()
        # The same residual deviation: squares in proportion to the degrees of freedom.
        pattern *= math.sqrt(2 * 0.05**2 * (rounds - 1) / (pattern**2).sum())
        return found(exact(curve, tuple(pattern.tolist()))).smallest_proven

    assert proven_after(more) == 2
    assert proven_after(more - 1) == 4  # not 2 yet


def test_a_level_hardly_near_the_best_needs_more_rounds_than_anyone_waits_for() -> None:
    assert rounds_to_prove(exact({1: 100, 2: 950.001, 4: 1000}, (0.05, -0.05, 0.0))) is None
    assert rounds_to_prove(exact({1: 100, 2: 990, 4: 1000}, (0.0001, -0.0001, 0.0))) is None
