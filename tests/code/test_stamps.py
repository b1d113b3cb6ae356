from pathlib import Path

import pytest

from feedrate.code.stamps import code_stamps

FILES = {
    "one.py": "import helper\n",
    "other.py": "from arms import ARMS\n",
    "helper.py": "x = 1\n",
    "arms/__init__.py": "from finding import members\n\nARMS = members(__name__, int)\n",
    "arms/training.py": "import late\n",
    "late.py": "x = 1\n",
    "finding.py": "",
}


@pytest.mark.parametrize(
    ("edited", "names"),
    [
        ("one.py", {"one"}),
        ("helper.py", {"one"}),
        ("arms/training.py", {"other"}),  # found by being there
        ("late.py", {"other"}),
    ],
)
def test_an_edit_changes_the_stamps_of_what_imports_it(
    tmp_path: Path, edited: str, names: set[str]
) -> None:
    (tmp_path / "arms").mkdir()
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    entries = {name: [tmp_path / f"{name}.py"] for name in ("one", "other")}
    before = code_stamps(entries, tmp_path)
    (tmp_path / edited).write_text(FILES[edited] + "# a remark\n")
    after = code_stamps(entries, tmp_path)
    assert {name for name in entries if before[name] != after[name]} == names
