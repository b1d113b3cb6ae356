"""Only what is stale is executed."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from feedrate.notebooks import execution, keys
from feedrate.notebooks.execution import Execution, Project, execute_section, run, split_noise
from feedrate.notebooks.section import SectionError, as_notebook, read_section

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"
SECTION = """\
# %% [markdown]
# ## Heading

# %%
from feedrate.notebooks.results import open_json

# %% data=["a.json"]
a = open_json("a.json")

# %%
import helper
double = helper.twice(a)
double

# %% data=["b.json"]
open_json("b.json")

# %%
"alone"
"""


class Workplace:
    """A small project with one section; `executed` runs it and says which cells that took."""

    def __init__(self, root: Path) -> None:
        self.project = Project(root, root / "scripts", root / "results")
        self.section = root / "01_x.py"
        self.helper = root / "scripts" / "helper.py"
        for folder in (self.project.code, self.project.results):
            folder.mkdir()
        self.section.write_text(SECTION)
        self.helper.write_text("def twice(x): return 2 * x\n")
        self.data("a.json", 1)
        self.data("b.json", 10)

    def data(self, name: str, value: int) -> None:
        (self.project.results / name).write_text(str(value))

    def execute(self) -> Execution:
        return execute_section(read_section(self.section), self.project)

    def edit(self, file: Path, old: str, new: str) -> None:
        text = file.read_text()
        assert old in text
        file.write_text(text.replace(old, new))

    def stale(self) -> list[int]:
        """Positions of the cells whose outputs are not kept, without running anything."""
        section = read_section(self.section)
        names = execution._keys(section, execution.needed_by(section), self.project)
        pairs = zip(section.code_positions, names, strict=True)
        return [position for position, key in pairs if not self.project.cached(key).exists()]


@pytest.fixture
def workplace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workplace:
    monkeypatch.setenv("PYTHONPATH", str(SCRIPTS))
    return Workplace(tmp_path)


@pytest.fixture
def executed_once(workplace: Workplace, monkeypatch: pytest.MonkeyPatch) -> Workplace:
    """As after an execution, but without the price of a kernel: every output is kept."""

    def pretend(section: object, indexes: list[int], project: object) -> Any:
        return iter([[] for _ in indexes])

    with monkeypatch.context() as patch:
        patch.setattr(execution, "run", pretend)
        assert workplace.execute().executed == 5
    return workplace


def no_kernel(*_: object) -> Any:
    raise AssertionError("a kernel was started")


def test_nothing_changed_nothing_is_executed(
    executed_once: Workplace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(execution, "run", no_kernel)
    assert executed_once.execute().executed == 0


EDITS: dict[str, tuple[Callable[[Workplace], None], list[int]]] = {
    "prose": (lambda w: w.edit(w.section, "## Heading", "## Other"), []),
    "a new prose cell": (
        lambda w: w.edit(w.section, "# ## H", "# new\n\n# %% [markdown]\n# ## H"),
        [],
    ),
    "a comment in code": (lambda w: w.edit(w.section, "\ndouble\n", "\n# why\ndouble\n"), []),
    "a cell that is read": (
        lambda w: w.edit(w.section, 'json("a.json")', 'json("a.json") + 1'),
        [2, 3],
    ),
    "a cell nobody reads": (lambda w: w.edit(w.section, '"alone"', '"other"'), [5]),
    "data of a cell that is read": (lambda w: w.data("a.json", 2), [2, 3]),
    "data nobody else needs": (lambda w: w.data("b.json", 2), [4]),
    "the same data again": (lambda w: w.data("b.json", 10), []),
    "a module": (lambda w: w.edit(w.helper, "2 * x", "3 * x"), [3]),
    "a comment in a module": (lambda w: w.edit(w.helper, "def", "# why\ndef"), []),
}


@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_makes_stale_what_it_can_change(edit: str, executed_once: Workplace) -> None:
    apply, stale = EDITS[edit]
    apply(executed_once)
    assert executed_once.stale() == [position + (edit == "a new prose cell") for position in stale]


def test_a_new_package_version_makes_everything_stale(
    executed_once: Workplace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keys, "versions", lambda: {"pandas": "99"})
    assert executed_once.stale() == [1, 2, 3, 4, 5]


def test_declared_data_that_is_absent_is_named(workplace: Workplace) -> None:
    (workplace.project.results / "b.json").unlink()
    with pytest.raises(SectionError, match=r"01_x.py, cell 5 \(open_json.*declares 'b.json'"):
        workplace.execute()


def test_a_cell_that_is_not_python_is_named(workplace: Workplace) -> None:
    workplace.edit(workplace.section, '"alone"', "1 +")
    with pytest.raises(SectionError, match=r"cell 6 \(1 \+\): not Python"):
        workplace.execute()


def test_a_malformed_declaration_is_named(workplace: Workplace) -> None:
    workplace.edit(workplace.section, 'data=["b.json"]', 'data="b.json"')
    with pytest.raises(SectionError, match=r"cell 5 .*not 'b.json'"):
        read_section(workplace.section)


def test_stderr_is_noise_and_the_rest_is_shown() -> None:
    out, err = ({"output_type": "stream", "name": f"std{n}", "text": n} for n in ("out", "err"))
    assert split_noise([err, out]) == ([out], "err")


def test_a_notebook_has_fixed_ids_and_no_counters(workplace: Workplace) -> None:
    section = read_section(workplace.section)
    texts = {
        as_notebook(read_section(workplace.section), {0: "prose"}, {}, {}, "en") for _ in range(2)
    }
    assert len(texts) == 1
    cells = json.loads(texts.pop())["cells"]
    assert [cell["id"] for cell in cells] == [f"01_x-{n + 1}" for n in range(len(section.cells))]
    assert cells[0]["source"] == "prose"
    assert all(cell["execution_count"] is None for cell in cells[1:])


def text_of(outputs: list[dict[str, Any]]) -> list[str]:
    return [output["data"]["text/plain"] for output in outputs]


@pytest.mark.slow
def test_a_kernel_runs_what_is_stale_and_what_that_needs(workplace: Workplace) -> None:
    assert [text_of(cell) for cell in workplace.execute().outputs.values()] == [
        *([], [], ["2"], ["10"], ["'alone'"]),
    ]
    workplace.edit(workplace.section, "\ndouble\n", "\ndouble + 1\n")
    again = workplace.execute()
    assert again.executed == 3
    assert text_of(again.outputs[3]) == ["3"]
    assert text_of(again.outputs[4]) == ["10"]


@pytest.mark.slow
def test_a_failing_cell_is_named_and_what_ran_before_is_kept(workplace: Workplace) -> None:
    workplace.edit(workplace.section, '"alone"', "1 / 0")
    with pytest.raises(
        SectionError, match=r"cell 6 \(1 / 0\): ZeroDivisionError: division by zero"
    ):
        workplace.execute()
    assert workplace.stale() == [5]


@pytest.mark.slow
def test_undeclared_data_is_refused(workplace: Workplace) -> None:
    workplace.edit(workplace.section, '# %% data=["b.json"]', "# %%")
    with pytest.raises(SectionError, match=r"cell 5 .*reads 'b.json' without declaring it"):
        workplace.execute()


@pytest.mark.slow
def test_the_kernel_is_this_python_in_the_projects_root(workplace: Workplace) -> None:
    root = str(workplace.project.root)
    workplace.section.write_text(
        f"# %%\nimport os, sys\n[sys.executable == {sys.executable!r}, os.getcwd() == {root!r}]\n"
    )
    (outputs,) = run(read_section(workplace.section), [0], workplace.project)
    assert text_of(outputs) == ["[True, True]"]
