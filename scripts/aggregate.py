"""Gather all cells of the plan into tables: epochs, repetitions, summary, ceilings, resources."""

import argparse
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from feedrate.analysis.samples import match_sessions, with_groups
from feedrate.analysis.tables import (
    ceiling_table,
    epoch_table,
    repetition_table,
    resource_table,
    summary_table,
)
from feedrate.files import write_atomically, write_json
from feedrate.planning.plan import read_plan
from feedrate.planning.records import Record, RecordsRefused, read_records
from feedrate.planning.rounds import needed_rounds


def main() -> None:
    arguments = parse_arguments()
    results = arguments.results
    try:
        plan = read_plan(results / "plan.json")
        needed, reasons = needed_rounds(plan, results)
        records = read_records([*plan.cells, *needed], results)
    except RecordsRefused as refusal:
        sys.exit(str(refusal))
    epochs = epoch_table(records)
    matches = match_sessions(epochs)
    epochs = with_groups(epochs, matches)
    repetitions = repetition_table(epochs, list(plan.experiment["conditions"]))
    tables = {
        "epochs.csv": epochs,
        "repetitions.csv": repetitions,
        "summary.csv": summary_table(repetitions),
        "ceilings.csv": with_groups(ceiling_table(records), matches),
        "resources.csv": resource_table(records),
    }
    for name, table in tables.items():
        write_atomically(results / name, table.to_csv(index=False))
    write_json(results / "machine.json", machine_facts(records))
    write_json(results / "stopping.json", {name: asdict(why) for name, why in reasons.items()})


def machine_facts(records: list[Record]) -> dict[str, Any]:
    """The machine as it was before the first measurement, and the packages.

    Fingerprint and packages are the same in all cells, as they are part of every specification.
    """
    first = min(records, key=lambda record: record["process"]["started_at"])
    return {"machine": first["machine"], "packages": first["specification"]["packages"]}


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--results", type=Path, required=True, help="folder of plan and cells")
    return parser.parse_args()


if __name__ == "__main__":
    main()
