import dataclasses
import json
import math
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedrate.claims.bounds import Region
from feedrate.claims.evidence import Evidence, facts_of
from feedrate.claims.ledger import Entry, judge, ledger
from feedrate.claims.model import Claim, ClaimsFile
from feedrate.claims.operators.operator import Estimate

MakeEvidence = Callable[..., Evidence]
Rounds = Callable[..., list[dict[str, Any]]]


def cells(workers: Any, metric: str = "warm_images_per_second") -> dict[str, Any]:
    return {"metric": metric, "condition": "light", "num_workers": workers}


GAIN = {"ratio": {"of": cells(4), "to": cells(0)}}


def judged(evidence: Evidence, **fields: Any) -> Entry:
    base = {"id": "a-claim", "article": "A", "place": "somewhere", "claim": "It is so."}
    return judge(Claim.model_validate(base | fields), evidence)


@pytest.fixture
def twice(make_evidence: MakeEvidence, rounds: Rounds) -> Evidence:
    """4 workers are twice as fast as none, within 1.9 and 2.1."""
    return make_evidence(rounds({0: [10, 10, 10, 10], 4: [20, 20.4, 19.6, 20]}))


@pytest.mark.parametrize(
    ("holds", "verdict"),
    [
        ({"above": 1.5}, "reproduced"),
        ({"above": 2.5}, "contradicted"),
        ({"above": 2}, "undecided"),
        ({"below": 2.5}, "reproduced"),
        ({"below": 1.5}, "contradicted"),
        ({"below": 2}, "undecided"),
        ({"between": [1.5, 2.5]}, "reproduced"),
        ({"between": [2.5, 3]}, "contradicted"),
        ({"between": [2, 3]}, "undecided"),
        ({"equivalent_within": 2}, "reproduced"),
        ({"equivalent_within": 0.03}, "contradicted"),
        ({"equivalent_within": 1}, "undecided"),
    ],
)
def test_the_interval_decides(twice: Evidence, holds: dict[str, Any], verdict: str) -> None:
    assert judged(twice, compare=GAIN, holds=holds).verdict == verdict


def test_the_reason_has_the_numbers(twice: Evidence) -> None:
    entry = judged(twice, compare=GAIN, holds={"above": 1.03})
    assert entry.reason == (
        "Warm throughput, light with 4 workers, over light with 0 workers: 2 times "
        "(95 % interval 1.948 to 2.052, 4 rounds). The claim holds above 1.03 times."
    ).replace(": 2 times", f": {entry.estimate:.4g} times")
    assert (entry.unit, entry.rounds, entry.coverage) == ("times", 4, 0.95)
    assert json.loads(json.dumps(dataclasses.asdict(entry)))["id"] == "a-claim"


@pytest.mark.parametrize(
    ("value", "expected"),
    [(2.01, "yes"), (3.59, "no"), ([1, 1.96], "yes"), ([3, 4], "no"), (None, "n.a.")],
)
def test_the_published_size_is_held_against_the_interval(
    twice: Evidence, value: Any, expected: str
) -> None:
    published = {"value": value, "unit": "times", "printed": "so much"}
    entry = judged(twice, compare=GAIN, holds={"above": 1.03}, published=published)
    assert entry.published_in_interval == expected
    assert (entry.verdict, entry.published) == ("reproduced", "so much")


def test_one_round_decides_nothing(make_evidence: MakeEvidence, rounds: Rounds) -> None:
    evidence = make_evidence(rounds({0: [1], 4: [9]}))
    published = {"value": 9, "unit": "times", "printed": "9"}
    entry = judged(evidence, compare=GAIN, holds={"above": 1.03}, published=published)
    assert (entry.verdict, entry.low, entry.published_in_interval) == ("undecided", None, "n.a.")
    assert "1 round, which gives no interval" in entry.reason


@pytest.mark.parametrize(
    ("memory", "verdict", "inside"), [(450, "reproduced", "yes"), (90, "contradicted", "no")]
)
def test_one_observation_of_a_resource_counts_by_its_value(
    make_evidence: MakeEvidence, memory: float, verdict: str, inside: str
) -> None:
    evidence = make_evidence(
        [{"num_workers": 4}], resources=[{"num_workers": 4, "worker_memory_mib": memory}]
    )
    entry = judged(
        evidence,
        compare={"value": cells(4, "worker_memory_mib")},
        holds={"between": [381.5, 572.2]},
        published={"value": [381.5, 572.2], "unit": "MiB", "printed": "400 to 600 MB"},
    )
    assert (entry.verdict, entry.published_in_interval) == (verdict, inside)
    assert (entry.low, entry.interval) == (None, "one observation")
    exact = {"value": 450, "unit": "MiB", "printed": "450 MB"}
    entry = judged(
        evidence,
        compare={"value": cells(4, "worker_memory_mib")},
        holds={"above": 1},
        published=exact,
    )
    assert entry.published_in_interval == "n.a."


def test_facts_and_limits_that_are_facts(make_evidence: MakeEvidence) -> None:
    count = {"compare": {"fact": "os_cpu_count"}, "holds": {"equals": "logical_cores"}}
    assert judged(make_evidence(), **count).verdict == "reproduced"
    assert judged(make_evidence(os_cpu_count=4), **count).verdict == "contradicted"
    unknown = judged(make_evidence(logical_cores=None), **count)
    assert (unknown.verdict, unknown.estimate) == ("not testable here", None)
    default = {
        "compare": {"fact": "persistent_workers_default"},
        "holds": {"equals": True},
        "published": {"value": True, "unit": "true or false", "printed": "on by default"},
    }
    entry = judged(make_evidence(), **default)
    assert (entry.verdict, entry.published_in_interval) == ("contradicted", "no")
    assert entry.reason == (
        "The default of persistent_workers in the installed DataLoader: false. "
        "The claim holds for true."
    )
    entry = judged(make_evidence(persistent_workers_default=True), **default)
    assert (entry.verdict, entry.published_in_interval) == ("reproduced", "yes")


def test_without_cells_it_is_not_testable(make_evidence: MakeEvidence) -> None:
    evidence = make_evidence([{"num_workers": 0}])
    entry = judged(evidence, compare=GAIN, holds={"above": 1})
    assert entry.verdict == "not testable here"
    assert entry.reason == "No cells for condition light with 4 workers; worker counts measured: 0."
    assert entry.published_in_interval == "n.a."


@pytest.mark.parametrize(
    ("requirement", "facts", "expected"),
    [
        ("pinning", {"device": "cpu"}, "only for cuda or xpu, the device here is cpu"),
        ("pinning", {"device": "xpu"}, None),
        ("gpu_use", {"device": "cpu", "gpus": [{"name": "a GPU"}]}, "the device here is cpu"),
        ("gpu_use", {"device": "cuda", "gpus": [{"name": "a GPU"}]}, None),
        ("hyperthreading", {}, None),
        ("hyperthreading", {"logical_cores": 4}, "one logical CPU"),
        ("hyperthreading", {"physical_cores": None}, "is unknown"),
        ({"sweep_reaches": "usable_cores"}, {"usable_cores": 4}, None),
        ({"sweep_reaches": "usable_cores"}, {}, "ends at 4 workers and would have to reach 8"),
        ({"sweep_reaches": 0}, {}, None),
        ({"elsewhere": "this needs a farm"}, {}, "This needs a farm"),
    ],
)
def test_requirements(
    make_evidence: MakeEvidence,
    rounds: Rounds,
    requirement: Any,
    facts: dict[str, Any],
    expected: str | None,
) -> None:
    evidence = make_evidence(rounds({0: [1, 1], 4: [2, 2]}), **facts)
    entry = judged(evidence, compare=GAIN, holds={"above": 1}, requires=[requirement])
    if expected is None:
        assert entry.verdict == "reproduced"
    else:
        assert entry.verdict == "not testable here"
        assert expected in entry.reason


def test_all_unmet_requirements_are_reported(make_evidence: MakeEvidence) -> None:
    requires = ["pinning", "gpu_use"]
    reason = judged(make_evidence(), compare=GAIN, holds={"above": 1}, requires=requires).reason
    assert "page-locked" in reason
    assert "GPU use" in reason


FINITE = st.floats(-100, 100)


@given(FINITE, FINITE, FINITE)
def test_above_and_below_are_opposites(one: float, other: float, limit: float) -> None:
    low, high = sorted((one, other))
    found = Estimate((low + high) / 2, low, high, "a ratio", rounds=3)
    above = Region(limit, math.inf).verdict(found)
    below = Region(-math.inf, limit).verdict(found)
    assert (above == "reproduced") <= (below == "contradicted")
    assert (below == "reproduced") <= (above == "contradicted")
    assert "reproduced" not in (above, below) or "undecided" not in (above, below)


MACHINE = {
    "physical_cores": 4,
    "logical_cores": 8,
    "usable_cores": 2,
    "gpus": [],
    "shared_memory_bytes": 64 * 2**20,
    "os_cpu_count": 8,
    "loader_defaults": {"num_workers": 0, "persistent_workers": False},
}


def test_facts_are_what_the_records_state() -> None:
    assert facts_of(MACHINE, "cpu") == {
        "physical_cores": 4,
        "logical_cores": 8,
        "usable_cores": 2,
        "os_cpu_count": 8,
        "gpus": [],
        "shared_memory_mib": 64,
        "persistent_workers_default": False,
        "device": "cpu",
    }


def test_what_older_records_lack_is_not_testable(make_evidence: MakeEvidence) -> None:
    older = {key: MACHINE[key] for key in MACHINE if key not in ("os_cpu_count", "loader_defaults")}
    evidence = make_evidence(**facts_of(older | {"shared_memory_bytes": None}, "cpu"))
    for name in ("os_cpu_count", "persistent_workers_default", "shared_memory_mib"):
        entry = judged(evidence, compare={"fact": name}, holds={"equals": 8})
        assert entry.verdict == "not testable here"
        assert "unknown here" in entry.reason


@pytest.mark.parametrize(("named", "expected"), [(None, "a machine"), ("none", "none")])
def test_a_claim_was_published_for_its_articles_machine_unless_it_says(
    make_evidence: MakeEvidence, named: str | None, expected: str
) -> None:
    claim = {"id": "a-claim", "article": "A", "place": "p", "claim": "So.", "published_on": named}
    claims = ClaimsFile.model_validate(
        {
            "articles": {"A": {"title": "An article", "machine": "a machine"}},
            "claims": [claim | {"requires": [{"elsewhere": "no"}]}],
        }
    )
    assert ledger(claims, make_evidence())[0].published_on == expected
