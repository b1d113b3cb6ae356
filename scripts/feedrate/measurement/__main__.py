"""The measuring process: `python -m feedrate.measurement`, a specification on standard input."""

import argparse
import json
import sys
import time
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path

import psutil

from feedrate.canonical import digest
from feedrate.dataset.integrity import DatasetError, verify
from feedrate.dataset.registry import FASHION_MNIST
from feedrate.environment.machine import fingerprint
from feedrate.files import write_atomically
from feedrate.measurement.process import die_with_parent, forget_thread_limits


def main() -> None:
    die_with_parent()
    forget_thread_limits()
    arguments = parse_arguments()
    specification = json.load(sys.stdin)
    if fingerprint() != specification["machine"]:
        sys.exit("this machine is not the one that the cell was planned for; start the run again")
    try:
        verify(arguments.data, FASHION_MNIST)
    except DatasetError as error:
        sys.exit(str(error))
    # By its name: how the machine is described is not part of a specification.
    machine = import_module("feedrate.environment.description").description(arguments.data)

    # Imported here: the lines above must come before torch reads its environment. By its name:
    # the code of one arm is not part of another's specification.
    arm = import_module(f"feedrate.measurement.arms.{specification['arm']}")
    measurement = arm.measure(specification, arguments.data, arguments.batch_seconds)

    import torch

    record = {
        "specification": specification,
        "measurement": measurement,
        "machine": machine,
        "process": {
            "started_at": utc(psutil.Process().create_time()),
            "ended_at": utc(time.time()),
            "threads": torch.get_num_threads(),
            "start_method": specification["loader"]["start_method"],
            "torch": torch.__version__,
            "session": arguments.session,
        },
    }
    record["checksum"] = digest(record)
    write_atomically(arguments.output, json.dumps(record, indent=1, sort_keys=True) + "\n")


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="feedrate.measurement", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the dataset")
    parser.add_argument("--batch-seconds", type=int, required=True, help="limit for one batch")
    parser.add_argument("--session", required=True, help="the session that the cell belongs to")
    parser.add_argument("--output", type=Path, required=True, help="the cell's JSON file")
    return parser.parse_args()


def utc(seconds: float) -> str:
    """Seconds since 1970 as an ISO 8601 time in UTC."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")


if __name__ == "__main__":
    main()
