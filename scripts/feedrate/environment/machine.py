"""The machine, as far as it can change a number."""

import math
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


def description(data: Path) -> dict[str, Any]:
    """The fingerprint, and what explains a number without making the machine another one.

    `data` is the folder whose storage is meant. None where something is unknown.
    """
    shared = shared_memory()
    return fingerprint() | {
        "kernel": platform.release(),
        "environment": environment(),
        "affinity_cores": affinity_cores(),
        "quota_cores": quota_cores(),
        "cpu_governor": _first_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
        "shared_memory_bytes": shared.total if shared else None,
        "shared_memory_free_bytes": shared.free if shared else None,
        "memory_available_bytes": available_memory(),
        "storage": storage(data),
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
    allowed = affinity_cores() or os.cpu_count() or 1
    quota = quota_cores()
    return allowed if quota is None else min(allowed, max(1, math.ceil(quota)))


def affinity_cores() -> int | None:
    """Logical cores that the scheduler may put this process on; None where unknown."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else None


def quota_cores() -> float | None:
    """Cores' worth of time that the cgroup (version 2) grants; None without a quota."""
    limit, _, period = (_first_line("/sys/fs/cgroup/cpu.max") or "max").partition(" ")
    return None if limit == "max" else int(limit) / int(period)


def shared_memory() -> Any:
    """Total, used and free bytes of /dev/shm; None where there is none."""
    return psutil.disk_usage("/dev/shm") if Path("/dev/shm").is_dir() else None


def available_memory() -> int:
    """Bytes that programs can still get: the machine's, or what the cgroup leaves of them."""
    available = int(psutil.virtual_memory().available)
    limit = _first_line("/sys/fs/cgroup/memory.max") or "max"
    used = _first_line("/sys/fs/cgroup/memory.current")
    if limit == "max" or used is None:
        return available
    return max(0, min(available, int(limit) - int(used)))


def storage(folder: Path) -> str | None:
    """Type of the file system that holds `folder`, and whether its disk rotates if known."""
    place = folder.resolve()
    mounts = [
        mount
        for mount in psutil.disk_partitions(all=True)
        if place.is_relative_to(mount.mountpoint)
    ]
    if not mounts:
        return None
    mount = max(mounts, key=lambda each: len(each.mountpoint))
    disk = Path(mount.device).name.rstrip("0123456789")
    rotates = {"0": "not rotating", "1": "rotating"}.get(
        _first_line(f"/sys/block/{disk}/queue/rotational") or ""
    )
    return ", ".join(filter(None, [mount.fstype, rotates]))


def torch_threads() -> int:
    """One thread per physical core that may be used; per logical core where that is unknown."""
    return min(usable_cores(), psutil.cpu_count(logical=False) or usable_cores())


def environment() -> str:
    """`WSL`, `container` or `host`."""
    if "microsoft" in platform.release().lower():
        return "WSL"
    in_container = Path("/.dockerenv").exists() or Path("/run/.containerenv").exists()
    return "container" if in_container else "host"


def _first_line(path: str) -> str | None:
    return next(iter(_lines(path)), None)


def _lines(path: str) -> list[str]:
    try:
        return Path(path).read_text(encoding="utf-8").splitlines()
    except OSError:
        return []
