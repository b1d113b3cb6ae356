"""The drawings: every repetition shows, words and rows come from the data, the bytes repeat."""

import re
from collections.abc import Callable

import pandas as pd
import pytest

from feedrate.report.display import Figure
from feedrate.report.figures import (
    first_epoch_figure,
    leading_figure,
    pinning_figure,
    plateau_figure,
    throughput_figure,
)

CONDITIONS = ["light", "augmented"]
DRAW: list[Callable[..., Figure]] = [
    leading_figure,
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


@pytest.mark.parametrize("draw", DRAW)
@pytest.mark.filterwarnings("error")
def test_a_drawing_repeats_to_the_byte_without_warnings(
    repetitions: pd.DataFrame, draw: Callable[..., Figure]
) -> None:
    first = draw(repetitions, CONDITIONS, "cpu")
    assert first == draw(repetitions, CONDITIONS, "cpu")
    assert len(first.data) == 12
    assert "mulated" not in first.caption


@pytest.mark.parametrize("draw", DRAW)
def test_an_emulated_device_is_named_in_every_caption(
    repetitions: pd.DataFrame, draw: Callable[..., Figure]
) -> None:
    assert "Emulated accelerator" in draw(repetitions, CONDITIONS, "emulated").caption


def test_alternative_text_gives_the_medians(repetitions: pd.DataFrame) -> None:
    alt = leading_figure(repetitions, CONDITIONS, "cpu").alt
    assert "light: 4,002 with 0, 6,002 with 2." in alt
    assert "augmented: 1,002 with 0, 3,002 with 2." in alt
    assert "augmented, 2: 5.53 and 3.33" in alt


def test_the_gain_is_relative_to_the_median_without_workers(repetitions: pd.DataFrame) -> None:
    figure = throughput_figure(repetitions, CONDITIONS, "cpu")
    rows = {(r["condition"], r["num_workers"], r["repetition"]): r for r in figure.data}
    assert rows["light", 2, 1]["speedup"] == pytest.approx(6001 / 4002)
    assert rows["light", 0, 2]["speedup"] == 1


def test_text_stays_text_and_lines_carry_their_names(repetitions: pd.DataFrame) -> None:
    svg = plateau_figure(repetitions, CONDITIONS, "cpu").svg
    words = re.findall(r"<text[^>]*>([^<]+)</text>", svg)
    assert {"light", "augmented", "workers", "images per second"} <= {
        word.strip() for word in words
    }


def test_a_missing_condition_keeps_the_others_colours(repetitions: pd.DataFrame) -> None:
    only = repetitions[repetitions["condition"] == "augmented"]
    svg = plateau_figure(only, CONDITIONS, "cpu").svg
    assert "#c44e00" in svg
    assert "#0072b2" not in svg
