"""How a section's code cell reads the results: only the files that it declares in its header.

    # %% data=["summary.csv"]
    summary = open_table("summary.csv")

An undeclared file would not be part of the code cell's key, so old numbers could be shown.
"""

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from feedrate.reading import read_as, read_json

if TYPE_CHECKING:
    import pandas

Kind = TypeVar("Kind")

FOLDER = "FEEDRATE_RESULTS"
DECLARED = "FEEDRATE_REPORT_DATA"


class UndeclaredDataError(Exception):
    """A code cell reads a file that its header does not declare."""


def open_table(name: str) -> "pandas.DataFrame":
    """The CSV file `name` of the results folder; raises UndeclaredDataError."""
    import pandas  # half a second that open_json does not need

    return pandas.read_csv(_declared_path(name))


def open_json(name: str) -> Any:
    """The JSON file `name` of the results folder; raises UndeclaredDataError."""
    return read_json(_declared_path(name))


def open_as(kind: type[Kind], name: str) -> Kind:
    """The JSON file `name` of the results folder as the dataclass that was written to it.

    See `read_as`; raises UndeclaredDataError.
    """
    return read_as(kind, _declared_path(name))


def _declared_path(name: str) -> Path:
    declared = os.environ.get(DECLARED)
    # Unset outside the workflow, for instance in an editor's notebook: anything may be read.
    if declared is not None and name not in json.loads(declared):
        raise UndeclaredDataError(
            f"this code cell reads {name!r} without declaring it: "
            f"add it to the code cell's header, `# %% data={json.dumps([name])}`"
        )
    return Path(os.environ.get(FOLDER, "results")) / name
