"""The catalogue of what a claim can be about."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Metric:
    """A column of the evidence.

    `arm` is the arm of its table, empty for `repetitions`, which has one only. `scope` is what
    tells its rows apart: a `cell` is a condition with its loader's settings, a `condition` has no
    workers, and for `batches` there is nothing but their size. `combine` makes one number of the
    epochs of a resource: the peak of all, or the median of the warm ones.
    """

    meaning: str
    unit: str
    column: str
    table: Literal["repetitions", "ceilings", "resources"]
    arm: str = ""
    scope: Literal["cell", "condition", "batches"] = "cell"
    combine: Literal["peak", "warm median"] = "peak"


def _resource(column: str, meaning: str, unit: str, steady: bool = False) -> Metric:
    combine: Literal["peak", "warm median"] = "warm median" if steady else "peak"
    return Metric(meaning, unit, column, "resources", "instrumented", combine=combine)


METRICS = {
    "warm_images_per_second": Metric(
        "warm throughput", "images/s", "warm_images_per_second", "repetitions"
    ),
    "warm_epoch_seconds": Metric("warm epoch", "s", "warm_epoch_seconds", "repetitions"),
    "first_epoch_seconds": Metric("first epoch", "s", "first_epoch_seconds", "repetitions"),
    "loader_images_per_second": Metric(
        "throughput of the loader alone", "images/s", "images_per_second", "ceilings", "loader"
    ),
    "step_images_per_second": Metric(
        "throughput of the training step alone",
        "images/s",
        "images_per_second",
        "ceilings",
        "step",
        "batches",
    ),
    "resident_images_per_second": Metric(
        "throughput with the data on the device",
        "images/s",
        "images_per_second",
        "ceilings",
        "resident",
        "condition",
    ),
    "worker_memory_mib": _resource("worker_memory_mib", "median memory (PSS) of a worker", "MiB"),
    "workers_memory_mib": _resource("workers_memory_mib", "memory (PSS) of all workers", "MiB"),
    "total_memory_mib": _resource("total_memory_mib", "memory (PSS) with all workers", "MiB"),
    "end_memory_mib": _resource("end_memory_mib", "memory (PSS) at an epoch's end", "MiB"),
    "shared_memory_mib": _resource("shared_memory_mib", "shared memory in use", "MiB"),
    "pinned_memory_mib": _resource("pinned_memory_mib", "page-locked memory", "MiB"),
    "main_cpu_cores": _resource(
        "main_cpu_cores", "cores that the main process used", "cores", True
    ),
    "workers_cpu_cores": _resource(
        "workers_cpu_cores", "cores that the workers used", "cores", True
    ),
    "gpu_utilisation_percent": _resource(
        "gpu_utilisation_percent", "GPU use as NVML reports it", "%", True
    ),
    "gpu_busy_percent": _resource("gpu_busy_percent", "share of time with GPU work", "%", True),
}
"""Name to metric; the names are what claims.yaml says."""
