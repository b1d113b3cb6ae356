"""Whether the extracted files are the dataset."""

import shlex
from pathlib import Path

from feedrate.dataset.registry import DataFile, Dataset
from feedrate.reading import sha256


class DatasetError(Exception):
    """The data cannot be used or acquired. The message names the files and the remedy."""


def verify(destination: Path, dataset: Dataset) -> None:
    """Return if `destination` holds exactly the registered content (about 0.1 s for 55 MB).

    Raises a DatasetError that names every file that is missing, truncated, swapped or otherwise
    wrong, and the command that repairs them.
    """
    wrong = problems(destination, dataset)
    if wrong:
        listed = "\n".join(f"  {line}" for line in wrong)
        raise DatasetError(
            f"{dataset.name} in {destination} is not the registered data:\n{listed}\n"
            f"To repair it: {_command(destination, dataset)}\n"
            + offline_instructions(destination, dataset)
        )


def problems(destination: Path, dataset: Dataset) -> list[str]:
    """One line for everything wrong below `destination` among what torchvision would read."""
    found = []
    for file in dataset.files:
        path = dataset.raw_folder(destination) / file.name
        if problem := content_problem(path, file, dataset):
            found.append(f"{path} {problem}")
    # If both exist, torchvision silently prefers them to the raw files.
    legacy = destination / dataset.name / "processed"
    if all((legacy / name).exists() for name in ("training.pt", "test.pt")):
        found.append(f"{legacy} must not exist: it would be read in place of the raw files")
    return found


def content_problem(path: Path, expected: DataFile, dataset: Dataset) -> str | None:
    """What is wrong with the extracted file at `path`, as the rest of a sentence, or None."""
    if not path.exists():
        return "is missing"
    if not path.is_file():
        return "is not a file"
    size = path.stat().st_size
    try:
        # Content of an unregistered size is wrong without being read.
        registered_size = size in {file.size for file in dataset.files}
        digest = sha256(path) if registered_size else None
    except OSError as error:
        return f"cannot be read: {error.strerror}"
    if digest == expected.sha256:
        return None
    for other in dataset.files:
        if digest == other.sha256:
            return f"holds the content of {other.name} (swapped?)"
    if size != expected.size:
        kind = "truncated" if size < expected.size else "too long"
        return f"is {kind}: {size:,} bytes instead of {expected.size:,}"
    return f"has the wrong content: SHA-256 {digest} instead of {expected.sha256}"


def offline_instructions(destination: Path, dataset: Dataset) -> str:
    """Which files to place where on a machine that can't reach any source."""
    width = max(len(file.name) for file in dataset.files)
    files = "\n".join(
        f"  {file.name:{width}}  {file.size:>10,} bytes  SHA-256 {file.sha256}"
        for file in dataset.files
    )
    origins = ", ".join(f"{mirror}<name>.gz" for mirror in dataset.mirrors)
    return (
        "Without a network, place these files (sizes and digests are of the extracted files):\n"
        f"{files}\n"
        f"from {origins} or the Debian package {dataset.debian_package},\n"
        "either extracted, into\n"
        f"  {dataset.raw_folder(destination)}\n"
        "and run the same command again, or, extracted or as .gz, into any FOLDER, and run\n"
        f"  {_command(destination, dataset)} --sources local --local-folder FOLDER"
    )


def _command(destination: Path, dataset: Dataset) -> str:
    where = shlex.quote(str(destination))
    return f"python scripts/download_dataset.py --workload {dataset.slug} --destination {where}"
