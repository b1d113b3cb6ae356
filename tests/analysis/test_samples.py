from typing import Any

import pandas as pd

from feedrate.analysis.samples import (
    comparable,
    match_sessions,
    throughputs,
    with_group,
    worker_family,
)


def rows(*entries: dict[str, Any]) -> pd.DataFrame:
    defaults = {
        "condition": "light",
        "settings": "s",
        "num_workers": 0,
        "batch_size": 256,
        "prefetch_factor": 2.0,
        "persistent_workers": True,
        "pin_memory": False,
        "session": "first",
        "repetition": 1,
        "warm_images_per_second": 100.0,
    }
    return pd.DataFrame([defaults | entry for entry in entries], columns=list(defaults))


def repeated(values: list[float], **shared: Any) -> pd.DataFrame:
    return rows(
        *(
            {"repetition": number, "warm_images_per_second": value} | shared
            for number, value in enumerate(values, start=1)
        )
    )


def test_an_equivalent_session_counts_with_the_first() -> None:
    sentinel = repeated([100.0, 100.1, 99.9, 100.0, 100.2])
    same = repeated([100.1, 99.9, 100.0], session="second")
    slower = repeated([80.1, 79.9, 80.0], session="third")
    matches = match_sessions(pd.concat([same, slower]), sentinel)
    assert [(match.session, match.merged) for match in matches] == [
        ("second", True),
        ("third", False),
    ]
    table = with_group(pd.concat([sentinel, same, slower]), matches)
    assert table.groupby("session")["group"].first().to_dict() == {
        "first": "first",
        "second": "first",
        "third": "third",
    }


def test_the_sentinel_of_a_later_session_is_not_the_reference() -> None:
    # Its repetitions in the second session (as many as there) must not pull the first towards it.
    sentinel = pd.concat(
        [repeated([100.0, 100.1, 99.9]), repeated([50.0, 50.1, 49.9], session="second")]
    )
    (match,) = match_sessions(repeated([50.0, 50.1, 49.9], session="second"), sentinel)
    assert not match.merged
    assert match.comparison is not None
    assert round(match.comparison.ratio, 2) == 0.5


def test_one_anchor_proves_nothing() -> None:
    (match,) = match_sessions(repeated([100.0], session="second"), repeated([100.0, 100.0]))
    assert match.comparison is None
    assert not match.merged


def test_what_may_be_compared_is_the_largest_group() -> None:
    table = pd.concat([repeated([1.0, 2.0]), repeated([3.0, 4.0, 5.0], session="second")])
    chosen = comparable(table.assign(group=table["session"]))
    assert list(chosen["warm_images_per_second"]) == [3, 4, 5]


def test_a_family_differs_in_workers_only_and_has_those_without() -> None:
    table = rows(
        {"num_workers": 0, "prefetch_factor": None, "persistent_workers": False},
        {"num_workers": 1},
        {"num_workers": 2},
        {"num_workers": 2, "prefetch_factor": 4.0},
        {"num_workers": 2, "pin_memory": True},
        {"num_workers": 0, "batch_size": 64, "prefetch_factor": None, "persistent_workers": False},
    )
    family = worker_family(table)
    assert list(family["num_workers"]) == [0, 1, 2]
    assert set(family["batch_size"]) == {256}
    assert not family["pin_memory"].any()


def test_without_any_workers_the_family_is_what_there_is() -> None:
    table = rows({"num_workers": 0, "prefetch_factor": None, "persistent_workers": False})
    assert list(worker_family(table)["num_workers"]) == [0]


def test_throughputs_are_by_workers_and_round() -> None:
    table = pd.concat([repeated([1.0, 2.0]), repeated([3.0], num_workers=4)])
    assert throughputs(table) == {0: {1: 1.0, 2: 2.0}, 4: {1: 3.0}}
