"""Facts about a machine that help to explain a number but don't make it another machine."""

import os
import platform
import re
from pathlib import Path
from typing import Any

import psutil

from feedrate.environment.dataloader import loader_defaults
from feedrate.environment.machine import affinity_cores, fingerprint, first_line, quota_cores


def description(data: Path) -> dict[str, Any]:
    """The fingerprint, and facts that help to explain a number but make no cell stale.

    `data` is the folder whose storage is described. What is unknown is None.
    """
    shared = shared_memory()
    return fingerprint() | {
        "kernel": platform.release(),
        "environment": environment(),
        "os_cpu_count": os.cpu_count(),
        "loader_defaults": loader_defaults(),
        "affinity_cores": affinity_cores(),
        "quota_cores": quota_cores(),
        "cpu_governor": first_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
        "shared_memory_bytes": shared.total if shared else None,
        "shared_memory_free_bytes": shared.free if shared else None,
        "memory_available_bytes": available_memory(),
        "storage": storage(data),
        "load_average_before": round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None,
    }


def environment() -> str:
    """`WSL`, `container` or `host`."""
    if "microsoft" in platform.release().lower():
        return "WSL"
    in_container = Path("/.dockerenv").exists() or Path("/run/.containerenv").exists()
    return "container" if in_container else "host"


def shared_memory() -> Any:
    """Total, used and free bytes of /dev/shm; None where there is none."""
    return psutil.disk_usage("/dev/shm") if Path("/dev/shm").is_dir() else None


def available_memory() -> int:
    """Bytes that programs can still get: the machine's, or what the cgroup allows of them."""
    available = int(psutil.virtual_memory().available)
    limit = first_line("/sys/fs/cgroup/memory.max") or "max"
    used = first_line("/sys/fs/cgroup/memory.current")
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
    disk = disk_of(Path(mount.device).name)
    rotates = {"0": "not rotating", "1": "rotating"}.get(
        first_line(f"/sys/block/{disk}/queue/rotational") or ""
    )
    return ", ".join(filter(None, [mount.fstype, rotates]))


def disk_of(device: str) -> str:
    """The disk of a partition: `sda1` is on `sda`, `nvme0n1p2` on `nvme0n1`."""
    numbered = re.fullmatch(r"(.*\d)p\d+", device)
    return numbered[1] if numbered else device.rstrip("0123456789")
