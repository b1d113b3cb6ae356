"""Which earlier cells a cell needs."""

import pytest

from feedrate.notebooks.names import needed_cells, with_needed


def needs_of_last(*sources: str) -> list[int]:
    return needed_cells(sources)[-1]


@pytest.mark.parametrize(
    "reader",
    [
        "y = x",
        "f'{x}'",
        "[i for i in range(3) if i in x]",
        "lambda: x",
        "x += 1",
        "del x",
        "x.y = 1",
    ],
)
def test_a_cell_needs_the_one_that_bound_a_name_it_reads(reader: str) -> None:
    assert needs_of_last("x = [1]", "z = 2", reader) == [0]


@pytest.mark.parametrize(
    "binder",
    [
        "import x",
        "from a import b as x",
        "def x(): ...",
        "class x: ...",
        "(a, x), b = value",
        "for x in []: ...",
        "with open('f') as x: ...",
        "if (x := 1): ...",
    ],
)
def test_every_way_to_bind_counts(binder: str) -> None:
    assert needs_of_last(binder, "print(x)") == [0]


def test_only_the_last_certain_binding_counts() -> None:
    assert needs_of_last("x = 1", "x = 2", "print(x)") == [1]


def test_a_binding_under_a_condition_leaves_the_earlier_one() -> None:
    assert needs_of_last("x = 1", "if flag: x = 2", "print(x)") == [0, 1]


def test_a_cell_that_binds_a_name_before_reading_it_needs_no_other() -> None:
    assert needs_of_last("fig = 1", "fig = 2; print(fig)") == []


def test_a_cell_that_reads_a_name_before_binding_it_needs_the_earlier_one() -> None:
    assert needs_of_last("x = 1", "x = x + 1") == [0]


def test_local_names_do_not_count() -> None:
    assert needs_of_last("x = 1", "def f(x):\n    y = x\n    return [x for x in y]") == []


@pytest.mark.parametrize(
    "change", ["x[0] = 1", "x.a = 1", "x.append(1)\n0", "y = x.pop()", "x[0] += 1"]
)
def test_a_reader_needs_the_cells_that_changed_the_object_too(change: str) -> None:
    assert needs_of_last("x = []", change, "print(x)") == [0, 1]


def test_using_a_module_does_not_change_it_but_a_call_for_its_effect_does() -> None:
    assert needs_of_last("import sns", "sns.plot()", "sns.plot()") == [0]
    assert needs_of_last("import sns", "sns.set_theme()\n0", "sns.plot()") == [0, 1]
    assert needs_of_last("import plt", "plt.rcParams['a'] = 1", "plt.plot()") == [0, 1]


def test_a_caller_needs_what_the_function_reads_when_called() -> None:
    assert needs_of_last("def f(): return x", "x = 1", "y = 2", "f()") == [0, 1]


def test_every_later_cell_needs_a_star_import() -> None:
    assert needs_of_last("from a import *", "x = 1", "y = 1") == [0]


def test_with_needed_adds_what_is_needed_indirectly() -> None:
    assert with_needed([3], [[], [0], [], [1]]) == [0, 1, 3]
    assert with_needed([], [[], [0]]) == []
