"""Gather all cells of the plan into epochs.csv, summary.csv and machine.json."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from feedrate.analysis.records import Record, RecordsRefused, read_records
from feedrate.analysis.tables import EPOCH_COLUMNS, SUMMARY_COLUMNS, epoch_table, summary_table
from feedrate.files import write_atomically
from feedrate.planning.plan import read_plan


def main() -> None:
    arguments = parse_arguments()
    results = arguments.results
    try:
        plan = read_plan(results / "plan.json")
        records = read_records(plan, results)
    except RecordsRefused as refusal:
        sys.exit(str(refusal))
    epochs = epoch_table(records)
    columns = {"epochs.csv": EPOCH_COLUMNS, "summary.csv": SUMMARY_COLUMNS}
    write_atomically(results / "columns.json", json.dumps(columns, indent=1) + "\n")
    write_atomically(results / "machine.json", json.dumps(machine_facts(records), indent=1) + "\n")
    write_atomically(results / "epochs.csv", epochs.to_csv(index=False))
    summary = summary_table(epochs, list(plan.experiment["conditions"]))
    write_atomically(results / "summary.csv", summary.to_csv(index=False))


def machine_facts(records: list[Record]) -> dict[str, Any]:
    """The machine and the packages; the same in all cells, or the plan would not name them."""
    first = records[0]
    return {"machine": first["machine"], "packages": first["specification"]["packages"]}


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--results", type=Path, required=True, help="folder of plan and cells")
    return parser.parse_args()


if __name__ == "__main__":
    main()
