"""From a list of sources to a complete folder, in one atomic step."""

import json
import os
import shutil
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from feedrate.dataset.integrity import DatasetError, offline_instructions, problems
from feedrate.dataset.progress import Reporter
from feedrate.dataset.registry import Dataset
from feedrate.dataset.sources import Source, SourceError

MANIFEST = "manifest.json"
ABANDONED_S = 24 * 3600
"""Age in seconds after which a partial folder counts as left behind by a killed process."""


def acquire(
    dataset: Dataset, destination: Path, sources: Sequence[Source], reporter: Reporter
) -> None:
    """Make `destination` hold the data and its manifest, from the first source that has it.

    An intact folder is left as it is; a broken one is replaced once the new one is complete.
    Raises DatasetError with every source's reason and with instructions if all fail, or if
    `destination` holds anything else, which replacing it would destroy.
    """
    _refuse_foreign(dataset, destination)
    with _beside(destination) as staging:
        wrong = problems(destination, dataset)
        if not wrong:
            _write_manifest(dataset, destination, staging)
            reporter.note(f"{destination} is complete")
            return
        in_place = wrong if dataset.raw_folder(destination).is_dir() else []
        failures = [f"  in place: {problem}" for problem in in_place]
        for failure in failures:
            reporter.note(failure)
        for number, source in enumerate(sources):
            fresh = staging / str(number)
            dataset.raw_folder(fresh).mkdir(parents=True)
            reporter.note(f"Trying {source.name}")
            try:
                source.fetch(dataset, dataset.raw_folder(fresh), reporter)
                _write_manifest(dataset, fresh, staging)
                _swap(dataset, fresh, destination, staging)
                reporter.note(f"{destination} is complete, from {source.name}")
                return
            except (SourceError, OSError) as error:
                failures.append(f"  {source.name}: {error}")
                reporter.note(failures[-1])
    raise DatasetError(
        f"no source provided {dataset.name} for {destination}:\n"
        + "\n".join(failures)
        + f"\n{offline_instructions(destination, dataset)}"
    )


def manifest(dataset: Dataset) -> str:
    """What the folder holds, as JSON: the same bytes whatever the source and the time."""
    files = [
        {"name": file.name, "sha256": file.sha256, "size": file.size} for file in dataset.files
    ]
    content = {"name": dataset.name, "digest": dataset.digest, "files": files}
    return json.dumps(content, indent=2, sort_keys=True) + "\n"


def _write_manifest(dataset: Dataset, folder: Path, staging: Path) -> None:
    """Write it atomically, and only if it differs: a new modification time looks like a change."""
    target, text = folder / MANIFEST, manifest(dataset)
    if not target.is_file() or target.read_bytes() != text.encode():
        written = staging / MANIFEST
        written.write_text(text, encoding="utf-8")
        written.replace(target)


def _refuse_foreign(dataset: Dataset, destination: Path) -> None:
    if not destination.is_dir():
        if destination.exists():
            raise DatasetError(f"{destination} is not a folder")
        return
    # Snakemake makes the folder of an output and may leave its own mark there.
    own = {dataset.name, MANIFEST, ".snakemake_timestamp"}
    if foreign := sorted({path.name for path in destination.iterdir()} - own):
        raise DatasetError(
            f"{destination} also holds {', '.join(foreign)}: choose a folder for the data alone"
        )


@contextmanager
def _beside(destination: Path) -> Iterator[Path]:
    """A folder on the same file system, where renaming is atomic; gone at the end."""
    parent = destination.absolute().parent
    parent.mkdir(parents=True, exist_ok=True)
    prefix = f".{destination.name}.partial-"
    for abandoned in parent.glob(f"{prefix}*"):
        if time.time() - abandoned.stat().st_mtime > ABANDONED_S:
            shutil.rmtree(abandoned, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix=prefix, dir=parent) as staging:
        yield Path(staging)


def _swap(dataset: Dataset, fresh: Path, destination: Path, staging: Path) -> None:
    """Put `fresh` in the place of `destination`, unless another process has just done so."""
    if not problems(destination, dataset):
        return
    try:
        if os.path.lexists(destination):
            os.rename(destination, staging / "replaced")
        os.rename(fresh, destination)
    except OSError:
        if problems(destination, dataset):
            raise
