from typing import Any

import pandas as pd

from feedrate.analysis.samples import (
    match_sessions,
    throughputs,
    widest_families,
    with_groups,
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
        "start_method": "fork",
        "kind": "dataloader",
        "session": "first",
        "group": "first",
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


def epochs(values: list[float], session: str, arm: str = "training") -> pd.DataFrame:
    """Warm epochs of the sentinel, one a repetition, each after a slow first one."""
    return pd.DataFrame(
        [
            {
                "condition": "light",
                "settings": "s",
                "arm": arm,
                "session": session,
                "repetition": number,
                "phase": phase,
                "started_at": f"2026-01-0{('one', 'two', 'three').index(session) + 1}",
                "images_per_second": value * (1 if phase == "warm" else 0.1),
            }
            for number, value in enumerate(values, start=1)
            for phase in ("first", "warm")
        ]
    )


BARE = {"prefetch_factor": None, "persistent_workers": False, "start_method": None}
"""What a loader without workers doesn't have."""

STEADY = [100.0, 100.1, 99.9, 100.0, 100.2]


def test_an_equivalent_session_counts_with_the_first() -> None:
    table = pd.concat(
        [
            epochs(STEADY, "one"),
            epochs([100.1, 99.9, 100.0], "two", "anchor"),
            epochs([80.1, 79.9, 80.0], "three", "anchor"),
        ]
    )
    matches = match_sessions(table)
    assert [(match.session, match.merged) for match in matches] == [("two", True), ("three", False)]
    assert with_groups(table, matches).groupby("session")["group"].first().to_dict() == {
        "one": "first",
        "two": "first",
        "three": "three",
    }


def test_the_sentinel_of_a_later_session_is_not_the_reference() -> None:
    # Its repetitions in the second session must not pull the first towards it.
    table = pd.concat(
        [
            epochs(STEADY, "one"),
            epochs([50.0, 50.1, 49.9], "two"),
            epochs([50.0, 50.1, 49.9], "two", "anchor"),
        ]
    )
    (match,) = match_sessions(table)
    assert not match.merged
    assert match.comparison is not None
    assert round(match.comparison.ratio, 2) == 0.5


def test_one_anchor_proves_nothing() -> None:
    table = pd.concat([epochs(STEADY, "one"), epochs([100.0], "two", "anchor")])
    (match,) = match_sessions(table)
    assert (match.repetitions, match.first_repetitions) == (1, 5)
    assert match.comparison is None
    assert not match.merged


def test_a_later_session_without_anchors_is_compared_by_what_both_measured() -> None:
    both = pd.concat([epochs(STEADY, "one"), epochs([100.1, 99.9, 100.0], "two")])
    (match,) = match_sessions(both)
    assert (match.setting, match.merged) == ("light/s", True)
    nothing = pd.concat([epochs(STEADY, "one"), epochs(STEADY, "two").assign(settings="t")])
    (match,) = match_sessions(nothing)
    assert (match.setting, match.merged) == (None, False)


def test_without_anchors_there_is_one_session() -> None:
    assert match_sessions(epochs(STEADY, "one")) == []


def test_a_family_differs_in_workers_only_and_has_those_without() -> None:
    table = rows(
        {"num_workers": 0, **BARE},
        {"num_workers": 1},
        {"num_workers": 2},
        {"num_workers": 2, "prefetch_factor": 4.0},
        {"num_workers": 2, "pin_memory": True},
        {"num_workers": 0, "batch_size": 64, **BARE},
    )
    family = worker_family(table)
    assert list(family["num_workers"]) == [0, 1, 2]
    assert set(family["batch_size"]) == {256}
    assert not family["pin_memory"].any()


def test_all_of_the_widest_families_are_known() -> None:
    table = rows(
        {"num_workers": 2, "pin_memory": True},
        {"num_workers": 4, "pin_memory": True},
        {"num_workers": 2},
        {"num_workers": 4},
        {"num_workers": 2, "prefetch_factor": 4.0},
    )
    pinned, pageable = widest_families(table)
    assert (set(pinned["pin_memory"]), set(pageable["pin_memory"])) == ({True}, {False})
    assert list(pageable["num_workers"]) == [2, 4]
    assert worker_family(table).equals(pinned)
    assert widest_families(table.iloc[:0]) == []


def test_a_family_has_one_start_method_where_the_table_has_it() -> None:
    table = rows({"num_workers": 1}, {"num_workers": 2}, {"num_workers": 2})
    table["start_method"] = ["fork", "fork", "spawn"]
    assert list(worker_family(table)["start_method"]) == ["fork", "fork"]


def test_without_any_workers_the_family_is_what_there_is() -> None:
    table = rows({"num_workers": 0, **BARE})
    assert list(worker_family(table)["num_workers"]) == [0]


def test_throughputs_are_by_workers_and_round() -> None:
    table = pd.concat([repeated([1.0, 2.0]), repeated([3.0], num_workers=4)])
    assert throughputs(table) == {0: {1: 1.0, 2: 2.0}, 4: {1: 3.0}}


def test_rounds_of_two_groups_are_not_paired() -> None:
    table = pd.concat([repeated([1.0, 2.0]), repeated([3.0], num_workers=4, group="later")])
    assert throughputs(table) == {0: {1: 1.0, 2: 2.0}, 4: {3: 3.0}}
