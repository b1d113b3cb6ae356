"""The archive: packed alike each time, unpacked as it was, refused where it may do harm."""

import stat
import tempfile
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from feedrate.publishing import bundle
from feedrate.publishing.bundle import BundleError, bundle_differences, open_bundle, write_bundle

PARTS = st.text(st.characters(codec="utf-8", categories=["L", "N"]), min_size=1, max_size=8)
# The ending keeps a file from having the name of another one's folder.
NAMES = st.lists(PARTS, min_size=1, max_size=3).map(lambda parts: "/".join(parts) + ".f")
FOLDERS = st.dictionaries(NAMES, st.binary(max_size=200), min_size=1, max_size=6)


def fill(folder: Path, files: dict[str, bytes]) -> None:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)


def content_of(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


@settings(max_examples=30, deadline=None)
@given(FOLDERS)
def test_what_is_packed_is_unpacked(files: dict[str, bytes]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        fill(folder, files)
        write_bundle(folder, folder / "bundle.zip")
        with open_bundle(folder / "bundle.zip") as unpacked:
            assert content_of(unpacked) == files
        assert bundle_differences(folder) == []


def test_the_same_files_give_the_same_bytes(tmp_path: Path) -> None:
    files = {"b.txt": b"b" * 1000, "a/x.txt": b"a"}
    for name, each in (("one", files), ("two", dict(reversed(files.items())))):
        (tmp_path / name).mkdir()
        fill(tmp_path / name, each)
    (tmp_path / "two" / "b.txt").chmod(0o600)
    for name in ("one", "two"):
        write_bundle(tmp_path / name, tmp_path / name / "bundle.zip")
        # A second time, with the archive beside the files.
        write_bundle(tmp_path / name, tmp_path / name / "bundle.zip")
    one, two = ((tmp_path / name / "bundle.zip").read_bytes() for name in ("one", "two"))
    assert one == two
    with zipfile.ZipFile(tmp_path / "one" / "bundle.zip") as archive:
        assert archive.namelist() == ["a/x.txt", "b.txt"]
        assert {member.date_time[0] for member in archive.infolist()} == {1980}
        assert {member.compress_type for member in archive.infolist()} == {zipfile.ZIP_DEFLATED}


def test_a_folder_is_used_as_it_is(tmp_path: Path) -> None:
    with open_bundle(tmp_path) as folder:
        assert folder == tmp_path


def test_what_was_unpacked_is_gone_afterwards(tmp_path: Path) -> None:
    fill(tmp_path, {"a.txt": b""})
    write_bundle(tmp_path, tmp_path / "bundle.zip")
    with open_bundle(tmp_path / "bundle.zip") as folder:
        pass
    assert not folder.exists()


def archive_of(path: Path, *members: zipfile.ZipInfo | str) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for member in members:
            archive.writestr(member, b"content")
    return path


@pytest.mark.parametrize("name", ["../out.txt", "a/../../out.txt", "/out.txt", "a\\..\\out.txt"])
def test_an_archive_that_leads_out_of_its_folder_is_refused(tmp_path: Path, name: str) -> None:
    path = archive_of(tmp_path / "x.zip", "a.txt", name)
    with pytest.raises(BundleError, match="leads out of the folder"), open_bundle(path):
        pass
    assert not (tmp_path.parent / "out.txt").exists()


def test_a_symbolic_link_is_refused(tmp_path: Path) -> None:
    link = zipfile.ZipInfo("link")
    link.create_system = 3
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    path = archive_of(tmp_path / "x.zip", link)
    with pytest.raises(BundleError, match="'link' is a symbolic link"), open_bundle(path):
        pass


def test_an_archive_that_unpacks_to_too_much_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bundle, "LIMIT_BYTES", 13)
    path = archive_of(tmp_path / "x.zip", "a.txt", "b.txt")
    with pytest.raises(BundleError, match="unpacks to 14 bytes"), open_bundle(path):
        pass


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_two_files_of_one_name_are_refused(tmp_path: Path) -> None:
    path = archive_of(tmp_path / "x.zip", "a.txt", "a.txt")
    with pytest.raises(BundleError, match="can't be unpacked"), open_bundle(path):
        pass


def test_a_damaged_or_missing_archive_is_an_error_for_the_user(tmp_path: Path) -> None:
    with pytest.raises(BundleError, match="doesn't exist"), open_bundle(tmp_path / "x.zip"):
        pass
    (tmp_path / "x.zip").write_bytes(b"something else")
    with pytest.raises(BundleError, match="get it again"), open_bundle(tmp_path / "x.zip"):
        pass


def test_what_differs_from_the_files_beside_it_is_named(tmp_path: Path) -> None:
    assert bundle_differences(tmp_path) == []
    fill(tmp_path, {"a.txt": b"old", "b.txt": b""})
    write_bundle(tmp_path, tmp_path / "bundle.zip")
    fill(tmp_path, {"a.txt": b"new", "c.txt": b""})
    assert bundle_differences(tmp_path) == [
        "a.txt in bundle.zip isn't the one beside it",
        "c.txt in bundle.zip isn't the one beside it",
    ]
