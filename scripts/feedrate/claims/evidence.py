"""What claims are judged by: tables of measurements, and facts of machine and software."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from feedrate.analysis.tables import MIB


@dataclass(frozen=True)
class Evidence:
    """All measurements of one machine.

    `repetitions` has a row per timed repetition, `ceilings` a row per repetition of the arms
    loader, step and resident, `resources` a row per epoch of the arms instrumented and leak. The
    columns that claims read are those of METRICS and of `selection`. `facts` has FACTS, `gpus`
    (a list) and `device`; a fact that is unknown is None or missing.
    """

    repetitions: pd.DataFrame
    ceilings: pd.DataFrame
    resources: pd.DataFrame
    facts: Mapping[str, Any]


TRUTH = "true or false"
"""Unit of a fact that is no number."""


@dataclass(frozen=True)
class Fact:
    """What a fact means, and its unit."""

    meaning: str
    unit: str


FACTS = {
    "physical_cores": Fact("physical cores", "cores"),
    "logical_cores": Fact("logical CPUs of the machine", "cores"),
    "usable_cores": Fact("logical CPUs that the process may use", "cores"),
    "os_cpu_count": Fact("what os.cpu_count() returns", "cores"),
    "shared_memory_mib": Fact("size of /dev/shm", "MiB"),
    "persistent_workers_default": Fact(
        "the default of persistent_workers in the installed DataLoader", TRUTH
    ),
}
"""Facts that a claim may name."""


def facts_of(machine: Mapping[str, Any], device: str) -> dict[str, Any]:
    """The facts that a record tells of the `machine` that measured it, training on `device`.

    None for what it doesn't tell: records from before a fact was recorded lack it.
    """
    shared = machine["shared_memory_bytes"]
    defaults = machine.get("loader_defaults") or {}
    return {
        **{name: machine.get(name) for name, fact in FACTS.items() if fact.unit == "cores"},
        "gpus": machine["gpus"],
        "shared_memory_mib": None if shared is None else shared / MIB,
        "persistent_workers_default": defaults.get("persistent_workers"),
        "device": device,
    }
