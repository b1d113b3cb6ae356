"""One set of DataLoader settings, with what doesn't apply left out."""

import platform
from dataclasses import dataclass
from typing import Any

from feedrate.environment.accelerators import PINNING_DEVICES


@dataclass(frozen=True, order=True)
class LoaderSettings:
    """Arguments of a DataLoader that hold together; None where an argument doesn't apply."""

    num_workers: int
    batch_size: int
    prefetch_factor: int | None
    persistent_workers: bool
    pin_memory: bool
    start_method: str | None

    @property
    def slug(self) -> str:
        """A name for folders, such as `workers-4_batch-256_prefetch-2_persistent_pageable`."""
        parts = [f"workers-{self.num_workers}", f"batch-{self.batch_size}"]
        if self.num_workers:
            parts.append(f"prefetch-{self.prefetch_factor}")
            parts.append("persistent" if self.persistent_workers else "respawned")
            parts.append(str(self.start_method))
        parts.append("pinned" if self.pin_memory else "pageable")
        return "_".join(parts)


def resolve(requested: dict[str, Any], device: str) -> LoaderSettings:
    """The settings that a request comes to on `device`.

    Without workers there is nothing to prefetch, to keep or to start; memory is pinned only for
    a device that copies from it differently.
    """
    workers = requested["num_workers"]
    return LoaderSettings(
        num_workers=workers,
        batch_size=requested["batch_size"],
        prefetch_factor=requested["prefetch_factor"] if workers else None,
        persistent_workers=bool(workers and requested["persistent_workers"]),
        pin_memory=requested["pin_memory"] and device in PINNING_DEVICES,
        start_method=start_method(requested["start_method"]) if workers else None,
    )


def start_method(name: str) -> str:
    """`auto` is fork on Linux, as until Python 3.13, and spawn elsewhere."""
    if name != "auto":
        return name
    return "fork" if platform.system() == "Linux" else "spawn"


def why_not_applicable(factor: str, device: str) -> str:
    """Why `factor` has no levels to compare on `device`."""
    if factor == "pin_memory":
        return f"pin_memory changes nothing on the device {device}, which has no memory of its own"
    return f"{factor} changes nothing without workers"
