"""What claims are judged by: tables of measurements, and facts of machine and software."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from feedrate.analysis.tables import MIB


@dataclass(frozen=True)
class Evidence:
    """All measurements of one machine.

    `repetitions` is a repetition table, `ceilings` a ceiling table, `resources` a resource table.
    `facts` has FACTS, `gpus` (a list) and `device`; a fact that is unknown is None or missing.
    """

    repetitions: pd.DataFrame
    ceilings: pd.DataFrame
    resources: pd.DataFrame
    facts: Mapping[str, Any]


class NoData(Exception):
    """Nothing to evaluate; the message says why."""


TRUTH = "true or false"
"""Unit of a fact that isn't a number."""

CORES = "cores"


@dataclass(frozen=True)
class Fact:
    """What a fact means, and its unit."""

    meaning: str
    unit: str


FACTS = {
    "physical_cores": Fact("physical cores", CORES),
    "logical_cores": Fact("logical CPUs of the machine", CORES),
    "usable_cores": Fact("logical CPUs that the process may use", CORES),
    "os_cpu_count": Fact("what os.cpu_count() returns", CORES),
    "shared_memory_mib": Fact("size of /dev/shm", "MiB"),
    "persistent_workers_default": Fact(
        "the default of persistent_workers in the installed DataLoader", TRUTH
    ),
}
"""Facts that a claim may name."""


def facts_of(machine: Mapping[str, Any], device: str) -> dict[str, Any]:
    """The facts that a record states about the `machine` that measured it, training on `device`.

    None for what it doesn't state: older records lack facts that were not recorded yet.
    """
    shared = machine["shared_memory_bytes"]
    defaults = machine.get("loader_defaults") or {}
    return {
        **{name: machine.get(name) for name, fact in FACTS.items() if fact.unit == CORES},
        "gpus": machine["gpus"],
        "shared_memory_mib": None if shared is None else shared / MIB,
        "persistent_workers_default": defaults.get("persistent_workers"),
        "device": device,
    }


def known_number(name: str, facts: Mapping[str, Any]) -> float:
    """The fact `name` as a number, 1 and 0 for true and false; NoData where it is unknown."""
    value = facts.get(name)
    if value is None:
        what = FACTS[name].meaning
        what = what if FACTS[name].unit == TRUTH else f"the number behind {name} ({what})"
        raise NoData(f"{what} is unknown here")
    return float(value)
