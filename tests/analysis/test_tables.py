from collections.abc import Callable
from typing import Any

import pytest

from feedrate.analysis.tables import (
    EPOCH_COLUMNS,
    SUMMARY_COLUMNS,
    epoch_table,
    repetition_table,
    summary_table,
    waiting_share,
)
from feedrate.configuration.model import Experiment
from feedrate.planning.plan import make_plan
from feedrate.planning.specification import Surroundings

RecordOf = Callable[..., dict[str, Any]]


@pytest.fixture
def specifications(experiment: Experiment, around: Surroundings) -> list[dict[str, Any]]:
    """Repetitions 1, 2 and 3 of augmented with 2 workers."""
    return [
        cell.specification
        for cell in make_plan(experiment, around).cells
        if cell.specification["condition"]["name"] == "augmented"
        and cell.specification["loader"]["num_workers"] == 2
    ]


def test_an_epoch_has_a_row_with_every_column(
    specifications: list[dict[str, Any]], record_of: RecordOf
) -> None:
    table = epoch_table([record_of(specifications[0], 2.0, 1.0)])
    assert list(table.columns) == list(EPOCH_COLUMNS)
    assert list(table["phase"]) == ["first", "warm"]
    assert list(table["images_per_second"]) == [500, 1000]
    assert table.notna().all(axis=None)


def test_a_summary_has_median_and_full_range(
    specifications: list[dict[str, Any]], record_of: RecordOf
) -> None:
    records = [
        record_of(specification, first, warm)
        for specification, first, warm in zip(
            specifications, (3.0, 4.0, 8.0), (1.0, 2.0, 4.0), strict=True
        )
    ]
    summary = summary_table(epoch_table(records), ["augmented"])
    assert list(summary.columns) == list(SUMMARY_COLUMNS)
    (row,) = summary.to_dict("records")
    assert row["repetitions"] == 3
    assert [row[f"warm_images_per_second_{s}"] for s in ("median", "minimum", "maximum")] == [
        500,
        250,
        1000,
    ]
    assert [row[f"first_epoch_seconds_{s}"] for s in ("median", "minimum", "maximum")] == [4, 3, 8]


def test_a_repetition_with_several_warm_epochs_counts_by_their_median(
    specifications: list[dict[str, Any]], record_of: RecordOf
) -> None:
    table = repetition_table(epoch_table([record_of(specifications[0], 9.0, 1.0, 2.0, 8.0)]))
    assert list(table["warm_epoch_seconds"]) == [2.0]
    assert list(table["warm_images_per_second"]) == [500]
    assert list(table["first_epoch_seconds"]) == [9.0]


def test_waiting_is_a_share_of_the_warm_epoch(
    specifications: list[dict[str, Any]], record_of: RecordOf
) -> None:
    assert list(waiting_share(epoch_table([record_of(specifications[0], 9.0, 2.0)]))) == [0.25]
