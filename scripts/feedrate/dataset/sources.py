"""What a source of the data is and does."""

import gzip
import shutil
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from feedrate.dataset.integrity import content_problem
from feedrate.dataset.progress import Reporter
from feedrate.dataset.registry import DataFile, Dataset


class SourceError(Exception):
    """This source can't provide the data; another one may."""


Fetch = Callable[[Dataset, Path, Reporter], None]
"""Puts all files of a dataset, extracted and checked, into an existing folder; or SourceError."""


@dataclass(frozen=True, slots=True)
class Source:
    """A source of the data, under the name that `dataset.sources` in the configuration uses."""

    name: str
    fetch: Fetch


def extract(found: Path, target: Path, expected: DataFile, dataset: Dataset) -> None:
    """Make `target` the content of `found`, decompressed if its name ends in .gz, and check it.

    Raises SourceError if that is not the expected content.
    """
    try:
        if found.suffix == ".gz":
            # A wrong archive must fill neither the disk nor the memory.
            enough = max(file.size for file in dataset.files) + 1
            with gzip.open(found) as stream:
                target.write_bytes(stream.read(enough))
        else:
            shutil.copyfile(found, target)
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise SourceError(f"{found.name} is a corrupt or truncated archive: {error}") from error
    if problem := content_problem(target, expected, dataset):
        raise SourceError(f"{found.name} {problem}")
