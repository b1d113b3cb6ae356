"""Acquire a workload's data: complete, checked byte for byte, and in one step.

Writes DESTINATION/<dataset>/raw/, which torchvision reads, and DESTINATION/manifest.json.
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
    """The parsed command line; exits with status 2 if it is wrong."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--workload",
        choices=sorted(datasets),
        default=DEFAULT,
        help="workload whose data is wanted (default: %(default)s)",
    )
    parser.add_argument(
        "--destination",
        type=Path,
        help="folder to create (default: one named after workload and content, such as "
        f"data/{datasets[DEFAULT].folder_name})",
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
        help="where `local` finds the workload's files, extracted or as .gz",
    )
    return parser.parse_args(arguments)


def path_or_none(text: str) -> Path | None:
    """`text` as a path; None if it is empty, for a folder that isn't configured."""
    return Path(text) if text else None


if __name__ == "__main__":
    # When cancelled, by a workflow or by Ctrl-C, leave through the clean-up of partial folders.
    for cancelled in (signal.SIGTERM, signal.SIGINT):
        signal.signal(cancelled, lambda number, _: sys.exit(128 + number))
    sys.exit(main(sys.argv[1:]))
