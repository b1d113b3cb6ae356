"""The list of result files, held against what else names them."""

import re
from pathlib import Path

from decide import COLUMNS
from feedrate.result_files import RESULT_FILES, TABLES

ROOT = Path(__file__).resolve().parents[1]


def test_no_file_is_listed_twice() -> None:
    names = [file.name for file in RESULT_FILES]
    assert len(set(names)) == len(names)


def test_the_columns_of_every_table_are_explained() -> None:
    assert COLUMNS.keys() == {each.name for each in TABLES if each.name.endswith(".csv")}


def test_the_readme_lists_them_all_and_no_other() -> None:
    listed = re.findall(
        r"^\| `results/([\w.]+)` \|", (ROOT / "README.md").read_text(), re.MULTILINE
    )
    assert sorted(listed) == sorted(file.name for file in RESULT_FILES)
