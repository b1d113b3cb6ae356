"""The command that assembles the page."""

import json
from pathlib import Path
from typing import Any

import pytest

import assemble_report

TEMPLATE = Path(__file__).resolve().parents[2] / "report" / "template"


def assemble(folder: Path, *cells: dict[str, Any]) -> int:
    """Run the command for one section with these cells; everything lies in `folder`."""
    notebook = folder / "01_x.ipynb"
    notebook.write_text(json.dumps({"cells": cells}))
    arguments = [
        *("--sections", notebook, "--title", "Title", "--template", TEMPLATE),
        *("--figures", folder / "figures", "--output", folder / "report.html"),
    ]
    return assemble_report.main([*map(str, arguments)])


def test_without_figures_there_is_a_page_and_an_empty_folder(tmp_path: Path) -> None:
    assert assemble(tmp_path, {"cell_type": "markdown", "source": "Only prose"}) == 0
    assert "<p>Only prose</p>" in (tmp_path / "report.html").read_text()
    assert list((tmp_path / "figures").iterdir()) == []


def test_a_mistake_is_an_error_for_the_user_and_the_old_page_stays(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "report.html"
    page.write_text("old")
    assert assemble(tmp_path, {"cell_type": "markdown", "source": "![x](x.png)"}) == 1
    assert capsys.readouterr().err.startswith("error: image 'x.png' in the prose")
    assert page.read_text() == "old"


def test_csv_has_every_column_that_some_row_has() -> None:
    assert assemble_report.as_csv([{"a": 1}, {"a": 2, "b": "x,y"}]) == 'a,b\n1,\n2,"x,y"\n'
