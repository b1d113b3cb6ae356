"""The machine, as far as it can change a number."""

import os
import platform
from pathlib import Path
from typing import Any

import psutil

from feedrate.environment.accelerators import visible_nvidia_gpus


def fingerprint() -> dict[str, Any]:
    """What makes this machine another one: a change here makes every measured cell stale.

    No host name, user or boot-dependent value. `physical_cores` is None where it is unknown.
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


def description() -> dict[str, Any]:
    """The fingerprint, and what explains a number without making the machine another one."""
    return fingerprint() | {
        "kernel": platform.release(),
        "environment": environment(),
        "cpu_governor": _first_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
        "shared_memory_bytes": _size_of("/dev/shm"),
        "load_average_before": round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None,
    }


def cpu_model() -> str:
    """The processor's marketing name, or `unknown`."""
    for line in _lines("/proc/cpuinfo"):
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.processor() or "unknown"


def usable_cores() -> int:
    """Logical cores that this process may use: affinity, then the cgroup's quota, rounded up."""
    affinity = getattr(os, "sched_getaffinity", None)
    allowed = len(affinity(0)) if affinity else os.cpu_count() or 1
    quota = _first_line("/sys/fs/cgroup/cpu.max")
    if quota and not quota.startswith("max"):
        limit, period = (int(part) for part in quota.split())
        allowed = min(allowed, max(1, -(-limit // period)))
    return allowed


def torch_threads() -> int:
    """One thread per physical core that may be used; per logical core where that is unknown."""
    return min(usable_cores(), psutil.cpu_count(logical=False) or usable_cores())


def environment() -> str:
    """`WSL`, `container` or `host`."""
    if "microsoft" in platform.release().lower():
        return "WSL"
    in_container = Path("/.dockerenv").exists() or Path("/run/.containerenv").exists()
    return "container" if in_container else "host"


def _size_of(folder: str) -> int | None:
    return psutil.disk_usage(folder).total if Path(folder).is_dir() else None


def _first_line(path: str) -> str | None:
    return next(iter(_lines(path)), None)


def _lines(path: str) -> list[str]:
    try:
        return Path(path).read_text(encoding="utf-8").splitlines()
    except OSError:
        return []
