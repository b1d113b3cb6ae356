"""What a claim can be about: every measured column, and every ceiling."""

from collections.abc import Mapping
from dataclasses import dataclass

from feedrate.analysis.tables import MEASURES, RESOURCE_COLUMNS
from feedrate.measurement.arm import Role, Scope
from feedrate.measurement.arms import ARMS

MIB = "MiB"

UNITS = {
    "images_per_second": "images/s",
    "seconds": "s",
    "mib": MIB,
    "cores": "cores",
    "percent": "%",
    "mhz": "MHz",
}
"""How the name of a measured column ends -> its unit."""

MEANINGS = {
    "warm_images_per_second": "warm throughput",
    "warm_epoch_seconds": "warm epoch",
    "first_epoch_seconds": "first epoch",
    "loader_images_per_second": "throughput of the loader alone",
    "step_images_per_second": "throughput of the training step alone",
    "worker_memory_mib": "median memory (PSS) of a worker",
    "total_memory_mib": "memory (PSS) with all workers",
    "end_memory_mib": "memory (PSS) at an epoch's end",
    "shared_memory_mib": "shared memory in use",
    "gpu_utilisation_percent": "GPU use as NVML reports it",
}
"""Shorter words for a metric than those of its column."""

KEYS = {Scope.CONDITION: ("condition", "batch_size"), Scope.BATCH: ("batch_size",)}
"""The settings that distinguish the cells of an arm without a loader."""


@dataclass(frozen=True)
class Metric:
    """A column of a table of the evidence, in the rows of one `arm` where it has several.

    `keys` are the settings that distinguish its cells, None for a condition with all settings of
    its loader.
    """

    meaning: str
    unit: str
    column: str
    table: str
    arm: str | None = None
    keys: tuple[str, ...] | None = None

    @property
    def is_peak(self) -> bool:
        """Whether the highest epoch counts, as for memory, and not the median of the warm ones."""
        return self.unit == MIB


def _measured(columns: Mapping[str, str], table: str, arm: str | None) -> dict[str, Metric]:
    return {
        column: Metric(MEANINGS.get(column, text), unit, column, table, arm)
        for column, text in columns.items()
        for end, unit in UNITS.items()
        if column.endswith(f"_{end}")
    }


def _ceilings(column: str) -> dict[str, Metric]:
    return {
        name: Metric(
            MEANINGS.get(name, f"throughput of {arm.meaning}"),
            UNITS[column],
            column,
            "ceilings",
            arm_name,
            KEYS.get(arm.scope),
        )
        for arm_name, arm in ARMS.items()
        if arm.role is Role.CEILING
        for name in [f"{arm_name}_{column}"]
    }


METRICS = (
    _measured(MEASURES, "repetitions", None)
    | _ceilings("images_per_second")
    | _measured(RESOURCE_COLUMNS, "resources", "instrumented")
)
"""Name to metric; the names are those that claims.yaml uses."""
