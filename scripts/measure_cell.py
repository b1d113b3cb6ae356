"""Measure one cell in a fresh process, alone on this machine, and write its JSON file."""

import argparse
import contextlib
import json
import os
import signal
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from feedrate.dataset.integrity import DatasetError, verify
from feedrate.environment.description import description
from feedrate.environment.machine import fingerprint
from feedrate.files import write_atomically, write_json
from feedrate.measurement.process import die_with
from feedrate.measurement.workloads import WORKLOADS
from feedrate.planning.duration import foretold_by, measured_seconds
from feedrate.reading import read_as
from feedrate.running.locks import machine_lock_path, only_one_measurement
from feedrate.running.outlook import OUTLOOK, Outlook
from feedrate.running.progress import cell_name, outcome
from feedrate.running.record import record_of
from feedrate.running.supervision import CellFailed, ask_measuring_process


def main() -> None:
    arguments = parse_arguments()
    die_with(arguments.parent)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    specification = json.loads(arguments.specification)
    name = cell_name(specification)
    try:
        with only_one_measurement(
            machine_lock_path(), lambda: say(f"{name}: waiting for another measurement to end")
        ) as lock:
            record = measure(specification, arguments, lock)
    except (CellFailed, DatasetError) as failure:
        arguments.log.parent.mkdir(parents=True, exist_ok=True)
        with arguments.log.open("a", encoding="utf-8") as log:
            log.write(f"\n{failure}\n")
        say(f"{name}: FAILED: {failure} (log: {arguments.log})")
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
    text = json.dumps(record, indent=1, sort_keys=True) + "\n"
    # From here on nothing may fail the job: Snakemake would delete what was measured.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    write_atomically(arguments.output, text)
    with contextlib.suppress(Exception):
        state = updated_outlook(record, arguments.results)
        say(f"{name}: {outcome(record)}" + (f" · {state}" if state else ""))
    os._exit(0)  # not even for a reader of the messages that is gone


def measure(specification: dict[str, Any], arguments: argparse.Namespace, lock: int) -> Any:
    """The record of the cell; CellFailed or DatasetError says why there is none."""
    if fingerprint() != specification["machine"]:
        raise CellFailed(
            "this isn't the machine that the cell was planned for; start the run again"
        )
    verify(arguments.data, WORKLOADS[specification["workload"]["name"]].dataset)
    machine = description(arguments.data)
    request = {
        "specification": specification,
        "data": str(arguments.data.resolve()),
        "batch_seconds": arguments.batch_seconds,
    }
    answer = ask_measuring_process(request, arguments.log, arguments.cell_seconds, lock)
    return record_of(specification, answer, machine, arguments.session)


def updated_outlook(record: dict[str, Any], results: Path) -> Outlook | None:
    """The outlook of the run after this cell; None where no run has left one."""
    file = results / OUTLOOK
    if not file.is_file():
        return None
    foretold = foretold_by(results / "rehearsals")(record["specification"])
    state = read_as(Outlook, file).after(foretold, measured_seconds(record))
    write_json(file, asdict(state))
    return state


def say(text: str) -> None:
    with contextlib.suppress(OSError):  # whoever read it may be gone
        print(f"feedrate: {text}", file=sys.stderr, flush=True)


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--specification", required=True, help="the cell's specification, as JSON")
    parser.add_argument("--data", type=Path, required=True, help="folder of the dataset")
    parser.add_argument("--results", type=Path, required=True, help="folder of plan and results")
    parser.add_argument("--session", required=True, help="the session that the cell belongs to")
    parser.add_argument("--output", type=Path, required=True, help="the cell's JSON file")
    parser.add_argument("--log", type=Path, required=True, help="the measuring process's log")
    parser.add_argument("--batch-seconds", type=int, required=True, help="limit for one batch")
    parser.add_argument("--cell-seconds", type=int, required=True, help="limit for the cell")
    parser.add_argument(
        "--parent",
        type=int,
        default=os.getppid(),
        help="the process with which this one ends (default: the one that started it)",
    )
    return parser.parse_args()


if __name__ == "__main__":
    main()
