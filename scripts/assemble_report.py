"""Assemble the report: one self-contained page from the executed sections, and its figures.

Writes each figure as NAME.svg, NAME-narrow.svg (for a phone), NAME.png and NAME.csv (the table
behind it), then the page.
"""

import argparse
import base64
import sys
from collections.abc import Sequence
from pathlib import Path

from feedrate.files import write_atomically
from feedrate.notebooks.audit import badge
from feedrate.page.assembly import Cover, drawings, page
from feedrate.page.illustration import as_csv
from feedrate.page.markdown import PageError
from feedrate.page.messages import ENGLISH, MessageError, Messages, read_messages
from feedrate.publishing import CARD
from feedrate.reading import read_json

ROOT = Path(__file__).resolve().parents[1]


def main(arguments: Sequence[str]) -> int:
    """The exit status: 0 if the page is written, 1 with the reason if not."""
    options = parse(arguments)
    try:
        messages = read_messages(options.messages, options.language)
        cover = Cover(options.title, options.card, badge(options.sections, options.audit, messages))
        assemble(options.sections, cover, messages, options)
    except (PageError, MessageError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


def assemble(
    sections: Sequence[Path], cover: Cover, messages: Messages, options: argparse.Namespace
) -> None:
    """Write the page last, so that it never shows more than the folder of figures holds."""
    notebooks = [read_json(section) for section in sections]
    html = page(notebooks, cover, messages, options.template)
    options.figures.mkdir(parents=True, exist_ok=True)
    for drawing, png in drawings(notebooks):
        beside = options.figures / drawing["name"]
        write_atomically(beside.with_suffix(".svg"), drawing["wide"])
        write_atomically(beside.with_name(f"{drawing['name']}-narrow.svg"), drawing["narrow"])
        write_atomically(beside.with_suffix(".png"), base64.b64decode(png))
        write_atomically(beside.with_suffix(".csv"), as_csv(drawing))
    write_atomically(options.output, html)


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """The parsed command line; exits with status 2 if it is wrong."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--sections", type=Path, nargs="+", required=True, help="executed notebooks, in order"
    )
    parser.add_argument("--title", required=True, help="the page's title and first heading")
    parser.add_argument(
        "--language",
        default=ENGLISH,
        help="language of captions and of the page's frame (default: %(default)s)",
    )
    parser.add_argument(
        "--card",
        default=CARD,
        help="address of the preview image for links to the page (default: %(default)s, beside "
        "the published page)",
    )
    parser.add_argument(
        "--audit", type=Path, help="what scripts/audit_report.py found, for the badge"
    )
    parser.add_argument(
        "--messages",
        type=Path,
        default=ROOT / "report" / "messages",
        help="folder with the messages of each language (default: report/messages)",
    )
    parser.add_argument(
        "--template",
        type=Path,
        default=ROOT / "report" / "template",
        help="folder with page.html.j2 and page.css (default: report/template)",
    )
    parser.add_argument("--figures", type=Path, required=True, help="folder for the figures")
    parser.add_argument("--output", type=Path, required=True, help="page to write (.html)")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
