"""What the watched repetitions used, in tables."""

from collections.abc import Iterator
from typing import Any

import pandas as pd

from feedrate.analysis.tables import labels_of
from feedrate.page.display import UNKNOWN, Table
from feedrate.planning.records import FIRST_WARM_EPOCH


def usage_table(resources: pd.DataFrame) -> Table:
    """A row per condition and settings of the instrumented repetition: CPU and memory."""
    return Table(
        name="resources",
        columns=[
            "condition", "workers", "samples", "CPU cores, main", "CPU cores, workers",
            "MiB per worker",
            "MiB, all workers", "MiB in all", "MiB of /dev/shm", "MiB pinned",
        ],
        rows=[
            [
                *setting,
                str(int(epochs["samples"].min())),
                _number(warm["main_cpu_cores"].median(), ".2f"),
                _number(warm["workers_cpu_cores"].median(), ".2f"),
                _number(epochs["worker_memory_mib"].max(), ",.0f"),
                _number(epochs["workers_memory_mib"].max(), ",.0f"),
                _number(epochs["total_memory_mib"].max(), ",.0f"),
                _number(epochs["shared_memory_mib"].max(), ",.1f"),
                _number(epochs["pinned_memory_mib"].max(), ",.0f"),
            ]
            for setting, epochs, warm in _watched(resources)
        ],
    )  # fmt: skip


def gpu_table(resources: pd.DataFrame) -> Table:
    """A row per condition and settings of the instrumented repetition: the GPU."""
    return Table(
        name="gpu",
        columns=["condition", "workers", "busy, %", "use by NVML, %", "memory, MiB", "clock, MHz",
                 "clock held by"],
        rows=[
            [
                *setting,
                _number(warm["gpu_busy_percent"].median(), ".0f"),
                _number(warm["gpu_utilisation_percent"].median(), ".0f"),
                _number(epochs["gpu_memory_mib"].max(), ",.0f"),
                _number(warm["gpu_clock_mhz"].median(), ",.0f"),
                "; ".join(sorted(set(epochs["gpu_clock_events"].dropna()))) or UNKNOWN,
            ]
            for setting, epochs, warm in _watched(resources)
        ],
    )  # fmt: skip


def has_gpu_use(resources: pd.DataFrame) -> bool:
    """Whether anything is known about a GPU."""
    columns = [column for column in resources if str(column).startswith("gpu_")]
    return bool(resources[columns].notna().any(axis=None))


def _watched(
    resources: pd.DataFrame,
) -> Iterator[tuple[list[str], pd.DataFrame, pd.DataFrame]]:
    """Condition and workers, all epochs and the warm ones of each instrumented repetition."""
    once = resources[resources["arm"] == "instrumented"]
    labels = labels_of(once)
    for (condition, settings), epochs in once.groupby(["condition", "settings"], sort=False):
        setting = [str(condition), labels[str(settings)]]
        yield setting, epochs, epochs[epochs["epoch"] >= FIRST_WARM_EPOCH]


def _number(value: Any, form: str) -> str:
    return UNKNOWN if pd.isna(value) else format(value, form)
