from pathlib import Path

import pytest

from feedrate.code.behaviour import code_digest, source_digest
from feedrate.code.imports import first_party_closure

BASE = '''\
"""A module."""
import os


def rate(images, seconds):
    """Images per second."""
    return images / seconds
'''


@pytest.mark.parametrize(
    "same",
    [
        BASE.replace("import os", "# why\nimport os"),
        BASE.replace("A module.", "Another text."),
        BASE.replace("Images per second.", "Words."),
        BASE.replace("images / seconds", "(\n        images\n        / seconds\n    )"),
    ],
)
def test_comments_docstrings_and_layout_do_not_count(same: str) -> None:
    assert same != BASE
    assert source_digest(same) == source_digest(BASE)


@pytest.mark.parametrize(
    ("old", "new"), [("/", "*"), ("seconds):", "seconds=1):"), ("import os", "import sys")]
)
def test_everything_else_counts(old: str, new: str) -> None:
    assert source_digest(BASE.replace(old, new)) != source_digest(BASE)


def test_a_file_far_down_the_closure_counts_and_its_place_too(tmp_path: Path) -> None:
    entry, helper = tmp_path / "entry.py", tmp_path / "helper.py"
    entry.write_text("import helper\n")
    helper.write_text("x = 1\n")
    before = code_digest(first_party_closure([entry], tmp_path), tmp_path)
    helper.write_text("x = 2\n")
    assert code_digest(first_party_closure([entry], tmp_path), tmp_path) != before
