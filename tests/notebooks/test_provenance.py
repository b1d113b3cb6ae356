"""What is behind a figure: cells, inputs and functions."""

import hashlib
from pathlib import Path

from feedrate.notebooks.execution import Project
from feedrate.notebooks.provenance import library_functions, provenance
from feedrate.notebooks.section import read_section

MODULE = '''
SCALE = 2


def shown(x):
    """Doc."""
    return _helper(x)


def _helper(x):
    return SCALE * x


def other(x):
    return x
'''
SECTION = """\
# %%
from shapes.drawing import shown as drawn

# %% data=["a.json"]
a = 1

# %% data=["b.json"]
b = 2

# %%
drawn(a)
"""


def test_a_figure_has_its_cells_its_inputs_and_its_functions(tmp_path: Path) -> None:
    code, results = tmp_path / "scripts", tmp_path / "results"
    (code / "shapes").mkdir(parents=True)
    results.mkdir()
    (code / "shapes" / "drawing.py").write_text(MODULE)
    (results / "a.json").write_text("1")
    (results / "b.json").write_text("2")
    (tmp_path / "01_x.py").write_text(SECTION)
    found = provenance(read_section(tmp_path / "01_x.py"), Project(tmp_path, code, results))
    assert found[3]["needs"] == [0, 1]
    assert found[3]["inputs"] == {"a.json": hashlib.sha256(b"1").hexdigest()}
    (function,) = found[3]["functions"]
    assert function["name"] == "shapes.drawing.shown"
    assert "def _helper" in function["source"]
    assert "def other" not in function["source"]
    assert found[2]["functions"] == []


def test_what_is_not_a_function_of_the_library_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text("CONSTANT = 1\n")
    imports = ["from m import CONSTANT\nfrom json import dumps"]
    assert library_functions("dumps(CONSTANT)", imports, tmp_path) == []
