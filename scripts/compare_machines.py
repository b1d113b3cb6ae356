"""Put this run beside the articles' numbers and beside published bundles of other machines.

Writes machines.json: what each machine reached, what was recommended on it, and which claims hold.
"""

import argparse
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pandas as pd

from feedrate.analysis.machines import THIS_RUN, MachineRun, Tables, measured_run, published_runs
from feedrate.analysis.recommendation import read_recommendations
from feedrate.files import write_json
from feedrate.publishing.bundle import BundleError, open_bundle
from feedrate.publishing.checksums import ChecksumsError, differences
from feedrate.reading import read_json


def main() -> None:
    arguments = parse_arguments()
    results = arguments.results
    own = tables(results, results)
    ours = own.plan["experiment"]
    runs = [
        measured_run(THIS_RUN, own, ours),
        *published_runs(read_json(results / "published.json")),
    ]
    problems = []
    for number, bundle in enumerate(arguments.bundles, start=1):
        try:
            runs.append(published_bundle(f"machine {number}", bundle, ours))
        except (BundleError, ChecksumsError) as error:
            problems.append(f"  report.compare, {bundle}: {error}")
    if problems:
        sys.exit(
            "Some bundles can't be compared with this run:\n" + "\n".join(problems) + "\n"
            "Give the path of a bundle.zip that `make publish` wrote, or of the folder that it "
            "unpacks to."
        )
    write_json(results / "machines.json", [asdict(run) for run in runs])


def published_bundle(name: str, bundle: Path, ours: dict[str, Any]) -> MachineRun:
    """The run in `bundle`, checked against its own checksums."""
    with open_bundle(bundle) as folder:
        if found := differences(folder):
            raise BundleError("was changed after it was published: " + "; ".join(found))
        try:
            return measured_run(name, tables(folder / "tables", folder), ours)
        except (OSError, ValueError, LookupError, TypeError) as error:
            raise BundleError(
                f"has a form that this version can't read ({type(error).__name__}: {error})"
            ) from error


def tables(folder: Path, beside_plan: Path) -> Tables:
    """The tables in `folder`, and the plan in `beside_plan`."""
    return Tables(
        repetitions=pd.read_csv(folder / "repetitions.csv"),
        recommendations=read_recommendations(folder / "decisions.json"),
        verdicts={each["id"]: each["verdict"] for each in read_json(folder / "ledger.json")},
        machine=read_json(folder / "machine.json")["machine"],
        plan=read_json(beside_plan / "plan.json"),
    )


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--results", type=Path, required=True, help="folder with the tables")
    parser.add_argument(
        "--bundles", type=Path, nargs="*", default=[], help="published bundles, in order"
    )
    return parser.parse_args()


if __name__ == "__main__":
    main()
