"""The numbers in the prose."""

import pandas as pd
import pytest

from feedrate.content.prose_numbers import (
    first_epoch_costs,
    gains,
    memory_growth,
    worker_start,
)


@pytest.fixture
def repetitions() -> pd.DataFrame:
    return pd.DataFrame(
        {
            "condition": ["light"] * 4,
            "settings": ["a", "a", "b", "b"],
            "num_workers": [0, 0, 2, 2],
            "group": "first",
            "warm_images_per_second": [100.0, 300.0, 500.0, 500.0],
            "warm_epoch_seconds": [2.0, 2.0, 1.0, 1.0],
            "first_epoch_seconds": [2.0, 2.5, 4.0, 6.0],
        }
    )


def test_gains_are_ratios_of_medians(repetitions: pd.DataFrame) -> None:
    waiting = pd.Series({("light", "a"): 0.5, ("light", "b"): 0.125})
    (gain,) = gains(repetitions, waiting, ["absent", "light"])
    assert (gain["helped"], gain["most"], gain["best"]) == (True, "2.50", "2 workers")
    assert (gain["waiting_percent"], gain["waiting_percent_without"]) == ("12", "50")
    assert gains(repetitions[repetitions["num_workers"] > 0], waiting, ["light"]) == []


def test_first_epochs_are_paired_with_their_own_warm_ones(repetitions: pd.DataFrame) -> None:
    (cost,) = first_epoch_costs(repetitions, ["light", "absent"])
    assert (cost["without"], cost["without_range"]) == ("+0.25", "+0.00 to +0.50")
    assert (cost["most_seconds"], cost["most_range"]) == ("+4.00", "+3.00 to +5.00")


def test_the_start_is_that_of_the_most_workers() -> None:
    epochs = pd.DataFrame(
        {
            "phase": ["first", "first", "warm"],
            "num_workers": [1, 4, 4],
            "iterator_creation_seconds": [0.1, 0.25, 0.001],
        }
    )
    assert worker_start(epochs) == {"start_milliseconds": "250", "start_most": "4 workers"}


def test_a_leak_arm_is_described_by_its_first_and_last_epoch() -> None:
    resources = pd.DataFrame(
        {
            "arm": ["instrumented", "leak", "leak", "leak"],
            "condition": "light",
            "num_workers": 2,
            "epoch": [1, 1, 2, 3],
            "end_memory_mib": [1.0, 900.0, 901.25, 905.0],
        }
    )
    (leak,) = memory_growth(resources)
    assert (leak["first"], leak["last"], leak["epochs"]) == ("900.0", "905.0", 3)
    assert memory_growth(resources[resources["arm"] == "instrumented"]) == []
