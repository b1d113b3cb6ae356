"""Whether wrong data is noticed, and reported so that a reader can act on it."""

import hashlib
from dataclasses import replace
from pathlib import Path

import pytest

from feedrate.dataset.integrity import DatasetError, verify
from feedrate.dataset.registry import DataFile
from feedrate.measurement.workloads.fashion_mnist import DATASET as FASHION_MNIST

CONTENTS = {"images": b"0123456789", "labels": b"01234", "other-labels": b"56789"}
DATASET = replace(
    FASHION_MNIST,
    files=tuple(
        DataFile(name, len(content), hashlib.sha256(content).hexdigest())
        for name, content in CONTENTS.items()
    ),
)


@pytest.fixture
def raw(tmp_path: Path) -> Path:
    """The folder of the extracted files, all of them right."""
    folder = DATASET.raw_folder(tmp_path)
    folder.mkdir(parents=True)
    for name, content in CONTENTS.items():
        (folder / name).write_bytes(content)
    return folder


@pytest.mark.usefixtures("raw")
def test_right_files_pass(tmp_path: Path) -> None:
    verify(tmp_path, DATASET)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"012", "is truncated: 3 bytes instead of 10"),
        (b"01230", "is truncated: 5 bytes instead of 10"),  # as long as another file
        (b"0123456789x", "is too long: 11 bytes instead of 10"),
        (b"9876543210", "has the wrong content: SHA-256 "),
        (CONTENTS["labels"], "holds the content of labels"),
    ],
)
def test_a_wrong_file_is_named_with_its_problem(
    raw: Path, tmp_path: Path, content: bytes, problem: str
) -> None:
    (raw / "images").write_bytes(content)
    with pytest.raises(DatasetError) as error:
        verify(tmp_path, DATASET)
    assert f"{raw / 'images'} {problem}" in str(error.value)
    assert f"{raw / 'labels'}" not in str(error.value)


def test_all_wrong_files_and_the_remedy_are_reported(raw: Path, tmp_path: Path) -> None:
    (raw / "images").unlink()
    (raw / "labels").write_bytes(CONTENTS["other-labels"])
    (raw / "other-labels").unlink()
    (raw / "other-labels").mkdir()
    with pytest.raises(DatasetError) as error:
        verify(tmp_path, DATASET)
    text = str(error.value)
    assert f"{raw / 'images'} is missing" in text
    assert f"{raw / 'labels'} holds the content of other-labels" in text
    assert f"{raw / 'other-labels'} is not a file" in text
    command = "python scripts/download_dataset.py --workload fashion-mnist"
    assert f"To repair it: {command} --destination {tmp_path}\n" in text


def test_files_that_torchvision_would_read_instead_are_reported(raw: Path, tmp_path: Path) -> None:
    processed = raw.parent / "processed"
    processed.mkdir()
    (processed / "training.pt").touch()
    verify(tmp_path, DATASET)  # torchvision wants both
    (processed / "test.pt").touch()
    with pytest.raises(DatasetError, match="in place of the raw files"):
        verify(tmp_path, DATASET)


def test_the_digest_is_that_of_the_contents() -> None:
    images, *others = FASHION_MNIST.files
    reordered = replace(FASHION_MNIST, files=(*others, images), mirrors=())
    changed = replace(FASHION_MNIST, files=(replace(images, sha256="0" * 64), *others))
    assert reordered.digest == FASHION_MNIST.digest
    assert changed.digest != FASHION_MNIST.digest
    assert FASHION_MNIST.folder_name == f"fashion-mnist-{FASHION_MNIST.digest[:12]}"
