"""Tables of the run itself: its settings, conditions, machine, and columns of its files."""

import json
from collections.abc import Mapping
from typing import Any

import pandas as pd

from feedrate.analysis.tables import MEASURES
from feedrate.page.display import Table

MEASURE_HEADINGS = {
    "warm_images_per_second": ("warm images/s", ",.0f"),
    "warm_epoch_seconds": ("warm epoch, s", ".2f"),
    "first_epoch_seconds": ("first epoch, s", ".2f"),
}


def summary_of(summary: pd.DataFrame, name: str) -> Table:
    """A row per condition and settings: each measure's median with its full range.

    Sessions that must not be compared have a column where there are several.
    """
    apart = summary["group"].nunique() > 1
    return Table(
        name=name,
        columns=[
            *("condition", "workers", "memory"),
            *(["session"] if apart else []),
            "repetitions",
            *(MEASURE_HEADINGS[measure][0] for measure in MEASURES),
        ],
        rows=[
            [
                row["condition"],
                row["num_workers"],
                "pinned" if row["pin_memory"] else "pageable",
                *([row["group"]] if apart else []),
                row["repetitions"],
                *(_with_range(row, measure, MEASURE_HEADINGS[measure][1]) for measure in MEASURES),
            ]
            for row in summary.to_dict("records")
        ],
    )


def _with_range(row: Mapping[Any, Any], measure: str, form: str) -> str:
    median, low, high = (
        format(row[f"{measure}_{statistic}"], form)
        for statistic in ("median", "minimum", "maximum")
    )
    return f"{median} [{low}–{high}]"


def conditions_in(plan: Mapping[str, Any]) -> Table:
    """The transforms of every condition."""
    api = plan["experiment"]["transforms_api"]
    return Table(
        name="conditions",
        columns=["condition", "transforms"],
        rows=[
            [name, steps if isinstance(steps, str) else " → ".join(map(_spelled, steps))]
            for name, steps in plan["experiment"]["conditions"].items()
        ],
        values={"api": api},
    )


def _spelled(step: str | Mapping[str, Any]) -> str:
    if isinstance(step, str):
        return step
    name, arguments = next(iter(step.items()))
    listed = ", ".join(f"{key}={json.dumps(value)}" for key, value in (arguments or {}).items())
    return f"{name}({listed})"


MACHINE_FACTS = {
    "cpu": "processor",
    "architecture": "architecture",
    "physical_cores": "physical cores",
    "logical_cores": "logical cores",
    "usable_cores": "cores that the run may use",
    "memory_gib": "memory, GiB",
    "affinity_cores": "cores of the affinity mask",
    "quota_cores": "CPU quota of the cgroup, in cores",
    "memory_available_bytes": "memory available before, bytes",
    "shared_memory_bytes": "/dev/shm, bytes",
    "shared_memory_free_bytes": "/dev/shm free before, bytes",
    "storage": "storage of the data",
    "system": "system",
    "kernel": "kernel",
    "environment": "environment",
    "cpu_governor": "CPU governor",
    "load_average_before": "load average before the first measurement",
}


def machine_facts(recorded: Mapping[str, Any]) -> Table:
    """The machine, and the packages that the measurement used."""
    machine = recorded["machine"]
    gpus = ", ".join(f"{gpu['name']} (driver {gpu['driver']})" for gpu in machine["gpus"])
    rows: list[list[Any]] = [[label, _known(machine[key])] for key, label in MACHINE_FACTS.items()]
    rows.append(["NVIDIA GPUs", gpus or "none"])
    rows += [[name, version] for name, version in recorded["packages"].items()]
    return Table(
        name="machine",
        columns=["fact", "value"],
        rows=rows,
    )


def _known(value: Any) -> str:
    return "unknown" if value is None else f"{value:,}" if isinstance(value, int) else str(value)


def columns_of(columns: Mapping[str, Mapping[str, str]], file: str, name: str) -> Table:
    """What each column of the CSV file `file` means."""
    return Table(
        name=name,
        columns=["column", "meaning"],
        rows=[[column, meaning] for column, meaning in columns[file].items()],
        message="columns",
        values={"file": file},
    )
