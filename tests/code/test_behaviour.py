from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from feedrate.code.behaviour import ALWAYS, code_digest, reached_digest, source_digest
from feedrate.code.imports import first_party_closure

Write = Callable[[Mapping[str, str]], None]

BASE = '''\
"""A module."""
import os


def rate(images, seconds):
    """Images per second."""
    return images / seconds


FLOOR = 3
"""What nothing is below."""
'''


def whole(text: str, folder: Path) -> str:
    """The digest of a whole file with this text."""
    (folder / "module.py").write_text(text)
    return code_digest([folder / "module.py"], folder)


# --- whole files ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "same",
    [
        BASE.replace("import os", "# why\nimport os"),
        BASE.replace("A module.", "Another text."),
        BASE.replace("Images per second.", "Words."),
        BASE.replace("What nothing is below.", "Why."),
        BASE.replace('"""What nothing is below."""\n', ""),
        BASE.replace("images / seconds", "(\n        images\n        / seconds\n    )"),
    ],
    ids=["comment", "docstring", "function", "attribute", "no string", "layout"],
)
def test_comments_bare_strings_and_layout_do_not_count(same: str, tmp_path: Path) -> None:
    assert same != BASE
    assert whole(same, tmp_path) == whole(BASE, tmp_path)


CHANGES = [("/", "*"), ("seconds):", "seconds=1):"), ("import os", "import sys"), ("= 3", "= 4")]


@pytest.mark.parametrize(("old", "new"), CHANGES)
def test_everything_else_counts(old: str, new: str, tmp_path: Path) -> None:
    assert whole(BASE.replace(old, new), tmp_path) != whole(BASE, tmp_path)


def test_a_file_far_down_the_closure_counts_and_its_place_too(tmp_path: Path) -> None:
    entry, helper = tmp_path / "entry.py", tmp_path / "helper.py"
    entry.write_text("import helper\n")
    helper.write_text("x = 1\n")
    before = code_digest(first_party_closure([entry], tmp_path), tmp_path)
    helper.write_text("x = 2\n")
    assert code_digest(first_party_closure([entry], tmp_path), tmp_path) != before
    assert code_digest([helper], tmp_path) != code_digest([helper], tmp_path.parent)


# --- a notebook's cell ----------------------------------------------------------------------------


def test_in_a_cell_a_bare_string_is_what_it_shows() -> None:
    assert source_digest('"alone"') != source_digest('"other"')
    assert source_digest("x = 1  # why") == source_digest("x = (1)")
    assert source_digest("x = 1") != source_digest("x = 2")


# --- what an entry reaches ------------------------------------------------------------------------

MEMBER = '''\
"""What this arm is."""

from typing import TYPE_CHECKING

from project.kinds import Kind
from project.steps import factor

if TYPE_CHECKING:
    from project.heavy import Tensor

KIND = Kind(label="a label", words=["one"])
"""What the plan knows."""

SHARE = 3


def measure(count: "Tensor") -> int:
    """How much."""
    from project.late import offset

    return factor(count) * SHARE + 5 + offset()


def label_of(kind):
    return kind.label
'''

PROJECT = {
    "project/__init__.py": '"""A project."""\nimport os\nos.environ.setdefault("PLACE", "here")\n',
    "project/arm.py": MEMBER,
    "project/kinds.py": "class Kind:\n    def __init__(self, label, words): self.label = label\n",
    "project/steps.py": "SCALE = 10\nIDLE = 1\n\n\ndef factor(count):\n    return count * SCALE\n",
    "project/late.py": "def offset():\n    return 7\n\n\ndef unused():\n    return 8\n",
    "project/heavy.py": "Tensor = 1\n",
    "project/stranger.py": "x = 1\n",
}


@pytest.fixture
def digest_after(write: Write, tmp_path: Path) -> Callable[..., str]:
    """The digest of what `measure` reaches after an edit: a file, an old text and a new one."""

    def digest_after(file: str = "", old: str = "", new: str = "") -> str:
        assert not file or PROJECT[file].count(old) == 1, "edits something that isn't there"
        write(PROJECT | ({file: PROJECT[file].replace(old, new)} if file else {}))
        return reached_digest([(tmp_path / "project/arm.py", "measure")], tmp_path)

    return digest_after


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("project/arm.py", "a label", "another label"),
        ("project/arm.py", 'words=["one"]', 'words=["two", "three"]'),
        ("project/arm.py", "What this arm is.", "Another docstring."),
        ("project/arm.py", "How much.", "How many."),
        ("project/arm.py", "What the plan knows.", "What the words know."),
        ("project/arm.py", "return kind.label", "return kind.label.upper()"),
        ("project/heavy.py", "1", "2"),
        ("project/arm.py", "project.heavy import Tensor", "project.stranger import x as Tensor"),
        ("project/kinds.py", "= label", "= label.lower()"),
        ("project/steps.py", "IDLE = 1", "IDLE = 2"),
        ("project/late.py", "return 8", "return 9"),
        ("project/stranger.py", "1", "2"),
        ("project/__init__.py", "A project.", "The project."),
    ],
)
def test_what_measures_nothing_does_not_count(
    file: str, old: str, new: str, digest_after: Callable[..., str]
) -> None:
    before = digest_after()
    assert digest_after(file, old, new) == before


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("project/arm.py", "+ 5", "+ 6"),
        ("project/arm.py", "SHARE = 3", "SHARE = 4"),
        ("project/arm.py", "import factor", "import IDLE as factor"),
        ("project/steps.py", "count * SCALE", "count + SCALE"),
        ("project/steps.py", "SCALE = 10", "SCALE = 11"),
        ("project/steps.py", "IDLE = 1", "import os; os.nice(1)"),
        ("project/late.py", "return 7", "return 6"),
        ("project/__init__.py", '"here"', '"there"'),
        ("project/kinds.py", "class Kind", "print('imported')\n\n\nclass Kind"),
    ],
)
def test_what_is_reached_counts(
    file: str, old: str, new: str, digest_after: Callable[..., str]
) -> None:
    before = digest_after()
    assert digest_after(file, old, new) != before


@pytest.mark.parametrize(
    "text",
    [
        "if TYPE_CHECKING:\n    A = 1\nelse:\n    from b import c as A\n",
        "try:\n    from b import c as A\nexcept ImportError:\n    A = None\n",
        "import b\n\n\ndef A():\n    return b.c\n",
        "import a.other\nimport b\nA = a, b\n",
        "from b import *\nA = c\n",
        "import b\nA = 1\nA += b.c\n",
    ],
    ids=["else", "try", "module", "two modules", "star", "statement"],
)
def test_imports_are_followed_however_they_are_written(
    text: str, write: Write, tmp_path: Path
) -> None:
    def digest() -> str:
        return reached_digest(
            [(tmp_path / "entry.py", "A"), (tmp_path / "entry.py", ALWAYS)], tmp_path
        )

    write({"entry.py": text, "b.py": "c = 1\n", "a/__init__.py": "", "a/other.py": ""})
    before = digest()
    write({"b.py": "c = 2\n"})
    assert digest() != before


def test_two_imports_of_one_package_both_count(write: Write, tmp_path: Path) -> None:
    text = "import a.one\nimport a.two\n\n\ndef f():\n    return a.one.x + a.two.x\n"
    write({"entry.py": text, "a/__init__.py": "", "a/one.py": "x = 1\n", "a/two.py": "x = 1\n"})
    found = {reached_digest([(tmp_path / "entry.py", "f")], tmp_path)}
    for changed in ("a/one.py", "a/two.py"):
        write({changed: "x = 2\n"})
        found.add(reached_digest([(tmp_path / "entry.py", "f")], tmp_path))
    assert len(found) == 3
