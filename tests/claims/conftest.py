"""Evidence made by hand: a table per kind, from the few values that a test is about."""

from collections.abc import Callable, Mapping
from typing import Any

import pandas as pd
import pytest

from feedrate.claims.evidence import Evidence

MakeEvidence = Callable[..., Evidence]
Row = Mapping[str, Any]

SETTINGS = {
    "condition": "light",
    "num_workers": 0,
    "batch_size": 256,
    "prefetch_factor": 2,
    "persistent_workers": True,
    "pin_memory": False,
    "device": "cpu",
}
REPETITION = {
    "repetition": 1,
    "session": "first",
    "warm_images_per_second": 100.0,
    "warm_epoch_seconds": 1.0,
    "first_epoch_seconds": 2.0,
}
RESOURCE = {"arm": "instrumented", "epoch": 1}
FACTS = {
    "physical_cores": 4,
    "logical_cores": 8,
    "usable_cores": 8,
    "os_cpu_count": 8,
    "gpus": [],
    "device": "cpu",
    "shared_memory_mib": 1024,
    "persistent_workers_default": False,
    "torch_version": "2.14.1",
}
RESOURCES = (
    "worker_memory_mib",
    "workers_memory_mib",
    "total_memory_mib",
    "end_memory_mib",
    "shared_memory_mib",
    "main_cpu_cores",
    "workers_cpu_cores",
    "gpu_utilisation_percent",
    "gpu_busy_percent",
    "pinned_memory_mib",
)


def settings_of(row: Row) -> dict[str, Any]:
    """All settings of a row, without what workers alone have, and their name."""
    every = SETTINGS | dict(row)
    if every["num_workers"] == 0:
        every |= {"prefetch_factor": None, "persistent_workers": False}
    name = "_".join(str(every[key]) for key in SETTINGS if key not in ("condition", "device"))
    return every | {"settings": name}


@pytest.fixture
def make_evidence() -> MakeEvidence:
    def make(
        repetitions: list[Row] | None = None,
        ceilings: list[Row] | None = None,
        resources: list[Row] | None = None,
        **facts: Any,
    ) -> Evidence:
        columns = [*SETTINGS, "settings", *REPETITION]
        return Evidence(
            pd.DataFrame(
                [REPETITION | settings_of(row) for row in repetitions or []], columns=columns
            ),
            pd.DataFrame([{"repetition": 1} | settings_of(row) for row in ceilings or []]),
            pd.DataFrame(
                [dict.fromkeys(RESOURCES) | RESOURCE | settings_of(row) for row in resources or []]
            ),
            FACTS | facts,
        )

    return make


@pytest.fixture
def rounds() -> Callable[..., list[Row]]:
    """A row per round for each worker count, with these images per second."""

    def make(throughputs: Mapping[int, list[float]], **settings: Any) -> list[Row]:
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
