from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

Write = Callable[[Mapping[str, str]], None]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes texts into files, by their places below the temporary folder."""

    def write(files: Mapping[str, str]) -> None:
        for name, text in files.items():
            file = tmp_path / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")

    return write
