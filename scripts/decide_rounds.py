"""Decide, for every open combination of `repetitions: auto`, whether its rounds are enough."""

import argparse
import sys
from dataclasses import asdict
from pathlib import Path

from feedrate.files import write_json
from feedrate.planning.plan import read_plan
from feedrate.planning.records import RecordsRefused
from feedrate.planning.rounds import decide_after


def main() -> None:
    arguments = parse_arguments()
    plan = read_plan(arguments.results / "plan.json")
    try:
        decisions = decide_after(arguments.added, plan, arguments.results)
    except RecordsRefused as refusal:
        sys.exit(str(refusal))
    for combination, decision in decisions.items():
        print(f"feedrate: {combination}: {decision.reason}", file=sys.stderr)
    content = {combination: asdict(decision) for combination, decision in decisions.items()}
    write_json(arguments.output, content)


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--results", type=Path, required=True, help="folder of plan and cells")
    parser.add_argument("--added", type=int, required=True, help="rounds that were added already")
    parser.add_argument("--output", type=Path, required=True, help="the decisions, as JSON")
    return parser.parse_args()


if __name__ == "__main__":
    main()
