"""The picture for previews of links."""

import struct
import warnings
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedrate.publishing.social_card import answer, shortened, social_card, wrapped

TITLES = (
    "How many DataLoader workers feed this accelerator?",
    "PyTorch DataLoaderは何workerが速い？WSL2でnum_workers・pin_memoryを実測",
    "PyTorch数据加载慢？调整num_workers提升效率",
    "A price of $5 and $6, 100 % of it",
)


def at_most(width: int) -> Any:
    return lambda text: len(text) <= width


@pytest.mark.parametrize("title", TITLES)
def test_it_is_a_png_of_the_size_of_previews_without_a_warning(
    title: str, advice: dict[str, Any]
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        png = social_card(title, [advice], "a processor, 2 cores")
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    assert struct.unpack(">II", png[16:24]) == (1200, 630)


def test_the_same_answer_gives_the_same_bytes(advice: dict[str, Any]) -> None:
    one, two = (social_card(TITLES[0], [advice] * 6, "a processor") for _ in range(2))
    assert one == two
    assert social_card(TITLES[0], [advice], "a processor") != one
    assert b"Software" not in one


def test_an_answer_tells_its_uncertainty_and_whether_it_is_proven(advice: dict[str, Any]) -> None:
    assert answer(advice) == "light: 12 workers, 1.29 times none [1.02, 1.62], proven"
    assert answer(advice | {"proven": False}).endswith(", for the time being")
    assert answer(advice | {"device": "emulated"}).endswith("(emulated device)")
    assert answer(advice | {"gain": None, "compared_workers": None}) == (
        "light: 12 workers, proven"
    )


def test_a_gain_of_other_workers_than_the_advised_ones_names_them(advice: dict[str, Any]) -> None:
    text = answer(advice | {"workers": 0, "compared_workers": 1})
    assert text == "light: 0 workers, 1 worker give 1.29 times none [1.02, 1.62], proven"


def test_lines_are_broken_at_spaces() -> None:
    assert wrapped("one two three", at_most(7)) == ["one two", "three"]
    assert wrapped("extraordinary words", at_most(5)) == ["extraordinary", "words"]
    assert wrapped("", at_most(5)) == [""]


def test_lines_are_broken_between_east_asian_characters_but_not_before_a_full_stop() -> None:
    assert wrapped("数据加载慢吗", at_most(4)) == ["数据加载", "慢吗"]
    assert wrapped("数据加载？", at_most(4)) == ["数据加", "载？"]
    assert wrapped("num_workersを実測", at_most(11)) == ["num_workers", "を実測"]


@given(st.text("ab 数据。", max_size=40), st.integers(1, 10))
def test_wrapping_loses_nothing(text: str, width: int) -> None:
    assert "".join(wrapped(text, at_most(width))).replace(" ", "") == text.replace(" ", "")


def test_an_ellipsis_stands_for_the_lines_that_are_left_out() -> None:
    assert shortened(["a", "b"], 2) == ["a", "b"]
    assert shortened(["a", "b, ", "c"], 2) == ["a", "b …"]
