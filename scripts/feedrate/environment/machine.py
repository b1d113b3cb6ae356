"""The machine, as far as it can change a number."""

import math
import os
import platform
from pathlib import Path
from typing import Any

import psutil

from feedrate.environment.accelerators import visible_nvidia_gpus


def fingerprint() -> dict[str, Any]:
    """What identifies this machine: a change here makes every measured cell stale.

    No host name, no user, nothing that changes from boot to boot. `physical_cores` is None where
    it is unknown.
    """
    return {
        "cpu": cpu_model(),
        "architecture": platform.machine(),
        "system": platform.system(),
        "physical_cores": psutil.cpu_count(logical=False),
        "logical_cores": psutil.cpu_count(logical=True),
        "usable_cores": usable_cores(),
        "memory_gib": round(psutil.virtual_memory().total / 2**30),
        "gpus": [gpu.as_dict() for gpu in visible_nvidia_gpus()],
    }


def cpu_model() -> str:
    """The processor's marketing name, or `unknown`."""
    for line in _lines("/proc/cpuinfo"):
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.processor() or "unknown"


def usable_cores() -> int:
    """Logical cores that this process may use: affinity, then the cgroup's quota, rounded up."""
    allowed = affinity_cores() or os.cpu_count() or 1
    quota = quota_cores()
    return allowed if quota is None else min(allowed, max(1, math.ceil(quota)))


def affinity_cores() -> int | None:
    """Logical cores that the scheduler may put this process on; None where unknown."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else None


def quota_cores() -> float | None:
    """CPU time that the cgroup (version 2) grants, in cores; None without a quota."""
    limit, _, period = (first_line("/sys/fs/cgroup/cpu.max") or "max").partition(" ")
    return None if limit == "max" else int(limit) / int(period)


def torch_threads() -> int:
    """One thread per physical core that may be used; per logical core where that is unknown."""
    return min(usable_cores(), psutil.cpu_count(logical=False) or usable_cores())


def first_line(path: str) -> str | None:
    """The first line of the file `path`; None if it can't be read or is empty."""
    return next(iter(_lines(path)), None)


def _lines(path: str) -> list[str]:
    try:
        return Path(path).read_text(encoding="utf-8").splitlines()
    except OSError:
        return []
