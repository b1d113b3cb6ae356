"""The command that assembles the page."""

import json
from pathlib import Path
from typing import Any

import pytest

import assemble_report


def assemble(folder: Path, *cells: dict[str, Any], options: tuple[str, ...] = ()) -> int:
    """Run the command for one section with these cells; everything lies in `folder`."""
    notebook = folder / "01_x.ipynb"
    notebook.write_text(json.dumps({"cells": cells}))
    arguments = [
        *("--sections", notebook, "--title", "Title", *options),
        *("--figures", folder / "figures", "--output", folder / "report.html"),
    ]
    return assemble_report.main([*map(str, arguments)])


def prose(source: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "source": source}


def test_without_figures_there_is_a_page_and_an_empty_folder(tmp_path: Path) -> None:
    assert assemble(tmp_path, prose("Only prose")) == 0
    assert "<p>Only prose</p>" in (tmp_path / "report.html").read_text()
    assert list((tmp_path / "figures").iterdir()) == []


def test_a_mistake_is_an_error_for_the_user_and_the_old_page_stays(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "report.html"
    page.write_text("old")
    assert assemble(tmp_path, prose("![x](x.png)")) == 1
    assert capsys.readouterr().err.startswith("error: image 'x.png' in the prose")
    assert page.read_text() == "old"


def test_the_frame_is_in_the_language(tmp_path: Path) -> None:
    assert assemble(tmp_path, prose("## Heading"), options=("--language", "ja")) == 0
    page = (tmp_path / "report.html").read_text()
    assert 'aria-label="目次"' in page
    assert "本文へ移動" in page


def test_the_badge_is_for_these_notebooks_only(tmp_path: Path) -> None:
    from feedrate.notebooks.audit import notebook_digests

    assert assemble(tmp_path, prose("text")) == 0
    audit = tmp_path / "audit.json"
    digests = notebook_digests([tmp_path / "01_x.ipynb"])
    found = {"date": "2026-01-02", "cells": 9, "identical": 9, "notebooks": digests}
    audit.write_text(json.dumps(found))
    options = ("--audit", str(audit))
    assert assemble(tmp_path, prose("text"), options=options) == 0
    page = (tmp_path / "report.html").read_text()
    assert "Audit: 9 of 9 code cells identical when executed again (2026-01-02)" in page
    assert assemble(tmp_path, prose("another text"), options=options) == 0
    assert "Not audited since it was last computed" in (tmp_path / "report.html").read_text()
