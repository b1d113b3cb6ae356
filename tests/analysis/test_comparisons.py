import pandas as pd
import pytest

from feedrate.analysis.comparisons import (
    ANOTHER_SESSION,
    COMPARISON_COLUMNS,
    TOO_FEW_ROUNDS,
    comparison_table,
)

WITH_WORKERS = {
    "num_workers": 2,
    "batch_size": 8,
    "prefetch_factor": 2,
    "persistent_workers": True,
    "start_method": "fork",
    "pin_memory": False,
    "kind": "dataloader",
}
LEVELS = {
    "a": WITH_WORKERS
    | {
        "num_workers": 0,
        "prefetch_factor": None,
        "persistent_workers": False,
        "start_method": None,
    },
    "b": WITH_WORKERS,
    "c": WITH_WORKERS | {"prefetch_factor": 4},
}


def table(**settings: dict[tuple[str, int], float]) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {
                "condition": "light",
                "settings": name,
                **LEVELS[name],
                "group": group,
                "repetition": repetition,
                "warm_images_per_second": value,
            }
            for name, values in settings.items()
            for (group, repetition), value in values.items()
        ]
    )


def first(*values: float) -> dict[tuple[str, int], float]:
    return {("first", number): value for number, value in enumerate(values, start=1)}


def test_every_setting_is_compared_with_the_sweeps_first_paired_by_round() -> None:
    found = comparison_table(
        table(a=first(100, 200, 50), b=first(201, 398, 101), c=first(100.5, 199, 50.2)),
        {"workers": ["light/a", "light/b", "light/c"]},
    )
    assert list(found.columns) == list(COMPARISON_COLUMNS)
    double, same = found.to_dict("records")
    assert (double["settings"], double["against"], double["verdict"]) == ("b", "a", "faster")
    assert double["ratio"] == pytest.approx(2, rel=0.01)
    assert same["verdict"] == "equivalent"
    assert double["rounds"] == 3
    assert (double["settings_in_words"], double["against_in_words"]) == ("2 workers", "0 workers")


def test_settings_that_were_not_measured_keep_their_names() -> None:
    (row,) = comparison_table(table(a=first(1, 2)), {"s": ["light/a", "light/b"]}).to_dict(
        "records"
    )
    assert (row["settings_in_words"], row["against_in_words"]) == ("b", "a")


def test_rounds_that_one_of_them_lacks_are_left_out() -> None:
    found = comparison_table(
        table(a=first(100, 200), b=first(100, 200, 999)), {"workers": ["light/a", "light/b"]}
    )
    assert found["rounds"].tolist() == [2]
    assert found["ratio"].tolist() == [1]


def test_one_round_is_too_few_and_no_other_session() -> None:
    found = comparison_table(table(a=first(100), b=first(90)), {"s": ["light/a", "light/b"]})
    assert found["verdict"].tolist() == [TOO_FEW_ROUNDS]


def test_settings_of_two_sessions_are_not_compared() -> None:
    other = {("second", 1): 90.0, ("second", 2): 91.0}
    found = comparison_table(table(a=first(100, 100), b=other), {"s": ["light/a", "light/b"]})
    assert found["verdict"].tolist() == [ANOTHER_SESSION]
    assert found["ratio"].isna().all()
