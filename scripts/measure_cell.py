"""Measure one cell in a fresh process, alone on this machine, and write its JSON file."""

import argparse
import json
import signal
import sys
from pathlib import Path

from feedrate.measurement.process import die_with_parent
from feedrate.planning.plan import read_plan
from feedrate.running.locks import machine_lock_path, only_one_measurement
from feedrate.running.progress import cell_name, outcome, outlook
from feedrate.running.supervision import CellFailed, run_measuring_process


def main() -> None:
    die_with_parent()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    arguments = parse_arguments()
    specification = json.loads(arguments.specification)
    name = cell_name(specification)
    try:
        with only_one_measurement(
            machine_lock_path(), lambda: say(f"{name}: waits its turn")
        ) as lock:
            run_measuring_process(
                measuring_arguments(arguments),
                arguments.specification,
                arguments.log,
                arguments.cell_seconds,
                lock,
            )
    except CellFailed as failure:
        with arguments.log.open("a", encoding="utf-8") as log:
            log.write(f"\n{failure}\n")
        say(f"{name}: FAILED: {failure} (log: {arguments.log})")
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
    record = json.loads(arguments.output.read_text(encoding="utf-8"))
    state = outlook(read_plan(arguments.results / "plan.json"), arguments.results)
    say(f"{name}: {outcome(record)} · {state}")


def measuring_arguments(arguments: argparse.Namespace) -> list[str]:
    return [
        *("--data", str(arguments.data)),
        *("--batch-seconds", str(arguments.batch_seconds)),
        *("--session", arguments.session),
        *("--output", str(arguments.output)),
    ]


def say(text: str) -> None:
    print(f"feedrate: {text}", file=sys.stderr, flush=True)


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--specification", required=True, help="the cell's specification, as JSON")
    parser.add_argument("--data", type=Path, required=True, help="folder of the dataset")
    parser.add_argument("--results", type=Path, required=True, help="folder of plan and results")
    parser.add_argument("--session", required=True, help="the session that the cell belongs to")
    parser.add_argument("--output", type=Path, required=True, help="the cell's JSON file")
    parser.add_argument("--log", type=Path, required=True, help="what the measuring process says")
    parser.add_argument("--batch-seconds", type=int, required=True, help="limit for one batch")
    parser.add_argument("--cell-seconds", type=int, required=True, help="limit for the cell")
    return parser.parse_args()


if __name__ == "__main__":
    main()
