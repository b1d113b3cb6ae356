"""One measurement, from its specification."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch

from feedrate.measurement.members import member
from feedrate.measurement.state import same_state, undone


def run(
    specification: Mapping[str, Any], data: str, batch_seconds: int, parent: int
) -> dict[str, Any]:
    """The `measurement` of an arm, and facts about the `process` that ran it.

    `data` is the folder of the dataset; a batch that takes longer than `batch_seconds` is an error.
    """
    torch.set_num_threads(specification["threads"])
    with same_state():
        measurement = member("arms", specification["arm"]).measure(
            specification, Path(data), batch_seconds
        )
    return {
        "measurement": measurement,
        "process": {
            "threads": torch.get_num_threads(),
            "interop_threads": torch.get_num_interop_threads(),
            "affinity_cores": len(os.sched_getaffinity(0))
            if hasattr(os, "sched_getaffinity")
            else None,
            "start_method": specification["loader"].get("start_method"),
            "torch": torch.__version__,
            "undone": list(undone),
        },
    }
