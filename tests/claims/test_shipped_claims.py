"""The claims that are shipped, on evidence that has cells for all of them."""

import dataclasses
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from feedrate.claims.evidence import Evidence
from feedrate.claims.ledger import Entry, judge, ledger
from feedrate.claims.model import read_claims

ROOT = Path(__file__).resolve().parents[2]
CLAIMS = ROOT / "report" / "claims.yaml"

MakeEvidence = Callable[..., Evidence]
Rounds = Callable[..., list[dict[str, Any]]]

NOISE = (1.0, 1.002, 0.999, 1.001, 0.998)
PUBLISHED = {
    "light": {0: 30_268, 1: 31_414, 2: 60_881, 4: 108_782, 8: 116_828, 12: 119_045, 16: 117_262},
    "augmented": {0: 8830, 1: 10_422, 2: 20_626, 4: 41_292, 8: 55_196, 12: 62_103, 16: 63_753},
}
"""What article A prints, as if it had been measured again."""

REPRODUCED = (
    "a-light-0-to-4",
    "a-light-4-to-12",
    "a-light-16-below-12",
    "a-augmented-0-to-12",
    "a-augmented-0-to-16",
    "a-augmented-12-to-16",
    "a-augmented-plateau-12-to-16",
    "a-light-loader-is-the-bottleneck",
    "a-one-worker-warm-epoch",
    "a-first-epoch-light",
    "a-first-epoch-augmented",
    "a-first-epoch-augmented-most-workers",
    "a-pinning-no-difference",
    "b-0-to-4-shortens-the-epoch",
    "b-gpu-use-rises",
    "b-os-cpu-count-is-logical",
)
"""By the numbers of article A, with a GPU."""

CONTRADICTED = (
    "a-light-fewer-workers-than-cpus",  # 8 workers, which are all that this machine has
    "b-start-at-min-8-cores-light",  # 4 workers, 91 % of 12
    "b-above-physical-cores-augmented",
    "b-worker-memory",
    "b-shared-memory-64-mb",
    "b-memory-grows",
    "b-persistent-by-default",
    "b-pinning-costs-memory",
)

WITH_A_GPU = {"a-pinning-no-difference", "b-gpu-use-rises", "b-pinning-costs-memory"}
ELSEWHERE = {"b-hard-disk-above-4", "b-eight-workers-4-gb"}
FACTS = {"b-os-cpu-count-is-logical", "b-persistent-by-default"}


def repetitions(rounds: Rounds, pin_memory: bool) -> list[dict[str, Any]]:
    return [
        row
        for condition, throughputs in PUBLISHED.items()
        for row in rounds(
            {
                # Each count has its noise in another order: rounds don't rise and fall as one.
                workers: [value * NOISE[(place + index) % 5] for place in range(5)]
                for index, (workers, value) in enumerate(throughputs.items())
            },
            condition=condition,
            pin_memory=pin_memory,
        )
    ]


def resources(pin_memory: bool) -> list[dict[str, Any]]:
    return [
        {
            "condition": condition,
            "num_workers": workers,
            "epoch": epoch,
            "worker_memory_mib": 120 if workers else None,
            "total_memory_mib": 900 + 120 * workers + 10 * pin_memory,
            "shared_memory_mib": 2 * workers,
            "gpu_utilisation_percent": 41 if workers == 0 else 86,
            "pin_memory": pin_memory,
        }
        for condition, throughputs in PUBLISHED.items()
        for workers in throughputs
        for epoch in (1, 2)
    ]


def leak() -> list[dict[str, Any]]:
    return [
        {
            "arm": "leak",
            "condition": "augmented",
            "num_workers": 2,
            "epoch": epoch,
            "end_memory_mib": 900 + 0.1 * epoch,
        }
        for epoch in range(1, 11)
    ]


def ceilings(pin_memory: bool) -> list[dict[str, Any]]:
    shared = {"pin_memory": pin_memory}
    return [
        row | shared
        for number in (1, 2, 3)
        for row in (
            {"arm": "loader", "repetition": number, "images_per_second": 40_000 + number},
            {"arm": "step", "condition": "", "repetition": number, "images_per_second": 400_000},
        )
    ]


@pytest.fixture
def on_cpu(make_evidence: MakeEvidence, rounds: Rounds) -> list[Entry]:
    evidence = make_evidence(
        repetitions(rounds, False), ceilings(False), [*resources(False), *leak()]
    )
    return ledger(read_claims(CLAIMS), evidence)


@pytest.fixture
def on_gpu(make_evidence: MakeEvidence, rounds: Rounds) -> list[Entry]:
    pageable = [
        row
        for row in repetitions(rounds, False)
        if (row["condition"], row["num_workers"]) == ("augmented", 4)
    ]
    evidence = make_evidence(
        [*repetitions(rounds, True), *pageable],
        ceilings(True),
        [*resources(True), *resources(False), *leak()],
        device="cuda",
        gpus=[{"name": "a GPU"}],
    )
    return ledger(read_claims(CLAIMS), evidence)


def verdicts(entries: list[Entry]) -> Mapping[str, str]:
    return {entry.id: entry.verdict for entry in entries}


def test_each_gets_a_verdict_with_a_reason(on_cpu: list[Entry], on_gpu: list[Entry]) -> None:
    for entry in (*on_cpu, *on_gpu):
        assert entry.reason.endswith(".")
        assert entry.published_on
        assert (entry.estimate is None) == (entry.verdict == "not testable here"), entry
    json.dumps([dataclasses.asdict(entry) for entry in on_cpu], allow_nan=False)


def test_without_a_gpu_pinning_and_gpu_use_are_not_testable(on_cpu: list[Entry]) -> None:
    untestable = {entry.id for entry in on_cpu if entry.verdict == "not testable here"}
    assert untestable & {*REPRODUCED, *CONTRADICTED, *ELSEWHERE} == WITH_A_GPU | ELSEWHERE


def test_the_articles_numbers_reproduce_the_article(on_gpu: list[Entry]) -> None:
    found = verdicts(on_gpu)
    assert {claim: found[claim] for claim in REPRODUCED} == dict.fromkeys(REPRODUCED, "reproduced")
    assert {claim: found[claim] for claim in CONTRADICTED} == dict.fromkeys(
        CONTRADICTED, "contradicted"
    )
    by_id = {entry.id: entry for entry in on_gpu}
    assert by_id["a-light-0-to-4"].published_in_interval == "yes"
    assert by_id["b-0-to-4-shortens-the-epoch"].published_in_interval == "no"


def test_without_any_cell_all_but_facts_are_not_testable(make_evidence: MakeEvidence) -> None:
    entries = ledger(read_claims(CLAIMS), make_evidence())
    tested = {entry.id for entry in entries if entry.verdict != "not testable here"}
    assert tested & {*REPRODUCED, *CONTRADICTED, *ELSEWHERE} == FACTS
    nothing = make_evidence().ceilings
    entries = ledger(read_claims(CLAIMS), Evidence(nothing, nothing, nothing, {}))
    assert {entry.verdict for entry in entries} == {"not testable here"}


def test_a_new_claim_is_yaml_only(
    tmp_path: Path, make_evidence: MakeEvidence, rounds: Rounds
) -> None:
    file = tmp_path / "claims.yaml"
    file.write_text(
        CLAIMS.read_text().replace(
            "claims:\n",
            """claims:
  - id: b-prefetch-4
    article: B
    place: a comment below it
    claim: Preparing 4 batches ahead is faster than 2.
    compare:
      ratio:
        of: {metric: warm_epoch_seconds, condition: light, num_workers: 4, prefetch_factor: 4}
        to: {metric: warm_epoch_seconds, condition: light, num_workers: 4}
    holds: {below: 1}
""",
            1,
        )
    )
    claim, *others = read_claims(file).claims
    assert len(others) == len(read_claims(CLAIMS).claims)
    rows = [
        *rounds({2: [5, 5], 4: [10, 10]}),
        *rounds({4: [12, 12.1]}, prefetch_factor=4),
    ]
    assert judge(claim, make_evidence(rows)).verdict == "reproduced"


def test_the_articles_tables() -> None:
    tables = {table.id: table for table in read_claims(CLAIMS).tables}
    assert [12, 119_045] in tables["a-light-sweep"].rows
    # Seconds and images/s of the article's own table agree, within the rounding of the seconds.
    for _, _, seconds, rate in tables["a-augmented-sweep"].rows:
        assert isinstance(seconds, float)
        assert 60_000 / seconds == pytest.approx(rate, rel=1e-3)
    assert read_claims(CLAIMS).articles["B"].machine.startswith("RTX 4090")


def test_published_sizes_are_those_of_the_published_tables() -> None:
    raw = yaml.safe_load(CLAIMS.read_text())
    size = {claim["id"]: claim.get("published", {}).get("value") for claim in raw["claims"]}
    light, augmented = PUBLISHED["light"], PUBLISHED["augmented"]
    for claim, expected in {
        "a-light-0-to-4": light[4] / light[0],
        "a-light-4-to-12": light[12] / light[4],
        "a-light-16-below-12": light[16] / light[12],
        "a-augmented-0-to-12": augmented[12] / augmented[0],
        "a-augmented-0-to-16": augmented[16] / augmented[0],
        "a-augmented-12-to-16": augmented[16] / augmented[12],
        "a-one-worker-first-epoch": 3.371 / 1.97,
        "a-one-worker-warm-epoch": 1.910 / 1.97,
        "a-first-epoch-augmented": 1.493 / 1.453,
        "a-first-epoch-augmented-most-workers": 1.055 / 0.937,
        "a-pinning-no-difference": 1.635 / 1.634,
        "b-0-to-4-shortens-the-epoch": 97 / 182,
    }.items():
        assert size[claim] == pytest.approx(expected, rel=2e-3), claim
