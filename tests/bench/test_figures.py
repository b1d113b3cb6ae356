import subprocess

import pytest

from tests.bench.figures import Failed, chosen, print_figures, repeat

NAMES = dict.fromkeys(("idle", "fidelity-light-0", "fidelity-light-2", "overhead"), str)


def give_up() -> str:
    raise Failed("the run said why")


def wait_too_long() -> str:
    raise subprocess.TimeoutExpired("a command of many words", 240)


def divide() -> str:
    raise ZeroDivisionError("nothing was\n timed")


def test_a_figure_that_fails_is_named_and_the_others_go_on(
    capsys: pytest.CaptureFixture[str],
) -> None:
    figures = {"one": give_up, "two": wait_too_long, "three": divide, "four": lambda: "1.02"}
    assert print_figures(figures) == 1
    assert capsys.readouterr().out.splitlines() == [
        "one: FAILED: the run said why",
        "two: FAILED: not finished after 240 s",
        "three: FAILED: ZeroDivisionError: nothing was timed",
        "four: 1.02",
    ]


def test_without_a_failure_the_status_is_0() -> None:
    assert print_figures({"four": lambda: "1.02"}) == 0


def test_some_can_be_named_one_by_one_or_by_what_they_begin_with() -> None:
    assert list(chosen([], NAMES)) == list(NAMES)
    assert list(chosen(["overhead", "idle"], NAMES)) == ["idle", "overhead"]
    assert list(chosen(["fidelity"], NAMES)) == ["fidelity-light-0", "fidelity-light-2"]
    with pytest.raises(KeyError, match="no figure over, fid; there are idle, fidelity-light-0"):
        chosen(["over", "idle", "fid"], NAMES)


def test_a_slow_machine_gets_fewer_rounds_but_the_least_in_any_case() -> None:
    numbers = iter(range(100))
    assert repeat(lambda: next(numbers), most=3, seconds=60) == [0, 1, 2]
    assert repeat(lambda: next(numbers), most=3, seconds=0) == [3]
    assert repeat(lambda: next(numbers), most=3, seconds=0, least=2) == [4, 5]
