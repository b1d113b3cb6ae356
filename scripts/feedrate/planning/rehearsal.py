"""Try conditions and the device once before they are measured, and keep what was found."""

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from feedrate.canonical import digest
from feedrate.configuration.mistakes import Problem
from feedrate.files import write_json
from feedrate.planning.specification import Specification

REHEARSAL_VERSION = 3
SHARED_KEYS = ("device", "threads", "packages", "machine", "workload", "training")


class RehearsalFailed(Exception):
    """The rehearsing process itself failed; the message is what it printed."""


def rehearsal_of(specification: Specification, folder: Path) -> Path:
    """The file that keeps the rehearsal of a cell's condition (if any) and device."""
    shared = [specification[key] for key in SHARED_KEYS]
    size = specification["loader"]["batch_size"]
    content = [REHEARSAL_VERSION, specification["condition"], size, *shared]
    return folder / f"{_name(specification)}-{digest(content)[:12]}.json"


def rehearse(specifications: Iterable[Specification], folder: Path) -> list[Problem]:
    """Try every condition of `specifications` that has no file in `folder`, in one process.

    Returns what is wrong with them, or writes the files if all of them work.
    """
    new = {
        file: specification
        for specification in specifications
        for file in [rehearsal_of(specification, folder)]
        if not file.exists()
    }
    if not new:
        return []
    found = _run(list(new.values()))
    problems = [
        *([Problem(("device",), found["device"]["error"])] if "error" in found["device"] else []),
        *(
            Problem(("conditions", name), outcome["error"])
            for name, outcome in found["conditions"].items()
            if "error" in outcome
        ),
    ]
    if problems:
        return problems
    for file, specification in new.items():
        condition = specification["condition"]
        size = str(specification["loader"]["batch_size"])
        write_json(
            file,
            (found["conditions"][condition["name"]] if condition else {})
            | found["process"]
            | {"step_seconds": found["device"]["step_seconds"][size]},
        )
    return []


def rehearsed_memory(specifications: Iterable[Specification], folder: Path) -> int:
    """Bytes of the largest process that tried the conditions of `specifications`."""
    files = {rehearsal_of(specification, folder) for specification in specifications}
    sizes = (json.loads(file.read_text(encoding="utf-8"))["memory_bytes"] for file in files)
    return int(max(sizes))


def _name(specification: Specification) -> str:
    condition = specification["condition"]
    return str(condition["name"]) if condition else "device"


def _run(specifications: Sequence[Specification]) -> Any:
    conditions = [each["condition"] for each in specifications if each["condition"]]
    request = {
        "parent": os.getpid(),
        "specification": specifications[0],
        "batch_sizes": sorted({each["loader"]["batch_size"] for each in specifications}),
        "conditions": {condition["name"]: condition for condition in conditions},
    }
    done = subprocess.run(
        [sys.executable, "-m", "feedrate.measurement.rehearse"],
        input=json.dumps(request),
        capture_output=True,
        text=True,
        env=os.environ,
        check=False,
    )
    if done.returncode:
        raise RehearsalFailed(
            "Trying the conditions before the measurement failed: "
            + (done.stderr.strip() or f"the process ended with status {done.returncode}")
        )
    return json.loads(done.stdout)
