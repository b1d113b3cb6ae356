from pathlib import Path

import pytest

from feedrate.code_digest import code_digest, first_party_closure, source_digest

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


def test_the_closure_follows_first_party_imports_only(tmp_path: Path) -> None:
    files = {
        "main.py": "import json\nfrom package import inner\nfrom package.other import f\n",
        "package/__init__.py": "",
        "package/inner.py": "def g():\n    from . import late\n",
        "package/other.py": "f = 1\n",
        "package/late.py": "from ..stranger import x\n",
        "package/unused.py": "",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    closure = first_party_closure([tmp_path / "main.py"], tmp_path)
    assert [str(file.relative_to(tmp_path.resolve())) for file in closure] == [
        "main.py",
        "package/__init__.py",
        "package/inner.py",
        "package/late.py",
        "package/other.py",
    ]


def test_a_file_far_down_the_closure_counts_and_its_place_too(tmp_path: Path) -> None:
    entry, helper = tmp_path / "entry.py", tmp_path / "helper.py"
    entry.write_text("import helper\n")
    helper.write_text("x = 1\n")
    before = code_digest(first_party_closure([entry], tmp_path), tmp_path)
    helper.write_text("x = 2\n")
    assert code_digest(first_party_closure([entry], tmp_path), tmp_path) != before
