"""SHA256SUMS: the text of it, and what it finds."""

import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedrate.publishing.checksums import (
    ChecksumsError,
    as_text,
    differences,
    parse,
    read_sums,
    sums,
)

# "The empty string" of FIPS 180-4's examples.
EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

DIGESTS = st.text("0123456789abcdef", min_size=64, max_size=64)
NAMES = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=30
).filter(lambda name: not name.startswith("/") and ".." not in name.split("/"))


@pytest.fixture
def listed(tmp_path: Path) -> Path:
    """A folder with its SHA256SUMS."""
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "c.txt").write_text("text\n")
    (tmp_path / "a.txt").write_text("")
    (tmp_path / "SHA256SUMS").write_text(as_text(sums(tmp_path)))
    return tmp_path


@given(st.dictionaries(NAMES, DIGESTS))
def test_what_is_written_is_read(digests: dict[str, str]) -> None:
    assert parse(as_text(digests), "SHA256SUMS") == digests


@given(st.dictionaries(NAMES, DIGESTS, min_size=2))
def test_the_order_of_the_files_doesnt_matter(digests: dict[str, str]) -> None:
    assert as_text(dict(reversed(digests.items()))) == as_text(digests)


def test_every_file_is_listed_but_the_list_and_the_archive(listed: Path) -> None:
    (listed / "bundle.zip").write_bytes(b"PK")
    assert list(sums(listed)) == ["a.txt", "b/c.txt"]
    assert sums(listed)["a.txt"] == EMPTY
    assert read_sums(listed) == sums(listed)


@pytest.mark.skipif(shutil.which("sha256sum") is None, reason="no sha256sum here")
def test_sha256sum_agrees(listed: Path) -> None:
    (listed / "back\\slash\nand line").write_text("x")
    (listed / "SHA256SUMS").write_text(as_text(sums(listed)))
    subprocess.run(["sha256sum", "--check", "--strict", "SHA256SUMS"], cwd=listed, check=True)


def test_an_untouched_folder_has_no_differences(listed: Path) -> None:
    assert differences(listed) == []


def test_every_difference_is_named(listed: Path) -> None:
    (listed / "a.txt").unlink()
    (listed / "b" / "c.txt").write_text("other\n")
    (listed / "d.txt").write_text("")
    missing, changed, extra = differences(listed)
    assert missing == "a.txt is missing, but SHA256SUMS lists it"
    assert changed.startswith("b/c.txt was changed")
    assert extra == "d.txt is there, but SHA256SUMS doesn't list it"


def test_a_folder_without_checksums_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ChecksumsError, match=r"holds no SHA256SUMS.*make publish"):
        read_sums(tmp_path)


@pytest.mark.parametrize("line", ["", "abc  a.txt", f"{EMPTY} a.txt", EMPTY.upper() + "  a.txt"])
def test_a_line_that_is_something_else_is_named(line: str) -> None:
    with pytest.raises(ChecksumsError, match=r"^SHA256SUMS:2: isn't a checksum"):
        parse(f"{EMPTY}  a.txt\n{line}\n", "SHA256SUMS")


@pytest.mark.parametrize("name", ["/etc/passwd", "../a.txt", "b/../../a.txt"])
def test_a_name_outside_the_folder_is_refused(name: str) -> None:
    with pytest.raises(ChecksumsError, match="lies outside the folder"):
        parse(f"{EMPTY}  {name}\n", "SHA256SUMS")
