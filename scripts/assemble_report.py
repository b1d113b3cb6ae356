"""Assemble the report: one self-contained page from the executed sections, and its figures.

Writes each figure as NAME.svg, NAME.png and NAME.csv (the table behind it), then the page.
"""

import argparse
import base64
import csv
import io
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from feedrate.files import write_atomically
from feedrate.report.page import drawings, page
from feedrate.report.section import SectionError


def main(arguments: Sequence[str]) -> int:
    """The exit status: 0 if the page is written, 1 with the reason if not."""
    options = parse(arguments)
    try:
        assemble(options.sections, options.title, options.template, options.figures, options.output)
    except (SectionError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


def assemble(
    sections: Sequence[Path], title: str, template: Path, figures: Path, output: Path
) -> None:
    """Write the page to `output` last, so that it never shows more than `figures` holds."""
    notebooks = [json.loads(section.read_text(encoding="utf-8")) for section in sections]
    html = page(notebooks, title, template)
    figures.mkdir(parents=True, exist_ok=True)
    for drawing, png in drawings(notebooks):
        write_atomically(figures / f"{drawing['name']}.svg", drawing["svg"])
        write_atomically(figures / f"{drawing['name']}.png", base64.b64decode(png))
        write_atomically(figures / f"{drawing['name']}.csv", as_csv(drawing["data"]))
    write_atomically(output, html)


def as_csv(rows: Sequence[Mapping[str, Any]]) -> str:
    """The rows as CSV text, with every column that some row has."""
    text = io.StringIO()
    columns = dict.fromkeys(column for row in rows for column in row)
    writer = csv.DictWriter(text, list(columns), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """The command line, read. Exits with status 2 on a mistake in it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--sections", type=Path, nargs="+", required=True, help="executed notebooks, in order"
    )
    parser.add_argument("--title", required=True, help="the page's title and first heading")
    parser.add_argument(
        "--template",
        type=Path,
        default=Path("report/template"),
        help="folder with page.html.j2 and page.css (default: %(default)s)",
    )
    parser.add_argument("--figures", type=Path, required=True, help="folder for the figures")
    parser.add_argument("--output", type=Path, required=True, help="page to write (.html)")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
