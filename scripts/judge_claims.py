"""Judge every claim of the articles by what was measured.

Writes the ledger; facts.json, the facts of machine and software that it relied on; and
published.json, the articles and their own tables, to show beside it.
"""

import argparse
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pandas as pd

from feedrate.claims.evidence import Evidence, facts_of
from feedrate.claims.ledger import ledger
from feedrate.claims.model import ClaimsError, read_claims
from feedrate.files import write_json
from feedrate.planning.plan import read_plan
from feedrate.reading import read_json


def main() -> None:
    arguments = parse_arguments()
    try:
        claims = read_claims(arguments.claims)
    except ClaimsError as error:
        sys.exit(str(error))
    facts = read_json(arguments.facts) if arguments.facts else recorded_facts(arguments.results)
    entries = ledger(claims, evidence(arguments.results, facts))
    write_json(arguments.results / "facts.json", facts)
    write_json(arguments.results / "ledger.json", [asdict(entry) for entry in entries])
    write_json(
        arguments.results / "published.json", claims.model_dump(include={"articles", "tables"})
    )


def evidence(results: Path, facts: dict[str, Any]) -> Evidence:
    """All tables of the results folder, beside the facts of machine and software."""
    repetitions, ceilings, resources = (
        pd.read_csv(results / f"{name}.csv") for name in ("repetitions", "ceilings", "resources")
    )
    return Evidence(repetitions, ceilings, resources, facts)


def recorded_facts(results: Path) -> dict[str, Any]:
    """What the records say about the machine and the software that measured."""
    machine = read_json(results / "machine.json")["machine"]
    device = read_plan(results / "plan.json").cells[0].specification["device"]["name"]
    return facts_of(machine, device)


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--results", type=Path, required=True, help="folder with the tables")
    parser.add_argument("--claims", type=Path, required=True, help="the claims, as YAML")
    parser.add_argument(
        "--facts",
        type=Path,
        help="the facts of machine and software, as JSON, instead of the recorded ones: to judge "
        "again what was measured elsewhere",
    )
    return parser.parse_args()


if __name__ == "__main__":
    main()
