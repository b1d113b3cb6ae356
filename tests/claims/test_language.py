import math
from collections.abc import Callable
from typing import Any

import pytest
from scipy import stats  # type: ignore[import-untyped]

from feedrate.claims.evidence import Evidence
from feedrate.claims.grammar import Compare
from feedrate.claims.language import Estimate, NotTestable, evaluate

MakeEvidence = Callable[..., Evidence]
Rounds = Callable[..., list[dict[str, Any]]]


def cells(workers: Any, metric: str = "warm_images_per_second", **more: Any) -> dict[str, Any]:
    return {"metric": metric, "condition": "light", "num_workers": workers} | more


def estimate(evidence: Evidence, equivalence: bool = False, **expression: Any) -> Estimate:
    found = evaluate(Compare.model_validate(expression), evidence, equivalence)
    assert isinstance(found, Estimate), found
    return found


def reason(evidence: Evidence, **expression: Any) -> str:
    found = evaluate(Compare.model_validate(expression), evidence)
    assert isinstance(found, NotTestable), found
    return found.reason


def test_a_ratio_is_paired_within_rounds(make_evidence: MakeEvidence, rounds: Rounds) -> None:
    # The rounds differ tenfold, the ratios are 2, 2 and 2.2.
    evidence = make_evidence(rounds({0: [1, 10, 100], 4: [2, 20, 220]}))
    found = estimate(evidence, ratio={"of": cells(4), "to": cells(0)})
    logs = [math.log(2), math.log(2), math.log(2.2)]
    mean = sum(logs) / 3
    deviation = math.sqrt(sum((each - mean) ** 2 for each in logs) / 2)
    margin = 4.302652729911275 * deviation / math.sqrt(3)  # t of 97.5 % with 2 degrees of freedom
    assert found.estimate == pytest.approx(math.exp(mean))
    assert found.low == pytest.approx(math.exp(mean - margin))
    assert found.high == pytest.approx(math.exp(mean + margin))
    assert (found.unit, found.coverage, found.rounds) == ("times", 0.95, 3)


def test_an_equivalence_has_a_90_percent_interval(
    make_evidence: MakeEvidence, rounds: Rounds
) -> None:
    evidence = make_evidence(rounds({0: [1, 1, 1], 4: [2, 2, 2.2]}))
    pair = {"of": cells(4), "to": cells(0)}
    wide, narrow = estimate(evidence, ratio=pair), estimate(evidence, True, ratio=pair)
    assert wide.low is not None
    assert narrow.low is not None
    share = math.log(narrow.low / narrow.estimate) / math.log(wide.low / wide.estimate)
    assert share == pytest.approx(stats.t.ppf(0.95, 2) / stats.t.ppf(0.975, 2))
    assert narrow.coverage == pytest.approx(0.9)


@pytest.mark.parametrize(("equivalence", "quantile"), [(False, 4.30265), (True, 2.91999)])
def test_a_difference_is_paired_too(
    make_evidence: MakeEvidence, rounds: Rounds, equivalence: bool, quantile: float
) -> None:
    evidence = make_evidence(rounds({0: [1, 10, 100], 4: [2, 12, 103]}))  # differences 1, 2, 3
    found = estimate(evidence, equivalence, difference={"of": cells(4), "minus": cells(0)})
    assert found.estimate == 2
    assert found.low == pytest.approx(2 - quantile / math.sqrt(3), abs=1e-4)
    assert found.high == pytest.approx(2 + quantile / math.sqrt(3), abs=1e-4)
    assert found.unit == "images/s"


def test_a_value_is_a_median_with_order_statistics(
    make_evidence: MakeEvidence, rounds: Rounds
) -> None:
    found = estimate(make_evidence(rounds({0: [5, 1, 3]})), value=cells(0))
    assert (found.estimate, found.low, found.high, found.coverage) == (3, 1, 5, 0.75)


def test_one_round_has_no_interval(make_evidence: MakeEvidence, rounds: Rounds) -> None:
    evidence = make_evidence(rounds({0: [1], 4: [2]}))
    for found in (
        estimate(evidence, ratio={"of": cells(4), "to": cells(0)}),
        estimate(evidence, difference={"of": cells(4), "minus": cells(0)}),
        estimate(evidence, value=cells(4)),
    ):
        assert (found.low, found.high, found.basis, found.certain) == (None, None, "1 round", False)


def test_a_resource_is_one_observation(make_evidence: MakeEvidence) -> None:
    runs = [
        {"num_workers": workers, "epoch": epoch, "total_memory_mib": memory, "main_cpu_cores": used}
        for workers, epoch, memory, used in [
            (2, 1, 300, 9), (2, 2, 200, 1), (2, 3, 100, 3), (0, 1, 100, 9), (0, 2, 150, 1),
        ]
    ]  # fmt: skip
    evidence = make_evidence([{"num_workers": 0}, {"num_workers": 2}], resources=runs)
    peak = estimate(evidence, value=cells(2, "total_memory_mib"))
    assert (peak.estimate, peak.low, peak.basis, peak.certain) == (
        300,
        None,
        "one observation",
        True,
    )
    assert estimate(evidence, value=cells(2, "main_cpu_cores")).estimate == 2  # warm epochs only
    pair = {"of": cells(2, "total_memory_mib"), "to": cells(0, "total_memory_mib")}
    assert estimate(evidence, ratio=pair).estimate == 2


def test_a_range_goes_over_all_runs_with_workers(make_evidence: MakeEvidence) -> None:
    runs = [
        {"num_workers": workers, "condition": condition, "epoch": epoch, "shared_memory_mib": peak}
        for workers, condition, epoch, peak in [
            (0, "light", 1, 0), (1, "light", 1, 2), (1, "light", 2, 3), (4, "heavy", 1, 40),
            (2, "light", 1, 5),
        ]
    ]  # fmt: skip
    found = estimate(
        make_evidence(resources=runs), range={"metric": "shared_memory_mib", "workers_above": 0}
    )
    assert (found.low, found.estimate, found.high) == (3, 5, 40)
    assert found.basis == "range over 3 runs"
    light = estimate(
        make_evidence(resources=runs),
        range={"metric": "shared_memory_mib", "workers_above": 0, "condition": "light"},
    )
    assert light.high == 5


def leak(memory: list[float]) -> list[dict[str, Any]]:
    return [
        {"arm": "leak", "num_workers": 2, "epoch": epoch, "end_memory_mib": value}
        for epoch, value in enumerate(memory, start=1)
    ]


def test_a_slope_is_a_trend_over_the_warm_epochs(make_evidence: MakeEvidence) -> None:
    evidence = make_evidence(resources=leak([900, 100, 103, 106, 109, 112, 115]))
    growth = {"metric": "end_memory_mib", "condition": "light"}
    found = estimate(evidence, slope=growth)
    assert (found.estimate, found.low, found.high) == (3, 3, 3)
    assert (found.unit, found.basis) == ("MiB per epoch", "6 warm epochs")
    short = make_evidence(resources=leak([900, 100, 103, 106, 109]))
    assert "4 warm epochs" in reason(short, slope=growth)
    assert "arm leak" in reason(make_evidence(), slope=growth)


def test_the_fewest_workers_near_the_best(make_evidence: MakeEvidence, rounds: Rounds) -> None:
    evidence = make_evidence(
        rounds({0: [50, 50.1, 49.9], 2: [98, 98.1, 98.2], 4: [100, 100.2, 99.9]})
    )
    found = estimate(evidence, fewest_near_best={"condition": "light"})
    assert (found.estimate, found.low, found.high, found.unit) == (2, 2, 2, "workers")
    noisy = make_evidence(rounds({0: [50, 90, 60], 2: [98, 60, 99], 4: [100, 70, 90]}))
    found = estimate(noisy, fewest_near_best={"condition": "light"})
    assert (found.low, found.high) == (0, 4)
    one = make_evidence(rounds({0: [50], 2: [98]}))
    assert "too few rounds" in reason(one, fewest_near_best={"condition": "light"})


def test_the_best_is_held_against_the_best_other(
    make_evidence: MakeEvidence, rounds: Rounds
) -> None:
    """To itself its ratio is 1 in every round, which would prove any best, however noisy."""
    steady = {0: [50, 50.1, 49.9], 2: [98, 98.1, 98.2], 4: [100, 100.2, 99.9]}
    best = {"condition": "light", "num_workers": "best"}
    found = estimate(make_evidence(rounds(steady)), over_best_other=best)
    assert found.estimate == pytest.approx(100 / 98, rel=0.002)
    assert found.low is not None
    assert found.low > 0.95
    assert (found.unit, found.coverage, found.rounds) == ("times", pytest.approx(0.9), 3)
    assert "light with 4 workers" in found.subject
    noisy = make_evidence(rounds({0: [50, 90, 60], 2: [98, 60, 99], 4: [100, 70, 90]}))
    found = estimate(noisy, over_best_other=best)
    assert found.low is not None
    assert found.low < 0.95
    few = {"condition": "light", "num_workers": 0}
    found = estimate(make_evidence(rounds(steady)), over_best_other=few)
    assert found.estimate == pytest.approx(0.5, rel=0.002)
    unmeasured = {"condition": "light", "num_workers": "physical_cores"}
    assert reason(make_evidence(rounds({0: [1, 1], 2: [2, 2]})), over_best_other=unmeasured) == (
        "no cells for condition light with 4 workers (physical_cores); worker counts measured: 0, 2"
    )
    one = make_evidence(rounds({0: [50], 2: [98]}))
    assert "too few rounds" in reason(one, over_best_other=best)


def test_the_best_above_a_number_over_the_best_up_to_it(
    make_evidence: MakeEvidence, rounds: Rounds
) -> None:
    throughputs = {0: 50, 2: 98, 4: 100, 8: 120, 16: 119}
    evidence = make_evidence(
        rounds({workers: [value, 1.01 * value, value] for workers, value in throughputs.items()})
    )
    found = estimate(evidence, best_over_best={"condition": "light", "above": "physical_cores"})
    assert (found.low, found.estimate, found.high) == (pytest.approx(1.2),) * 3
    assert (found.unit, found.coverage, found.rounds) == ("times", pytest.approx(0.9), 3)
    assert found.subject == (
        "warm throughput, light with the best of 8 or 16 workers, over the best of 0, 2 or 4"
    )
    missing = "no cells for condition light with more than 16 workers"
    assert missing in reason(evidence, best_over_best={"condition": "light", "above": 16})
    least = {"condition": "light", "above": {"least_of": [2, "physical_cores"]}}
    assert estimate(evidence, best_over_best=least).estimate == pytest.approx(120 / 98)
    one = make_evidence(rounds({0: [50], 8: [98]}))
    assert "too few rounds" in reason(one, best_over_best={"condition": "light", "above": 4})


@pytest.mark.parametrize(("form", "second"), [("ratio", "to"), ("difference", "minus")])
def test_a_setting_is_not_compared_with_itself(
    make_evidence: MakeEvidence, rounds: Rounds, form: str, second: str
) -> None:
    evidence = make_evidence(rounds({0: [1, 1], 4: [2, 3]}))
    assert reason(evidence, **{form: {"of": cells("physical_cores"), second: cells("best")}}) == (
        "both sides are light with 4 workers here, and nothing can be told from that"
    )


def test_a_fact_is_exact(make_evidence: MakeEvidence) -> None:
    found = estimate(make_evidence(os_cpu_count=28), fact="os_cpu_count")
    assert (found.low, found.estimate, found.high, found.certain) == (28, 28, 28, True)
    assert "unknown" in reason(make_evidence(os_cpu_count=None), fact="os_cpu_count")


@pytest.mark.parametrize(
    ("count", "expected"),
    [
        (2, 2),
        ("physical_cores", 4),
        ("best", 8),
        ("most", 16),
        ({"least_of": [8, "physical_cores", "usable_cores"]}, 4),
    ],
)
def test_counts_by_rule(
    make_evidence: MakeEvidence, rounds: Rounds, count: Any, expected: int
) -> None:
    throughputs = {0: 10, 2: 50, 4: 40, 8: 80, 16: 60}
    evidence = make_evidence(rounds({count: [value] * 2 for count, value in throughputs.items()}))
    assert estimate(evidence, value=cells(count)).estimate == throughputs[expected]


def test_what_is_missing_is_said(make_evidence: MakeEvidence, rounds: Rounds) -> None:
    evidence = make_evidence(rounds({0: [1, 1], 4: [2, 2]}), physical_cores=None)
    assert reason(evidence, value=cells(12)) == (
        "no cells for condition light with 12 workers; worker counts measured: 0, 4"
    )
    assert "8 workers (logical_cores)" in reason(evidence, value=cells("logical_cores"))
    assert "physical cores) is unknown" in reason(evidence, value=cells("physical_cores"))
    assert "measured: light" in reason(evidence, value=cells(0, condition="heavy"))
    assert "measured: none" in reason(make_evidence(), value=cells(0))
    assert "prefetch_factor 8" in reason(evidence, value=cells(4, prefetch_factor=8))
    for metric in ("loader_images_per_second", "gpu_busy_percent"):
        assert "has no cells for light with 4 workers" in reason(evidence, value=cells(4, metric))
    unsupported = make_evidence([{"num_workers": 4}], resources=[{"num_workers": 4, "epoch": 2}])
    assert "isn't reported" in reason(unsupported, value=cells(4, "gpu_utilisation_percent"))
    missing = {"metric": "shared_memory_mib", "workers_above": 0}
    assert "isn't reported" in reason(unsupported, range=missing)
    assert "more than 0 workers" in reason(make_evidence(), range=missing)


def test_settings_left_open_are_those_of_the_widest_sweep(
    make_evidence: MakeEvidence, rounds: Rounds
) -> None:
    rows = [
        *rounds({0: [1, 1], 2: [2, 2], 4: [3, 3]}, pin_memory=True),
        *rounds({4: [7, 7]}, pin_memory=False),
        *rounds({4: [8, 8]}, pin_memory=True, prefetch_factor=4),
        *rounds({4: [9, 9]}, pin_memory=True, batch_size=64),
    ]
    evidence = make_evidence(rows)
    assert estimate(evidence, value=cells(4)).estimate == 3
    assert estimate(evidence, value=cells(4, pin_memory=False)).estimate == 7
    assert estimate(evidence, value=cells(4, prefetch_factor=4)).estimate == 8
    assert estimate(evidence, value=cells(4, batch_size=64)).estimate == 9
    tied = make_evidence([*rounds({4: [1]}, pin_memory=True), *rounds({4: [1]}, pin_memory=False)])
    assert "pin_memory is left open and False and True" in reason(tied, value=cells(4))


def test_rounds_of_two_sessions_are_no_pairs(make_evidence: MakeEvidence, rounds: Rounds) -> None:
    pair = {"of": cells(4), "to": cells(0)}
    later = rounds({4: [9, 9]}, session="second")
    evidence = make_evidence([*rounds({0: [1, 1]}), *later])
    assert "share no round of one session" in reason(evidence, ratio=pair)
    evidence = make_evidence([*rounds({0: [1, 1], 2: [1, 1], 4: [2, 2]}), *later])
    found = estimate(evidence, ratio=pair)
    assert (found.estimate, found.rounds) == (pytest.approx(2), 2)


def test_ceilings_pair_by_repetition(make_evidence: MakeEvidence, rounds: Rounds) -> None:
    ceilings = [
        {"arm": arm, "repetition": number, "images_per_second": value}
        | ({"condition": ""} if arm == "step" else {})
        for arm, values in {"loader": [20, 22], "step": [40, 44], "resident": [60, 66]}.items()
        for number, value in enumerate(values, start=1)
    ]
    evidence = make_evidence(rounds({0: [10, 11], 4: [5, 5]}), ceilings)
    loader = cells(0, "loader_images_per_second")
    step = {"metric": "step_images_per_second"}
    resident = {"metric": "resident_images_per_second", "condition": "light"}
    assert estimate(evidence, ratio={"of": loader, "to": step}).estimate == pytest.approx(0.5)
    assert estimate(evidence, ratio={"of": loader, "to": cells(0)}).estimate == pytest.approx(2)
    assert estimate(evidence, ratio={"of": resident, "to": loader}).estimate == pytest.approx(3)
    assert "has no cells" in reason(evidence, value=step | {"batch_size": 64})
    assert "has no cells" in reason(make_evidence(), value=step)
    nothing = Evidence(*[make_evidence().ceilings] * 3, {})  # tables without rows have no columns
    assert "has no cells" in reason(nothing, value=step)
