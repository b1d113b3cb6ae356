from pathlib import Path

import pytest

from feedrate.claims.model import ClaimsError, read_claims

GOOD = """\
articles:
  A: {title: An article, machine: a machine}
claims:
  - id: a-gain
    article: A
    place: somewhere
    claim: It is faster.
    published: {value: 3.59, unit: times, printed: 3.59 times}
    compare:
      ratio:
        of: {metric: warm_images_per_second, condition: light, num_workers: 4}
        to: {metric: warm_images_per_second, condition: light, num_workers: 0}
    holds: {above: 1.03}
    requires: [pinning, sweep_reaches: usable_cores]
"""
RATIO = GOOD[GOOD.index("      ratio:") : GOOD.index("    holds:")]


def complaints(tmp_path: Path, text: str) -> list[str]:
    file = tmp_path / "claims.yaml"
    file.write_text(text)
    with pytest.raises(ClaimsError) as caught:
        read_claims(file)
    return [line.strip().removeprefix(f"{file}:") for line in str(caught.value).splitlines()[1:]]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (
            "of: {metric: warm_images_per_second",
            "of: {metric: warm_image_per_second",
            ["11: claim a-gain: compare.ratio.of.metric", "did you mean warm_images_per_second?"],
        ),
        ("    place:", "    plaice:", ["did you mean place?", "6: claim a-gain: plaice"]),
        ("    place: somewhere\n", "", ["4: claim a-gain: place: is missing"]),
        (
            "num_workers: 4",
            "num_workers: mst",
            ["11:", "'mst' isn't a number of workers; did you mean most?", "physical_cores"],
        ),
        ("num_workers: 4", "num_workers: -4", ["11:", "num_workers", "greater than or equal to 0"]),
        ("num_workers: 4", "num_workers: [4]", ["11:", "must be a whole number, a name, or"]),
        ("num_workers: 4", "num_workers: {last_of: [4]}", ["last_of", "did you mean least_of?"]),
        ("num_workers: 4", "num_workers: {}", ["least_of"]),
        ("num_workers: 4", "num_workers: {least_of: [cores]}", ["least_of[0]", "physical_cores"]),
        (", num_workers: 4", "", ["11:", "needs num_workers"]),
        (
            "num_workers: 4",
            "num_workers: 4, prefetch_factor: 0",
            ["11:", "prefetch_factor", "greater than or equal to 1"],
        ),
        ("num_workers: 4", "num_worker: 4", ["num_worker", "did you mean num_workers?"]),
        (
            "{metric: warm_images_per_second, condition: light, num_workers: 4}",
            "{metric: step_images_per_second, condition: light}",
            ["step_images_per_second doesn't depend on condition", "allowed: batch_size, metric"],
        ),
        (
            "{metric: warm_images_per_second, condition: light, num_workers: 4}",
            "{metric: warm_epoch_seconds, condition: light, num_workers: 4}",
            ["10:", "compares s with images/s"],
        ),
        ("      ratio:", "      ration:", ["10:", "did you mean ratio?"]),
        ("{above: 1.03}", "{above: 1.03, below: 2}", ["13:", "holds", "exactly one key"]),
        ("{above: 1.03}", "{above: cores}", ["13:", "'cores' isn't a fact", "physical_cores"]),
        ("{above: 1.03}", "{above: [1]}", ["13:", "must be a number or a fact"]),
        ("{above: 1.03}", "{over: 1.03}", ["13:", "unknown key", "allowed: above"]),
        ("{above: 1.03}", "{equivalent_within: 0}", ["13:", "greater than 0"]),
        (
            "{above: 1.03}",
            "{equals: 1}",
            ["4:", "holds.equals doesn't go with compare.ratio", "allowed: above"],
        ),
        ("{above: 1.03}", "{between: [1]}", ["13:", "between"]),
        ("    holds: {above: 1.03}\n", "", ["4:", "needs compare and holds"]),
        ("[pinning,", "[pining,", ["14:", "requires[0]", "did you mean pinning?"]),
        ("sweep_reaches:", "sweep_reach:", ["14:", "did you mean sweep_reaches?"]),
        ("unit: times", "unit: percent", ["4:", "'percent'", "allowed: times"]),
        (
            "article: A",
            "article: B",
            ["5: claim a-gain: article: 'B' isn't among articles", "allowed: A"],
        ),
        ("  A: {", "  'A b': {", ["2: articles.A b", "can't name an article", "letters, digits"]),
        ("id: a-gain", "id: A gain", ["4:", "lower-case"]),
        (RATIO, "      fact: cpus\n", ["'cpus' isn't a fact", "os_cpu_count"]),
        (
            RATIO + "    holds: {above: 1.03}",
            "      fewest_near_best: {condition: light}\n    holds: {equivalent_within: 0.1}",
            ["4:", "holds.equivalent_within doesn't go with compare.fewest_near_best"],
        ),
        (
            RATIO,
            "      best_over_best: {condition: light, above: best}\n",
            ["10:", "above", "'best' isn't a number of workers", "physical_cores"],
        ),
        (
            RATIO,
            "      range: {metric: warm_epoch_seconds, workers_above: 0}\n",
            ["10:", "isn't a resource", "shared_memory_mib"],
        ),
        (
            RATIO,
            "      slope: {metric: main_cpu_cores, condition: light}\n",
            ["10:", "isn't a memory", "end_memory_mib"],
        ),
        (
            GOOD,
            GOOD + "tables:\n  - {id: t, article: A, place: p, title: t, "
            "columns: {a: s, b: s}, rows: [[1, 2], [3]]}\n",
            ["16: table t", "row 2 has 1 entries; allowed: 2, for a, b"],
        ),
    ],
)
def test_a_mistake_is_reported_with_line_claim_and_key(
    tmp_path: Path, old: str, new: str, expected: list[str]
) -> None:
    assert old in GOOD
    told = complaints(tmp_path, GOOD.replace(old, new, 1))
    assert any(all(part in line for part in expected) for line in told), told
    assert len(told) <= 2, told  # a mistyped key may leave one that is missing


def test_all_mistakes_are_reported_at_once(tmp_path: Path) -> None:
    claim = GOOD[GOOD.index("  - id") :]
    text = (
        GOOD + claim.replace("light", "5", 1).replace("above", "abov") + claim.replace("id:", "ID:")
    )
    told = complaints(tmp_path, text)
    for part in ("condition", "did you mean above?", "'a-gain' is taken", "claim number 3: id"):
        assert any(part in line for line in told), (part, told)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("claims: [", "claims.yaml:1: isn't YAML"),
        ("5", "is 5"),
        ("", "is None"),
        ("claims: 5\narticles: {}\n", "claims"),
        ("articles: {}\nclaims: [5]\n", "claim number 1"),
    ],
)
def test_what_is_not_a_file_of_claims_is_reported_too(
    tmp_path: Path, text: str, expected: str
) -> None:
    file = tmp_path / "claims.yaml"
    file.write_text(text)
    with pytest.raises(ClaimsError) as caught:
        read_claims(file)
    assert expected in str(caught.value)


def test_a_missing_file_is_reported(tmp_path: Path) -> None:
    with pytest.raises(ClaimsError, match="no such file"):
        read_claims(tmp_path / "none.yaml")


def test_any_number_of_articles(tmp_path: Path) -> None:
    file = tmp_path / "claims.yaml"
    third = "  post-3: {title: Another, machine: another machine}\nclaims:"
    file.write_text(GOOD.replace("claims:", third, 1).replace("article: A", "article: post-3"))
    assert read_claims(file).claims[0].article == "post-3"
    told = complaints(tmp_path, GOOD.replace("claims:", third).replace("e: A", "e: post-2"))
    assert told == [
        "6: claim a-gain: article: 'post-2' isn't among articles; "
        "did you mean post-3? allowed: A, post-3"
    ]
