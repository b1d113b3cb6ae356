import math
from collections.abc import Callable
from typing import Any

import pandas as pd
import pytest

from feedrate.claims.evidence import Evidence, NoData
from feedrate.claims.metrics import METRICS
from feedrate.claims.operators import Compare
from feedrate.claims.operators.operator import Estimate

MakeEvidence = Callable[..., Evidence]
Rounds = Callable[..., list[dict[str, Any]]]

STEADY = {0: [50, 50.1, 49.9], 2: [98, 98.1, 98.2], 4: [100, 100.2, 99.9]}
NOISY = {0: [50, 90, 60], 2: [98, 60, 99], 4: [100, 70, 90]}


def cells(workers: Any, metric: str = "warm_images_per_second", **more: Any) -> dict[str, Any]:
    return {"metric": metric, "condition": "light", "num_workers": workers} | more


def estimate(evidence: Evidence, confidence: float = 0.95, **expression: Any) -> Estimate:
    return Compare.model_validate(expression).operator.evaluate(evidence, confidence)


def unit(**expression: Any) -> str:
    return Compare.model_validate(expression).operator.unit


def reason(evidence: Evidence, **expression: Any) -> str:
    with pytest.raises(NoData) as caught:
        estimate(evidence, **expression)
    return str(caught.value)


# --- pairs ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("confidence", "quantile"), [(0.95, 4.302653), (0.9, 2.919986)])
def test_a_ratio_is_paired_within_rounds(
    make_evidence: MakeEvidence, rounds: Rounds, confidence: float, quantile: float
) -> None:
    # The rounds differ tenfold, the ratios are 2, 2 and 2.2.
    evidence = make_evidence(rounds({0: [1, 10, 100], 4: [2, 20, 220]}))
    pair = {"of": cells(4), "to": cells(0)}
    found = estimate(evidence, confidence, ratio=pair)
    # Logarithms 0, 0 and log 1.1 above log 2: mean a third, standard error a third of log 1.1.
    mean, error = math.log(2) + math.log(1.1) / 3, math.log(1.1) / 3
    assert found.estimate == pytest.approx(math.exp(mean))
    assert found.low == pytest.approx(math.exp(mean - quantile * error))
    assert found.high == pytest.approx(math.exp(mean + quantile * error))
    assert (found.coverage, found.rounds, unit(ratio=pair)) == (confidence, 3, "times")


@pytest.mark.parametrize(("confidence", "quantile"), [(0.95, 4.302653), (0.9, 2.919986)])
def test_a_difference_is_paired_too(
    make_evidence: MakeEvidence, rounds: Rounds, confidence: float, quantile: float
) -> None:
    evidence = make_evidence(rounds({0: [1, 10, 100], 4: [2, 12, 103]}))  # differences 1, 2, 3
    pair = {"of": cells(4), "minus": cells(0)}
    found = estimate(evidence, confidence, difference=pair)
    assert found.estimate == 2
    assert found.low == pytest.approx(2 - quantile / math.sqrt(3))
    assert found.high == pytest.approx(2 + quantile / math.sqrt(3))
    assert unit(difference=pair) == "images/s"


@pytest.mark.parametrize(("form", "second"), [("ratio", "to"), ("difference", "minus")])
def test_a_setting_is_not_compared_with_itself(
    make_evidence: MakeEvidence, rounds: Rounds, form: str, second: str
) -> None:
    evidence = make_evidence(rounds({0: [1, 1], 4: [2, 3]}))
    assert reason(evidence, **{form: {"of": cells("physical_cores"), second: cells("most")}}) == (
        "both sides are light with 4 workers here, so there is nothing to compare"
    )


def test_rounds_of_two_groups_are_not_paired(make_evidence: MakeEvidence, rounds: Rounds) -> None:
    pair = {"of": cells(4), "to": cells(0)}
    later = rounds({4: [9, 9]}, group="second")
    evidence = make_evidence([*rounds({0: [1, 1]}), *later])
    assert "share no round of one session" in reason(evidence, ratio=pair)
    evidence = make_evidence([*rounds({0: [1, 1], 4: [2, 2]}), *later])
    found = estimate(evidence, ratio=pair)
    assert (found.estimate, found.rounds) == (pytest.approx(2), 2)


def test_a_ratio_needs_values_above_zero(make_evidence: MakeEvidence) -> None:
    resources = [{"num_workers": each, "shared_memory_mib": 8 * each} for each in (0, 4)]
    evidence = make_evidence([{"num_workers": 0}, {"num_workers": 4}], resources=resources)
    pair = {"of": cells(4, "shared_memory_mib"), "to": cells(0, "shared_memory_mib")}
    assert "values above zero" in reason(evidence, ratio=pair)


def test_ceilings_pair_by_round(make_evidence: MakeEvidence, rounds: Rounds) -> None:
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
    # Tables without rows may have no columns.
    nothing = Evidence(pd.DataFrame(), pd.DataFrame(), pd.DataFrame(), {})
    assert "has no cells" in reason(nothing, value=step)


# --- what compares nothing ------------------------------------------------------------------------


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
        told = (found.low, found.high, found.rests_on, found.certain)
        assert told == (None, None, "1 round", False)


def test_a_resource_is_one_observation(make_evidence: MakeEvidence) -> None:
    runs = [
        {"num_workers": workers, "epoch": epoch, "total_memory_mib": memory, "main_cpu_cores": used}
        for workers, epoch, memory, used in [
            (2, 1, 300, 9), (2, 2, 200, 1), (2, 3, 100, 3), (0, 1, 100, 9), (0, 2, 150, 1),
        ]
    ]  # fmt: skip
    evidence = make_evidence([{"num_workers": 0}, {"num_workers": 2}], resources=runs)
    peak = estimate(evidence, value=cells(2, "total_memory_mib"))
    assert (peak.estimate, peak.low, peak.rests_on) == (300, None, "one observation")
    assert peak.certain
    assert estimate(evidence, value=cells(2, "main_cpu_cores")).estimate == 2  # warm epochs only
    pair = {"of": cells(2, "total_memory_mib"), "to": cells(0, "total_memory_mib")}
    assert estimate(evidence, ratio=pair).estimate == pytest.approx(2)


def test_a_fact_is_exact(make_evidence: MakeEvidence) -> None:
    found = estimate(make_evidence(os_cpu_count=28), fact="os_cpu_count")
    assert (found.low, found.estimate, found.high, found.certain) == (28, 28, 28, True)
    assert "unknown" in reason(make_evidence(os_cpu_count=None), fact="os_cpu_count")


# --- resources ------------------------------------------------------------------------------------


def test_a_range_goes_over_all_runs_with_workers(make_evidence: MakeEvidence) -> None:
    runs = [
        {"num_workers": workers, "condition": condition, "epoch": epoch, "shared_memory_mib": peak}
        for workers, condition, epoch, peak in [
            (0, "light", 1, 0), (1, "light", 1, 2), (1, "light", 2, 3), (4, "heavy", 1, 40),
            (2, "light", 1, 5),
        ]
    ]  # fmt: skip
    evidence = make_evidence(resources=runs)
    every = {"metric": "shared_memory_mib", "workers_above": 0}
    found = estimate(evidence, range=every)
    assert (found.low, found.estimate, found.high) == (3, 5, 40)
    assert (found.rests_on, unit(range=every)) == ("range over 3 runs", "MiB")
    assert estimate(evidence, range=every | {"condition": "light"}).high == 5
    assert "more than 4 workers" in reason(evidence, range=every | {"workers_above": 4})
    assert "isn't reported" in reason(evidence, range=every | {"metric": "gpu_busy_percent"})


def test_a_slope_is_a_trend_over_the_warm_epochs(make_evidence: MakeEvidence) -> None:
    def leak(*memory: float) -> Evidence:
        shared = {"arm": "leak", "num_workers": 2}
        numbered = enumerate(memory, start=1)
        rows = [shared | {"epoch": epoch, "end_memory_mib": value} for epoch, value in numbered]
        return make_evidence(resources=rows)

    growth = {"metric": "end_memory_mib", "condition": "light"}
    found = estimate(leak(900, 100, 103, 106, 109, 112, 115), slope=growth)
    assert (found.estimate, found.low, found.high) == (3, 3, 3)
    assert (found.rests_on, unit(slope=growth)) == ("6 warm epochs", "MiB per epoch")
    assert "4 warm epochs" in reason(leak(900, 100, 103, 106, 109), slope=growth)
    assert "arm leak" in reason(leak(), slope=growth)


# --- the best -------------------------------------------------------------------------------------


def test_the_fewest_workers_near_the_best(make_evidence: MakeEvidence, rounds: Rounds) -> None:
    light = {"condition": "light"}
    found = estimate(make_evidence(rounds(STEADY)), fewest_near_best=light)
    assert (found.estimate, found.low, found.high) == (2, 2, 2)
    assert unit(fewest_near_best=light) == "workers"
    found = estimate(make_evidence(rounds(NOISY)), fewest_near_best=light)
    assert (found.low, found.high) == (0, 4)


def test_a_number_is_held_against_the_best_other(
    make_evidence: MakeEvidence, rounds: Rounds
) -> None:
    """The best's ratio to itself is 1 in every round, which would prove any best, however noisy."""
    best = {"condition": "light", "num_workers": "most"}
    found = estimate(make_evidence(rounds(STEADY)), over_best_other=best)
    assert found.estimate == pytest.approx(100 / 98, rel=0.002)
    assert found.low is not None
    assert found.low > 0.95
    assert (found.coverage, found.rounds, unit(over_best_other=best)) == (
        pytest.approx(0.9),
        3,
        "times",
    )
    assert "light with 4 workers" in found.subject
    found = estimate(make_evidence(rounds(NOISY)), over_best_other=best)
    assert found.low is not None
    assert found.low < 0.95
    few = {"condition": "light", "num_workers": 0}
    found = estimate(make_evidence(rounds(STEADY)), over_best_other=few)
    assert found.estimate == pytest.approx(0.5, rel=0.002)
    unmeasured = {"condition": "light", "num_workers": "physical_cores"}
    assert reason(make_evidence(rounds({0: [1, 1], 2: [2, 2]})), over_best_other=unmeasured) == (
        "no cells for condition light with 4 workers (physical_cores); worker counts measured: 0, 2"
    )


def test_the_best_above_a_number_over_the_best_up_to_it(
    make_evidence: MakeEvidence, rounds: Rounds
) -> None:
    throughputs = {0: 50, 2: 98, 4: 100, 8: 120, 16: 119}
    evidence = make_evidence(
        rounds({workers: [value, 1.01 * value, value] for workers, value in throughputs.items()})
    )
    found = estimate(evidence, best_over_best={"condition": "light", "above": "physical_cores"})
    assert (found.low, found.estimate, found.high) == (pytest.approx(1.2),) * 3
    assert (found.coverage, found.rounds) == (pytest.approx(0.9), 3)
    assert found.subject == (
        "warm throughput, light with the best of 8 or 16 workers, over the best of 0, 2 or 4"
    )
    missing = "no cells for condition light with more than 16 workers"
    assert missing in reason(evidence, best_over_best={"condition": "light", "above": 16})
    least = {"condition": "light", "above": {"least_of": [2, "physical_cores"]}}
    assert estimate(evidence, best_over_best=least).estimate == pytest.approx(120 / 98)


@pytest.mark.parametrize(
    "expression",
    [
        {"fewest_near_best": {"condition": "light"}},
        {"over_best_other": {"condition": "light", "num_workers": 2}},
        {"best_over_best": {"condition": "light", "above": 0}},
    ],
)
def test_one_round_shows_no_best(
    make_evidence: MakeEvidence, rounds: Rounds, expression: dict[str, Any]
) -> None:
    assert "too few rounds" in reason(make_evidence(rounds({0: [50], 2: [98]})), **expression)


# --- what is selected -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("count", "expected"),
    [
        (2, 2),
        ("physical_cores", 4),
        ("most", 16),
        ({"least_of": [8, "physical_cores", "usable_cores"]}, 4),
        ({"least_of": ["usable_cores", {"least_of": ["most"]}]}, 8),
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


def test_settings_left_open_are_those_of_the_widest_sweep(
    make_evidence: MakeEvidence, rounds: Rounds
) -> None:
    rows = [
        *rounds({0: [1, 1], 2: [2, 2], 4: [3, 3]}, pin_memory=True),
        *rounds({4: [7, 7]}, pin_memory=False),
        *rounds({4: [8, 8]}, pin_memory=True, prefetch_factor=4),
        *rounds({4: [9, 9]}, pin_memory=True, batch_size=64),
        *rounds({4: [6, 6]}, pin_memory=True, start_method="spawn"),
    ]
    evidence = make_evidence(rows)
    assert estimate(evidence, value=cells(4)).estimate == 3
    assert estimate(evidence, value=cells(4, pin_memory=False)).estimate == 7
    assert estimate(evidence, value=cells(4, prefetch_factor=4)).estimate == 8
    assert estimate(evidence, value=cells(4, batch_size=64)).estimate == 9
    assert estimate(evidence, value=cells(4, start_method="spawn")).estimate == 6
    assert estimate(evidence, value=cells(0, prefetch_factor=4)).estimate == 1


def test_of_sweeps_that_are_equally_wide_a_claim_must_name_one(
    make_evidence: MakeEvidence, rounds: Rounds
) -> None:
    tied = make_evidence([*rounds({4: [1]}, pin_memory=True), *rounds({4: [2]}, pin_memory=False)])
    assert reason(tied, value=cells(4)) == (
        "2 sweeps of light have equally many worker counts, with another pin_memory; "
        "the claim must say which"
    )
    assert estimate(tied, value=cells(4, pin_memory=False)).estimate == 2


def test_every_measured_column_is_a_metric_in_its_unit() -> None:
    for name, expected in {
        "first_epoch_seconds": "s",
        "warm_images_per_second": "images/s",
        "step_images_per_second": "images/s",
        "workers_memory_mib": "MiB",
        "workers_cpu_cores": "cores",
        "gpu_busy_percent": "%",
        "gpu_clock_mhz": "MHz",
    }.items():
        assert METRICS[name].unit == expected
    assert not {"samples", "epoch", "gpu_clock_events", "num_workers"} & METRICS.keys()
