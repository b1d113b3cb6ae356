"""The data from the web servers that torchvision uses, through pooch.

pooch downloads, retries, checks the SHA-256 and moves intact files into place. Two things are ours:
pooch checks what it downloads, but our digests are of extracted files, so our downloader extracts
as well; and pooch's progress bar needs a terminal, so ours replaces it.
"""

import logging
from functools import partial
from pathlib import Path

import pooch
from requests.exceptions import RequestException

from feedrate.dataset.progress import Reporter
from feedrate.dataset.registry import DataFile, Dataset
from feedrate.dataset.sources import SourceError, extract

FURTHER_ATTEMPTS = 2
"""Per file and mirror; pooch waits 1 s before the first of them and 2 s before the second."""

CHUNK = 1 << 18
"""Bytes between two updates of the bar."""


def from_mirrors(dataset: Dataset, folder: Path, reporter: Reporter) -> None:
    """Download every file into `folder`, each from the first mirror that has it intact.

    Raises SourceError with every mirror's last failure for the first file that none has.
    """
    pooch.get_logger().setLevel(logging.WARNING)  # its messages would break up the bar
    for file in dataset.files:
        failures = []
        for mirror in dataset.mirrors:
            store = pooch.create(
                path=folder,
                base_url=mirror,
                registry={file.name: file.sha256},
                urls={file.name: f"{mirror}{file.name}.gz"},
                retry_if_failed=FURTHER_ATTEMPTS,
            )
            try:
                store.fetch(file.name, downloader=partial(_extracted, file, dataset, reporter))
                break
            except ValueError as error:
                failures.append(str(error))
        else:
            raise SourceError("; ".join(failures))


def _extracted(
    file: DataFile, dataset: Dataset, reporter: Reporter, url: str, target: str, _: pooch.Pooch
) -> None:
    """Make `target` the content of the archive at `url`; after a ValueError pooch tries again."""
    archive = Path(target).with_name(f"{file.name}.gz")
    bar = _Bar(reporter, archive.name)
    try:
        pooch.HTTPDownloader(progressbar=bar, chunk_size=CHUNK)(url, str(archive), None)
        extract(archive, Path(target), file, dataset)
    except (RequestException, SourceError) as error:
        problem = f"{url}: {_reason(error)}"
        reporter.note(f"An attempt failed: {problem}")
        raise ValueError(problem) from error
    finally:
        archive.unlink(missing_ok=True)


def _reason(error: Exception) -> str:
    """What went wrong, without the layers that requests wraps around it, and the address once."""
    root: BaseException = error
    while isinstance(error, RequestException) and root.__context__:
        root = root.__context__
    return str(root).partition(" for url:")[0]


class _Bar:
    """A progress bar as pooch expects it. pooch counts whole chunks, the last one included."""

    def __init__(self, reporter: Reporter, label: str) -> None:
        self._reporter, self._label = reporter, label
        self._done = self.total = 0

    def update(self, amount: int) -> None:
        self._done += amount
        if self._done < self.total:
            self._reporter.progress(self._label, self._done / self.total)

    def reset(self) -> None: ...

    def close(self) -> None:
        self._reporter.progress(self._label, 1)
