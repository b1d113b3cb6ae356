"""Evidence made by hand: a table per kind, from the few values that a test is about."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pandas as pd
import pytest

from feedrate.analysis.tables import RESOURCE_COLUMNS, SETTINGS_COLUMNS
from feedrate.claims.evidence import Evidence
from feedrate.configuration.factors import FACTORS

MakeEvidence = Callable[..., Evidence]
Rounds = Callable[..., list[dict[str, Any]]]
Row = Mapping[str, Any]

SETTINGS = {factor.name: factor.default for factor in FACTORS} | {
    "condition": "light",
    "pin_memory": False,
    "start_method": "fork",
    "device": "cpu",
}
REPETITION = {
    "group": "first",
    "repetition": 1,
    "warm_images_per_second": 100.0,
    "warm_epoch_seconds": 1.0,
    "first_epoch_seconds": 2.0,
}
FACTS = {
    "physical_cores": 4,
    "logical_cores": 8,
    "usable_cores": 8,
    "os_cpu_count": 8,
    "gpus": [],
    "device": "cpu",
    "shared_memory_mib": 1024,
    "persistent_workers_default": False,
}


def settings_of(row: Row) -> dict[str, Any]:
    """All settings of a row, without what workers alone have, and their name."""
    every = SETTINGS | dict(row)
    if every["num_workers"] == 0:
        every |= {each.name: each.inapplicable for each in FACTORS if each.needs_workers}
    return every | {"settings": "_".join(str(every[factor.name]) for factor in FACTORS)}


def table(columns: Sequence[str], defaults: Row, rows: Sequence[Row] | None) -> pd.DataFrame:
    entries = [dict(defaults) | settings_of(row) for row in rows or []]
    return pd.DataFrame(entries, columns=list(columns))


@pytest.fixture
def make_evidence() -> MakeEvidence:
    def make(
        repetitions: list[Row] | None = None,
        ceilings: list[Row] | None = None,
        resources: list[Row] | None = None,
        **facts: Any,
    ) -> Evidence:
        ceiling = {"group": "first", "repetition": 1}
        resource = dict.fromkeys(RESOURCE_COLUMNS) | {"arm": "instrumented", "epoch": 1}
        return Evidence(
            table([*SETTINGS_COLUMNS, *REPETITION], REPETITION, repetitions),
            table([*SETTINGS_COLUMNS, *ceiling, "arm", "images_per_second"], ceiling, ceilings),
            table(list(RESOURCE_COLUMNS), resource, resources),
            FACTS | facts,
        )

    return make


@pytest.fixture
def rounds() -> Rounds:
    """A row per round for each worker count, with these images per second."""

    def make(throughputs: Mapping[int, list[float]], **settings: Any) -> list[dict[str, Any]]:
        return [
            settings
            | {
                "num_workers": workers,
                "repetition": repetition,
                "warm_images_per_second": value,
                "warm_epoch_seconds": 60_000 / value,
                "first_epoch_seconds": 66_000 / value,
            }
            for workers, values in throughputs.items()
            for repetition, value in enumerate(values, start=1)
        ]

    return make
