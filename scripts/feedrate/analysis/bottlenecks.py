"""The bottleneck of every condition and settings, as a table."""

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from feedrate.analysis.tables import SETTINGS_COLUMNS, comparable
from feedrate.statistics.bottleneck import bottleneck

BOTTLENECK_COLUMNS = SETTINGS_COLUMNS | {
    "training": "warm images per second of training from the loader, median",
    "loader": "images per second of the loader alone, median",
    "step": "images per second of the training step alone, median",
    "resident": "images per second with the dataset on the device, median; empty if not applicable",
    "expected": "images per second that loader and step allow",
    "reached": "training / expected",
    "bound": "compute-bound, loader-bound, contention or undecided",
    "rule": "the rule that was applied, with its numbers",
}


def bottleneck_table(repetitions: pd.DataFrame, ceilings: pd.DataFrame) -> pd.DataFrame:
    """A row per condition and settings with both ceilings, with BOTTLENECK_COLUMNS.

    `repetitions` is a repetition table, `ceilings` a ceiling table. Training is compared with
    ceilings of its own group only.
    """
    return pd.DataFrame(list(_rows(repetitions, ceilings)), columns=list(BOTTLENECK_COLUMNS))


def _rows(repetitions: pd.DataFrame, ceilings: pd.DataFrame) -> Iterator[Mapping[str, Any]]:
    known = ceilings.dropna(subset=["images_per_second"])
    trained = comparable(repetitions)
    for (condition, settings), own in trained.groupby(["condition", "settings"], sort=False):
        first = own.iloc[0].to_dict()
        together = known[known["group"] == first["group"]]
        of_batch = together[together["batch_size"] == first["batch_size"]]
        loader = together[
            (together["arm"] == "loader")
            & (together["condition"] == condition)
            & (together["settings"] == settings)
        ]["images_per_second"]
        step = of_batch[of_batch["arm"] == "step"]["images_per_second"]
        resident = of_batch[(of_batch["arm"] == "resident") & (of_batch["condition"] == condition)][
            "images_per_second"
        ]
        training = own["warm_images_per_second"]
        workers = int(first["num_workers"])
        # A device of its own trains while the main process loads, even without workers.
        overlap = workers > 0 or first["device"] != "cpu"
        found = bottleneck(training.tolist(), loader.tolist(), step.tolist(), overlap)
        if found is None:
            continue
        yield {
            **{column: first[column] for column in SETTINGS_COLUMNS},
            "training": training.median(),
            "loader": loader.median(),
            "step": step.median(),
            "resident": resident.median() if len(resident) else None,
            "expected": found.expected,
            "reached": found.reached,
            "bound": str(found.bound),
            "rule": found.rule,
        }
