"""Audit the report: execute every cell of every section again and compare what it shows.

Nothing is reused from an earlier run, and only the finding is written; the page shows it as a badge
when it is assembled next. Exits with status 1 if any cell differs.
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

from feedrate.files import write_json
from feedrate.notebooks.audit import Audit, differing_cells, notebook_digests
from feedrate.notebooks.execution import Project
from feedrate.notebooks.section import SectionError, read_section
from feedrate.reading import read_json

ROOT = Path(__file__).resolve().parents[1]


def main(arguments: Sequence[str]) -> int:
    """The exit status: 0 if all cells are identical, 1 with the reason if not."""
    options = parse(arguments)
    try:
        audit = audited(options.sections, options.results)
    except (SectionError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    write_json(options.output, asdict(audit) | {"identical": audit.identical})
    for place in audit.different:
        print(f"feedrate: {place} shows something different", file=sys.stderr)
    print(f"feedrate: {audit.identical} of {audit.cells} identical", file=sys.stderr)
    return 1 if audit.different else 0


def audited(paths: Sequence[Path], results: Path) -> Audit:
    """Execute all cells of the sections in `paths` over `results`."""
    project = Project(ROOT, ROOT / "scripts", results)
    notebooks = [results / "sections" / f"{path.stem}.ipynb" for path in paths]
    cells = 0
    different: list[str] = []
    for path, notebook in zip(paths, notebooks, strict=True):
        section = read_section(path)
        content = read_json(notebook)
        cells += len(section.code_positions)
        different += differing_cells(section, content, project)
    return Audit(
        datetime.now(UTC).date().isoformat(), cells, tuple(different), notebook_digests(notebooks)
    )


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """The parsed command line; exits with status 2 if it is wrong."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--sections", type=Path, nargs="+", required=True, help="percent-format scripts, in order"
    )
    parser.add_argument(
        "--results", type=Path, required=True, help="folder with the data and the notebooks"
    )
    parser.add_argument("--output", type=Path, required=True, help="the finding, as JSON")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
