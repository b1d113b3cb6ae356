"""Acquire a workload's data: whole, checked byte for byte, and in one step.

Writes DESTINATION/<data set>/raw/, which torchvision reads, and DESTINATION/manifest.json.
The sources are tried in the order given; an intact DESTINATION is left as it is.
"""

import argparse
import signal
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from feedrate.dataset.acquire import acquire
from feedrate.dataset.debian import from_debian
from feedrate.dataset.integrity import DatasetError
from feedrate.dataset.local import from_folder
from feedrate.dataset.mirrors import from_mirrors
from feedrate.dataset.progress import reporter_for
from feedrate.dataset.registry import Dataset
from feedrate.dataset.sources import Fetch, Source
from feedrate.measurement.workloads import WORKLOADS

SOURCES = ("mirrors", "debian", "local")
DATASETS = {name: workload.dataset for name, workload in WORKLOADS.items()}
DEFAULT = "fashion-mnist"


def main(arguments: Sequence[str], datasets: Mapping[str, Dataset] = DATASETS) -> int:
    """The exit status: 0 if the destination is complete and intact, 1 with the reason if not."""
    options = parse(arguments, datasets)
    dataset = datasets[options.workload]
    destination = options.destination or Path("data") / dataset.folder_name
    fetchers: dict[str, Fetch] = {
        "mirrors": from_mirrors,
        "debian": from_debian,
        "local": partial(from_folder, options.local_folder),
    }
    sources = [Source(name, fetchers[name]) for name in options.sources]
    try:
        acquire(dataset, destination, sources, reporter_for(sys.stderr))
    except (DatasetError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


def parse(arguments: Sequence[str], datasets: Mapping[str, Dataset]) -> argparse.Namespace:
    """The command line, read. Exits with status 2 on a mistake in it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--workload",
        choices=sorted(datasets),
        default=DEFAULT,
        help="whose data (default: %(default)s)",
    )
    parser.add_argument(
        "--destination",
        type=Path,
        help=f"folder to make (default: data/{datasets[DEFAULT].folder_name}, or its like)",
    )
    parser.add_argument(
        "--sources",
        nargs="+",
        choices=SOURCES,
        default=SOURCES,
        help="torchvision's mirrors, the Debian package, or the local folder, "
        f"in the order to try (default: {' '.join(SOURCES)})",
    )
    parser.add_argument(
        "--local-folder",
        type=path_or_none,
        help="where `local` finds the four files, extracted or as .gz",
    )
    return parser.parse_args(arguments)


def path_or_none(text: str) -> Path | None:
    """An empty text, which a workflow passes for a folder that is not configured, is None."""
    return Path(text) if text else None


if __name__ == "__main__":
    # When cancelled, by a workflow or by Ctrl-C, leave through the clean-up of partial folders.
    for cancelled in (signal.SIGTERM, signal.SIGINT):
        signal.signal(cancelled, lambda number, _: sys.exit(128 + number))
    sys.exit(main(sys.argv[1:]))
