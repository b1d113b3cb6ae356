"""Build the folder to publish: report, figures, tables, raw cells, the workflow, metadata, archive.

It is built beside its destination and replaces what is there only once it is complete. Nothing is
published that reveals the user's name, the host's name or the home folder.
"""

import argparse
import sys
from collections.abc import Collection, Sequence
from pathlib import Path

from feedrate.files import write_atomically
from feedrate.planning.plan import read_plan
from feedrate.planning.records import RecordsRefused, read_records
from feedrate.publishing import CARD
from feedrate.publishing.bundle import write_bundle
from feedrate.publishing.checksums import BUNDLE, SUMS, as_text, files_below, sums
from feedrate.publishing.crate import metadata
from feedrate.publishing.layout import CONFIG, METADATA, PLAN, README
from feedrate.publishing.privacy import disclosures, private_words, refusal
from feedrate.publishing.site import (
    SiteError,
    contents,
    copy_files,
    footer_of,
    made_beside,
    measured_cells,
    readme,
    require_own,
    run_of,
    title_of,
)
from feedrate.publishing.social_card import social_card
from feedrate.result_files import LEADING_FIGURE


def main(arguments: Sequence[str]) -> int:
    """The exit status: 0 if the site is in its place, 1 with the reason if not."""
    options = parse(arguments)
    output = options.output.resolve()
    try:
        require_own(output)
        with made_beside(output) as folder:
            fill(folder, options.results, options.project)
            refuse_disclosures(folder, options.public)
            write_bundle(folder, folder / BUNDLE)
    except (SiteError, RecordsRefused, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    files = len(files_below(output))
    print(f"{options.output}: {files} files; `make verify-site` checks them", file=sys.stderr)
    return 0


def fill(folder: Path, results: Path, project: Path) -> None:
    """Write everything in the site except its archive into `folder`."""
    if not (results / PLAN).is_file():
        raise SiteError(f"{results / PLAN} is missing: run `make reproduce` first")
    plan = read_plan(results / PLAN)
    cells = measured_cells(plan, results)
    copy_files(contents(results, project, cells), folder)
    run = run_of(folder, title_of(folder / CONFIG), read_records(cells, results))
    write_atomically(folder / CARD, social_card(folder / LEADING_FIGURE, footer_of(folder, plan)))
    write_atomically(folder / README, readme(run))
    write_atomically(folder / METADATA, metadata(folder, run))
    write_atomically(folder / SUMS, as_text(sums(folder)))


def refuse_disclosures(folder: Path, public: Collection[str]) -> None:
    """SiteError if a file reveals who measured, or on which host."""
    if found := disclosures(folder, private_words(public)):
        raise SiteError(refusal(found))


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """The parsed command line; exits with status 2 if it is wrong."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for name, default, meaning in (
        ("results", "results", "folder of the report, the tables and the cells"),
        ("project", ".", "folder of the Snakefile, with all that it needs to run"),
        ("output", "site", "folder to build"),
    ):
        parser.add_argument(
            f"--{name}",
            type=Path,
            default=Path(default),
            help=f"{meaning} (default: %(default)s)",
        )
    parser.add_argument(
        "--public",
        action="append",
        default=[],
        metavar="WORD",
        help="a user or host name that is an ordinary word, and may be published",
    )
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
