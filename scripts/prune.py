"""Delete the cells that the plan no longer names, after listing them and asking."""

import argparse
import sys
from pathlib import Path

from feedrate.planning.plan import read_plan, unplanned_cells


def main() -> None:
    arguments = parse_arguments()
    plan_file = arguments.results / "plan.json"
    if not plan_file.is_file():
        sys.exit(f"{plan_file} is missing: nothing has been planned in {arguments.results} yet")
    cells = unplanned_cells(read_plan(plan_file), arguments.results)
    if not cells:
        print(f"Every cell in {arguments.results} is in the plan.")
        return
    print(*cells, sep="\n")
    if arguments.yes or input(f"Delete these {len(cells)} cells? [y/N] ").lower() == "y":
        for cell in cells:
            cell.unlink()


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--results",
        type=Path,
        default=Path("results"),
        help="folder of plan and cells (default: %(default)s)",
    )
    parser.add_argument("--yes", action="store_true", help="delete without asking")
    return parser.parse_args()


if __name__ == "__main__":
    main()
