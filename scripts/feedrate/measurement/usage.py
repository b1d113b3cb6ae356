"""What an epoch used, from the samples taken during it."""

import statistics
from collections.abc import Sequence
from typing import Any

from feedrate.measurement.sampler import Sample


def usage(samples: Sequence[Sample], started: float, ended: float) -> dict[str, Any]:
    """CPU cores in use, bytes of memory and shared memory, GPU, between two monotonic times.

    `worker_memory_bytes` is the median over samples and workers, `workers_memory_bytes` and
    `total_memory_bytes` (with the main process) are peaks, `end_memory_bytes` is the last total.
    None for what no sample has. Shared memory is what the whole machine has added since the very
    first sample. `samples` is how many were taken during the epoch.
    """
    within = [
        each
        for each in samples
        if started <= each["seconds"] and each["ended_seconds"] <= ended and each["main"]
    ]
    totals = [total for each in within if (total := _total_memory(each)) is not None]
    by_worker = [
        worker["memory_bytes"]
        for each in within
        for worker in each["workers"]
        if worker["memory_bytes"] is not None
    ]
    return {
        "samples": len(within),
        "main_cpu_cores": _main_cores(within),
        "workers_cpu_cores": _workers_cores(samples, within),
        "worker_memory_bytes": statistics.median(by_worker) if by_worker else None,
        "workers_memory_bytes": _peak([_workers_memory(each) for each in within]),
        "total_memory_bytes": _peak(totals),
        "end_memory_bytes": totals[-1] if totals else None,
        "shared_memory_bytes": _added(samples, within),
    } | _gpu_usage([each["gpu"] for each in within if each["gpu"]])


def _total_memory(sample: Sample) -> int | None:
    own, workers = sample["main"]["memory_bytes"], _workers_memory(sample)
    return None if own is None or workers is None else own + workers


def _workers_memory(sample: Sample) -> int | None:
    each = [worker["memory_bytes"] for worker in sample["workers"]]
    return None if None in each else sum(each)


def _main_cores(within: Sequence[Sample]) -> float | None:
    if len(within) < 2:
        return None
    first, last = within[0], within[-1]
    used = last["main"]["cpu_seconds"] - first["main"]["cpu_seconds"]
    return float(used / (last["seconds"] - first["seconds"]))


def _workers_cores(samples: Sequence[Sample], within: Sequence[Sample]) -> float | None:
    """Workers that started after the first sample count from their start."""
    if len(within) < 2:
        return None
    before: dict[int, float] = {}
    latest: dict[int, float] = {}
    for each in samples:
        for worker in each["workers"]:
            if each["seconds"] <= within[0]["seconds"]:
                before[worker["pid"]] = worker["cpu_seconds"]
            elif each["seconds"] <= within[-1]["seconds"]:
                latest[worker["pid"]] = worker["cpu_seconds"]
    used = sum(seconds - before.get(pid, 0.0) for pid, seconds in latest.items())
    return used / float(within[-1]["seconds"] - within[0]["seconds"])


def _added(samples: Sequence[Sample], within: Sequence[Sample]) -> int | None:
    peak = _peak([each["shared_memory_bytes"] for each in within])
    base = samples[0]["shared_memory_bytes"] if samples else None
    return None if peak is None or base is None else max(0, peak - base)


def _gpu_usage(samples: Sequence[dict[str, Any]]) -> dict[str, Any]:
    def known(key: str) -> list[Any]:
        return [each[key] for each in samples if each[key] is not None]

    utilisation, clocks = known("utilisation_percent"), known("clock_mhz")
    events = known("clock_events")
    return {
        "gpu_utilisation_percent": statistics.fmean(utilisation) if utilisation else None,
        "gpu_memory_bytes": _peak(known("memory_bytes")),
        "gpu_clock_mhz": statistics.median(clocks) if clocks else None,
        "gpu_clock_events": sorted({name for names in events for name in names}) or None,
    }


def _peak(values: Sequence[int | None]) -> int | None:
    present = [value for value in values if value is not None]
    return max(present) if present else None
