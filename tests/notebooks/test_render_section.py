"""The command that renders one section."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import render_section

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def section(tmp_path: Path) -> Path:
    path = tmp_path / "01_x.py"
    path.write_text(
        "# %% [markdown]\n# ## {{ best }} workers\n\n"
        "# %%\nimport sys\nfrom feedrate.page.display import Facts\n"
        'print("careful", file=sys.stderr)\nFacts(best=4)\n'
    )
    return path


def render(section: Path, seed: str = "0") -> subprocess.CompletedProcess[str]:
    """Run the command for `section`, with results and output beside it."""
    return subprocess.run(
        [
            *(sys.executable, ROOT / "scripts" / "render_section.py", "--section", section),
            *("--results", section.parent, "--output", section.with_suffix(".ipynb")),
        ],
        env=os.environ | {"PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
def test_a_section_is_executed_once_and_its_bytes_stay(section: Path) -> None:
    output = section.with_suffix(".ipynb")
    first = render(section, seed="1")
    assert first.stderr.splitlines() == [
        f"{section}, cell 2 (import sys) wrote:",
        "careful",
        "01_x: 1 cells, 1 executed",
    ]
    written = output.read_bytes()
    assert json.loads(written)["cells"][0]["source"] == "## 4 workers"
    assert b"careful\\n" not in written
    second = render(section, seed="2")
    assert "careful" in second.stderr
    assert second.stderr.endswith("01_x: 1 cells, 0 executed\n")
    assert output.read_bytes() == written


@pytest.mark.slow
def test_a_failing_cell_is_an_error_for_the_user_and_nothing_is_written(section: Path) -> None:
    section.write_text("# %%\n1 / 0\n")
    done = render(section)
    assert done.returncode == 1
    assert f"error: {section}, cell 1 (1 / 0): ZeroDivisionError: division by zero" in done.stderr
    assert "render_section.py" not in done.stderr
    assert not section.with_suffix(".ipynb").exists()


def test_without_stale_cells_the_kernels_packages_are_not_imported(tmp_path: Path) -> None:
    section = tmp_path / "01_x.py"
    section.write_text("# %% [markdown]\n# Only prose\n")
    program = (
        "import sys, render_section\n"
        f"render_section.main(['--section', {str(section)!r}, '--results', {str(tmp_path)!r}, "
        f"'--output', {str(tmp_path / 'x.ipynb')!r}])\n"
        "print({'nbclient', 'ipykernel', 'pandas', 'nbconvert'} & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | {"PYTHONPATH": str(ROOT / "scripts")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "set()\n"


def test_a_missing_fact_is_an_error_for_the_user(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    section, output = tmp_path / "02_y.py", tmp_path / "02_y.ipynb"
    section.write_text("# %% [markdown]\n# {{ absent }}\n")
    arguments = ["--section", section, "--results", tmp_path, "--output", output]
    assert render_section.main([*map(str, arguments)]) == 1
    assert "02_y.py, cell 1 ({{ absent }}): 'absent' is undefined" in capsys.readouterr().err
    assert not output.exists()
