from pathlib import Path

import pytest

from feedrate.files import write_atomically, write_json


def test_a_file_is_whole_or_the_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "folder" / "cell.json"
    write_atomically(file, "old")

    def fail(self: Path, target: Path) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(OSError, match="disk is full"):
        write_atomically(file, "new")
    assert file.read_text() == "old"
    assert list(file.parent.iterdir()) == [file]


def test_bytes_and_text_are_written_as_they_are(tmp_path: Path) -> None:
    write_atomically(tmp_path / "a", b"\x00\xff")
    write_atomically(tmp_path / "b", "é\n")
    assert (tmp_path / "a").read_bytes() == b"\x00\xff"
    assert (tmp_path / "b").read_bytes() == "é\n".encode()


def test_json_has_no_number_that_another_reader_would_refuse(tmp_path: Path) -> None:
    write_json(tmp_path / "a.json", {"é": 1.5})
    assert (tmp_path / "a.json").read_text() == '{\n "é": 1.5\n}\n'
    with pytest.raises(ValueError, match="not JSON compliant"):
        write_json(tmp_path / "a.json", {"ratio": float("nan")})
