"""Decide from the tables: comparisons, bottlenecks, plateaus, advice, drift and sessions.

Writes comparisons.csv, bottlenecks.csv and decisions.json beside the tables, and columns.json, the
meaning of every column of every table.
"""

import argparse
from dataclasses import asdict
from pathlib import Path

import pandas as pd

from feedrate.analysis.advice import advise
from feedrate.analysis.bottlenecks import BOTTLENECK_COLUMNS, bottleneck_table
from feedrate.analysis.comparisons import COMPARISON_COLUMNS, comparison_table
from feedrate.analysis.decisions import Decisions
from feedrate.analysis.samples import match_sessions
from feedrate.analysis.steadiness import steadiness
from feedrate.analysis.tables import (
    CEILING_COLUMNS,
    EPOCH_COLUMNS,
    REPETITION_COLUMNS,
    RESOURCE_COLUMNS,
    SUMMARY_COLUMNS,
)
from feedrate.files import write_atomically, write_json
from feedrate.planning.plan import read_plan
from feedrate.reading import read_as, read_json
from feedrate.statistics.stopping import Stopping

COLUMNS = {
    "summary.csv": SUMMARY_COLUMNS,
    "repetitions.csv": REPETITION_COLUMNS,
    "epochs.csv": EPOCH_COLUMNS,
    "comparisons.csv": COMPARISON_COLUMNS,
    "bottlenecks.csv": BOTTLENECK_COLUMNS,
    "ceilings.csv": CEILING_COLUMNS,
    "resources.csv": RESOURCE_COLUMNS,
}


def main() -> None:
    results = parse_arguments().results
    plan = read_plan(results / "plan.json")
    epochs, repetitions, ceilings, resources = (
        pd.read_csv(results / f"{name}.csv")
        for name in ("epochs", "repetitions", "ceilings", "resources")
    )
    machine = read_json(results / "machine.json")["machine"]

    comparisons = comparison_table(repetitions, plan.sweeps)
    bottlenecks = bottleneck_table(repetitions, ceilings)
    decisions = Decisions(
        advice=tuple(advise(repetitions, bottlenecks, resources, machine)),
        sessions=tuple(match_sessions(epochs)),
        steadiness=steadiness(repetitions, str(plan.sentinel)),
        stopping=read_as(dict[str, Stopping], results / "stopping.json"),
    )

    write_atomically(results / "comparisons.csv", comparisons.to_csv(index=False))
    write_atomically(results / "bottlenecks.csv", bottlenecks.to_csv(index=False))
    write_json(results / "columns.json", COLUMNS)
    write_json(results / "decisions.json", asdict(decisions))


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--results", type=Path, required=True, help="folder with the tables")
    return parser.parse_args()


if __name__ == "__main__":
    main()
