"""The drawings: every repetition is visible, words and rows come from the data, bytes repeat."""

import re
from collections.abc import Callable
from dataclasses import replace

import pandas as pd
import pytest

from feedrate.content.leading_figure import leading_figure
from feedrate.content.repetition_figures import (
    first_epoch_figure,
    pinning_figure,
    plateau_figure,
    throughput_figure,
)
from feedrate.page.display import Figure
from tests.content import decided

CONDITIONS = ["light", "augmented"]
PLATEAU = replace(decided.PLATEAU, smallest_not_excluded=0, smallest_proven=2)
ADVICE = [replace(decided.ADVICE, workers=2, plateau=PLATEAU)]
BOTTLENECKS = pd.DataFrame(
    [
        {
            "condition": "light",
            "settings": f"workers-{workers}",
            "expected": 7000.0 + workers,
        }
        for workers in (0, 2)
    ]
)


def leading(repetitions: pd.DataFrame, conditions: list[str], device: str) -> Figure:
    return leading_figure(repetitions, BOTTLENECKS, ADVICE, conditions, device)


DRAW: list[Callable[..., Figure]] = [
    leading,
    throughput_figure,
    first_epoch_figure,
    plateau_figure,
    pinning_figure,
]


@pytest.fixture
def repetitions() -> pd.DataFrame:
    return pd.DataFrame(
        [
            {
                "condition": condition,
                "settings": f"workers-{workers}",
                "num_workers": workers,
                "repetition": repetition,
                "pin_memory": repetition == 2,
                "warm_images_per_second": 1000.0 * rate + repetition,
                "warm_epoch_seconds": 10 / rate,
                "first_epoch_seconds": 10 / rate + workers + repetition / 10,
            }
            for condition, rates in (("light", (4, 6)), ("augmented", (1, 3)))
            for workers, rate in zip((0, 2), rates, strict=True)
            for repetition in (1, 2, 3)
        ]
    )


def texts(svg: str) -> list[str]:
    """The words in a drawing that aren't ticks of the measure's axis."""
    words = (word.strip() for word in re.findall(r"<text[^>]*>([^<]+)</text>", svg))
    return [word for word in words if not re.fullmatch(r"[\d,.\u2212]+", word)]


@pytest.mark.parametrize("draw", DRAW)
@pytest.mark.filterwarnings("error")
def test_a_drawing_repeats_to_the_byte_without_warnings(
    repetitions: pd.DataFrame, draw: Callable[..., Figure]
) -> None:
    first = draw(repetitions, CONDITIONS, "cpu")
    assert first == draw(repetitions, CONDITIONS, "cpu")
    assert len(first.data) == 12


def test_alternative_text_gives_the_medians(repetitions: pd.DataFrame) -> None:
    alt = leading(repetitions, CONDITIONS, "cpu").alt
    assert "light: 4,002 with 0, 6,002 with 2." in alt
    assert "augmented: 1,002 with 0, 3,002 with 2." in alt
    assert "augmented, 2: 5.53 and 3.33" in alt
    assert "Ceilings allow, images per second. light: 7,000 with 0, 7,002 with 2." in alt
    assert "light: the fewest workers near the best are from 0 to 2." in alt


def test_the_caption_has_the_fastest_setting_and_its_gain(repetitions: pd.DataFrame) -> None:
    values = leading(repetitions, CONDITIONS, "cpu").values
    assert values["fastest"][1] == {
        "condition": "augmented",
        "workers": 2,
        "images_per_second": "3,002",
        "gain": "3.00",
    }
    assert values["ceilings"]
    without = leading_figure(repetitions, BOTTLENECKS.iloc[:0], [], CONDITIONS, "cpu")
    assert not without.values["ceilings"]
    assert not without.values["plateaus"]


def test_a_phone_gets_the_panels_one_below_the_other(repetitions: pd.DataFrame) -> None:
    drawing = leading(repetitions, CONDITIONS, "cpu").drawing
    (wide, low), (narrow, high) = (
        map(float, re.findall(r'viewBox="0 0 (\S+) (\S+)"', svg)[0])
        for svg in (drawing.wide, drawing.narrow)
    )
    assert narrow < wide / 2
    assert high > 2 * low
    assert sorted(texts(drawing.wide)) == sorted(texts(drawing.narrow))


def test_the_gain_is_relative_to_the_median_without_workers(repetitions: pd.DataFrame) -> None:
    figure = throughput_figure(repetitions, CONDITIONS, "cpu")
    rows = {(r["condition"], r["num_workers"], r["repetition"]): r for r in figure.data}
    assert rows["light", 2, 1]["speedup"] == pytest.approx(6001 / 4002)
    assert rows["light", 0, 2]["speedup"] == 1


def test_text_stays_text_and_lines_carry_their_names(repetitions: pd.DataFrame) -> None:
    svg = plateau_figure(repetitions, CONDITIONS, "cpu").drawing.wide
    assert {"light", "augmented", "workers", "images per second"} <= set(texts(svg))


def test_a_missing_condition_keeps_the_others_colours(repetitions: pd.DataFrame) -> None:
    only = repetitions[repetitions["condition"] == "augmented"]
    for figure in (plateau_figure(only, CONDITIONS, "cpu"), leading(only, CONDITIONS, "cpu")):
        assert "#c44e00" in figure.drawing.wide
        assert "#0072b2" not in figure.drawing.wide
