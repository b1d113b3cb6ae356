"""The data from a folder on this machine."""

from pathlib import Path

from feedrate.dataset.progress import Reporter
from feedrate.dataset.registry import DataFile, Dataset
from feedrate.dataset.sources import SourceError, extract


def from_folder(source: Path | None, dataset: Dataset, folder: Path, reporter: Reporter) -> None:
    """Copy every file into `folder` from `source`, where it may be extracted or a .gz archive.

    Files may be in `source` itself, in `raw/` or in `<dataset name>/raw/`. Raises a SourceError
    that names every file without an intact copy there.
    """
    if source is None:
        raise SourceError("no folder is set (dataset.local_folder)")
    if not source.is_dir():
        raise SourceError(f"{source} is not a folder")
    failures = []
    for number, file in enumerate(dataset.files, start=1):
        try:
            _take(source, file, dataset, folder)
        except SourceError as error:
            failures.append(str(error))
        reporter.progress("checked", number / len(dataset.files))
    if failures:
        raise SourceError(f"in {source}: {'; '.join(failures)}")


def _take(source: Path, file: DataFile, dataset: Dataset, folder: Path) -> None:
    """Extract the first intact copy; raises SourceError with the problem of every copy."""
    places = (source, source / dataset.name / "raw", source / "raw")
    copies = [place / f"{file.name}{suffix}" for place in places for suffix in ("", ".gz")]
    failures = []
    for copy in filter(Path.is_file, copies):
        try:
            return extract(copy, folder / file.name, file, dataset)
        except (SourceError, OSError) as error:
            failures.append(str(error))
    raise SourceError("; ".join(failures) or f"{file.name} is missing, and so is {file.name}.gz")
