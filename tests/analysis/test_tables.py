from collections.abc import Callable
from typing import Any

import pandas as pd
import pytest

from feedrate.analysis.tables import (
    CEILING_COLUMNS,
    EPOCH_COLUMNS,
    REPETITION_COLUMNS,
    RESOURCE_COLUMNS,
    SUMMARY_COLUMNS,
    ceiling_table,
    comparable,
    epoch_table,
    repetition_table,
    resource_table,
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
    summary = summary_table(repetition_table(epoch_table(records), ["augmented"]))
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
    epochs = epoch_table([record_of(specifications[0], 9.0, 1.0, 2.0, 8.0)])
    table = repetition_table(epochs, ["augmented"])
    assert list(table.columns) == list(REPETITION_COLUMNS)
    assert list(table["warm_epoch_seconds"]) == [2.0]
    assert list(table["warm_images_per_second"]) == [500]
    assert list(table["first_epoch_seconds"]) == [9.0]


def test_waiting_is_a_share_of_the_warm_epoch(
    specifications: list[dict[str, Any]], record_of: RecordOf
) -> None:
    assert list(waiting_share(epoch_table([record_of(specifications[0], 9.0, 2.0)]))) == [0.25]


def with_arm(specification: dict[str, Any], arm: str) -> dict[str, Any]:
    return specification | {"arm": arm}


def test_anchors_are_in_the_epoch_table_and_in_no_repetition_table(
    specifications: list[dict[str, Any]], record_of: RecordOf
) -> None:
    table = epoch_table(
        [
            record_of(specifications[0], 2.0, 1.0),
            record_of(with_arm(specifications[0], "anchor"), 2.0, 0.5),
            record_of(with_arm(specifications[0], "loader"), 2.0, 0.1),
        ]
    )
    assert list(table["arm"]) == ["training"] * 2 + ["anchor"] * 2
    assert list(repetition_table(table, ["augmented"])["warm_images_per_second"]) == [1000]


def test_a_ceiling_has_a_row_or_the_reason_why_not(
    specifications: list[dict[str, Any]], record_of: RecordOf
) -> None:
    step = with_arm(specifications[0], "step") | {"condition": None}
    refused = record_of(with_arm(specifications[0], "resident"), 2.0, 1.0)
    refused["measurement"] = {"not_applicable": "no batch"}
    table = ceiling_table(
        [
            record_of(specifications[0], 2.0, 1.0),
            record_of(with_arm(specifications[0], "loader"), 9.0, 0.5, 0.25, 0.1),
            record_of(step, 2.0, 0.5),
            refused,
        ]
    )
    assert list(table.columns) == list(CEILING_COLUMNS)
    loader, alone, resident = table.to_dict("records")
    assert (loader["arm"], loader["num_workers"], loader["images_per_second"]) == (
        "loader",
        2,
        4000,
    )
    assert pd.isna(alone["condition"])
    assert pd.isna(alone["num_workers"])
    assert alone["images_per_second"] == 2000
    assert pd.isna(resident["images_per_second"])
    assert resident["not_applicable"] == "no batch"


def test_resources_are_in_mebibytes_and_percent_and_the_unknown_stays_empty(
    specifications: list[dict[str, Any]], record_of: RecordOf
) -> None:
    record = record_of(with_arm(specifications[0], "instrumented"), 2.0, 1.0)
    for epoch in record["measurement"]["epochs"]:
        epoch |= {
            "samples": 7,
            "main_cpu_cores": 0.5,
            "workers_cpu_cores": 1.5,
            "worker_memory_bytes": 2**20,
            "workers_memory_bytes": 2 * 2**20,
            "total_memory_bytes": 5 * 2**20,
            "end_memory_bytes": 4 * 2**20,
            "shared_memory_bytes": 2**19,
            "pinned_memory_bytes": None,
            "gpu_busy_seconds": 0.25,
            "gpu_utilisation_percent": None,
            "gpu_memory_bytes": None,
            "gpu_clock_mhz": None,
            "gpu_clock_events": ["idle", "power cap"],
        }
    table = resource_table([record, record_of(specifications[0], 2.0, 1.0)])
    assert list(table.columns) == list(RESOURCE_COLUMNS)
    first, warm = table.to_dict("records")
    assert (first["epoch"], warm["epoch"]) == (1, 2)
    assert (warm["worker_memory_mib"], warm["shared_memory_mib"]) == (1, 0.5)
    assert (first["gpu_busy_percent"], warm["gpu_busy_percent"]) == (12.5, 25)
    assert warm["gpu_clock_events"] == "idle, power cap"
    assert pd.isna(warm["pinned_memory_mib"])


def test_what_may_be_compared_is_the_first_session_or_a_conditions_own() -> None:
    table = pd.DataFrame(
        {
            "condition": ["light", "light", "light", "added", "added"],
            "group": ["first", "later", "later", "later", "latest"],
        }
    )
    assert list(comparable(table).index) == [0, 3]
    assert comparable(table.iloc[:0]).empty
