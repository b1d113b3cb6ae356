"""Print performance figures, a line each, on an otherwise idle machine: all, or those named."""

import argparse
import sys
import tempfile
from functools import partial
from pathlib import Path

from tests.bench import fidelity, pipeline
from tests.bench.figures import Figures, chosen, print_figures


def figures(folder: Path) -> Figures:
    """All figures, by name; what they write goes into `folder`."""
    return {
        "idle": partial(pipeline.idle, folder),
        "prose-edit": partial(pipeline.prose_edit, folder),
        "dry-run": partial(pipeline.dry_run, folder),
        "overhead": partial(pipeline.overhead, folder),
        **{
            f"fidelity-{condition}-{workers}": partial(fidelity.fidelity, condition, workers)
            for condition in fidelity.CONDITIONS
            for workers in fidelity.ROUNDS
        },
    }


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument(
        "names",
        nargs="*",
        metavar="NAME",
        help=f"a figure, or what some begin with: {', '.join(figures(Path()))}",
    )
    names = parser.parse_args().names
    # A run that ended in a time-out may still be writing while its folder goes.
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        try:
            some = chosen(names, figures(Path(name)))
        except KeyError as error:
            parser.error(error.args[0])
        return print_figures(some)


if __name__ == "__main__":
    sys.exit(main())
