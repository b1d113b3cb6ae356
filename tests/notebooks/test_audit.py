"""Executing again, and comparing."""

import json
from pathlib import Path

import pytest

import audit_report
import render_section


@pytest.mark.slow
def test_an_audit_finds_the_cell_that_shows_something_else(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    section = tmp_path / "01_x.py"
    section.write_text("# %%\n1 + 1\n\n# %%\nimport sys\nprint('noise', file=sys.stderr)\n'x'\n")
    notebook = tmp_path / "sections" / "01_x.ipynb"
    shared = ["--results", str(tmp_path), "--output"]
    assert render_section.main(["--section", str(section), *shared, str(notebook)]) == 0
    audit = tmp_path / "audit.json"
    assert audit_report.main(["--sections", str(section), *shared, str(audit)]) == 0
    found = json.loads(audit.read_text())
    assert (found["cells"], found["identical"]) == (2, 2)

    content = json.loads(notebook.read_text())
    content["cells"][0]["outputs"][0]["data"]["text/plain"] = "3"
    notebook.write_text(json.dumps(content))
    assert audit_report.main(["--sections", str(section), *shared, str(audit)]) == 1
    assert json.loads(audit.read_text())["identical"] == 1
    assert f"{section}, cell 1 (1 + 1) shows something different" in capsys.readouterr().err
