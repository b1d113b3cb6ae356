"""Check a published folder, or its bundle.zip, against itself alone.

Compares every file with SHA256SUMS, the archive with the files, and every table with what the raw
cells give when they are aggregated again.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from feedrate.publishing.bundle import BundleError, bundle_differences, open_bundle
from feedrate.publishing.checksums import ChecksumsError, differences, files_below, sums
from feedrate.publishing.verification import COMPARED, table_differences
from feedrate.result_files import TABLES


def main(arguments: Sequence[str]) -> int:
    """The exit status: 0 if everything is as published, 1 with all differences if not."""
    options = parse(arguments)
    try:
        with open_bundle(options.site) as site:
            found = site_differences(site)
    except (BundleError, ChecksumsError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    for difference in found:
        print(f"error: {difference}", file=sys.stderr)
    return 1 if found else 0


def site_differences(site: Path) -> list[str]:
    """All differences, as sentences; what agrees is printed."""
    content = [*differences(site), *bundle_differences(site)]
    if not content:
        print(f"{len(sums(site))} files match their checksums")
    tables = table_differences(site)
    if not tables:
        cells = len(files_below(site / "cells"))
        print(f"{len(COMPARED)} tables are the same when aggregated again from {cells} cells")
    for table in TABLES:
        if table.unverified:
            print(f"{table.name} is taken as published: {table.unverified}")
    return [*content, *tables]


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """The parsed command line; exits with status 2 if it is wrong."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--site",
        type=Path,
        default=Path("site"),
        help="the folder, or a bundle.zip (default: %(default)s)",
    )
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
