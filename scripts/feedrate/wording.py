"""Phrases that several modules share."""

from collections.abc import Mapping
from typing import Any


def counted_workers(count: int) -> str:
    """`1 worker`, `4 workers`."""
    return "1 worker" if count == 1 else f"{count} workers"


def machine_in_words(machine: Mapping[str, Any]) -> str:
    """`AMD EPYC, 2 usable cores, 24 GiB, no GPU`, from the facts of a machine."""
    cores = machine["usable_cores"]
    gpus = ", ".join(dict.fromkeys(gpu["name"] for gpu in machine["gpus"])) or "no GPU"
    plural = "" if cores == 1 else "s"
    return f"{machine['cpu']}, {cores} usable core{plural}, {machine['memory_gib']} GiB, {gpus}"
