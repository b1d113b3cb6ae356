"""The tables: a row per epoch, and a row per condition and settings."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from feedrate.analysis.records import Record
from feedrate.planning.settings import LoaderSettings

SETTINGS_COLUMNS = {
    "condition": "name of the transforms, as in config.yaml",
    "settings": "the DataLoader's settings, as one name",
    "num_workers": "worker processes; 0 loads in the main process",
    "batch_size": "images in a batch",
    "prefetch_factor": "batches that each worker prepares ahead; empty without workers",
    "persistent_workers": "whether workers live on between epochs",
    "pin_memory": "whether batches lie in page-locked memory",
    "device": "what trains; emulated is a wait in place of training",
}

EPOCH_COLUMNS = SETTINGS_COLUMNS | {
    "repetition": "round in which the cell was measured, from 1",
    "epoch": "number of the epoch, from 1",
    "phase": "first (with worker start and first prefetch) or warm",
    "images": "images trained on in the epoch",
    "epoch_seconds": "from before the iterator's creation until the device's last step ended",
    "images_per_second": "images / epoch_seconds",
    "iterator_creation_seconds": "creating the loader's iterator, which starts workers",
    "first_batch_seconds": "waiting for the epoch's first batch after that",
    "waiting_seconds": "waiting for all batches of the epoch, the first one included",
    "mean_training_loss": "mean cross-entropy of the epoch's batches; empty if emulated",
    "loader_construction_seconds": "constructing the DataLoader, once per repetition",
    "teardown_seconds": "ending the loader and its workers, once per repetition",
    "threads": "torch's threads in the main process",
    "start_method": "how workers were started; empty without workers",
    "started_at": "start of the measuring process, UTC",
    "ended_at": "end of the measurement, UTC",
}

MEASURES = {
    "warm_images_per_second": "images per second of the warm epochs",
    "warm_epoch_seconds": "seconds of the warm epochs",
    "first_epoch_seconds": "seconds of the first epoch",
}

SUMMARY_COLUMNS = SETTINGS_COLUMNS | {
    "repetitions": "number of repetitions, each a fresh process",
    **{
        f"{measure}_{statistic}": f"{statistic} over the repetitions of the {text}"
        for measure, text in MEASURES.items()
        for statistic in ("median", "minimum", "maximum")
    },
}
"""A repetition with several warm epochs counts by their median."""


def epoch_table(records: Iterable[Record]) -> pd.DataFrame:
    """A row per epoch of every record, with EPOCH_COLUMNS."""
    rows = [row for record in records for row in _epoch_rows(record)]
    table = pd.DataFrame(rows, columns=list(EPOCH_COLUMNS))
    table["prefetch_factor"] = table["prefetch_factor"].astype("Int64")
    return table


def _epoch_rows(record: Record) -> Iterator[Mapping[str, Any]]:
    specification, measurement = record["specification"], record["measurement"]
    settings = specification["loader"]
    shared = {
        "condition": specification["condition"]["name"],
        "settings": LoaderSettings(**settings).slug,
        **{key: value for key, value in settings.items() if key in SETTINGS_COLUMNS},
        "device": specification["device"]["name"],
        "repetition": specification["repetition"],
        "loader_construction_seconds": measurement["loader_construction_seconds"],
        "teardown_seconds": measurement["teardown_seconds"],
        **{
            key: record["process"][key]
            for key in ("threads", "start_method", "started_at", "ended_at")
        },
    }
    for epoch in measurement["epochs"]:
        yield shared | {
            "epoch": epoch["epoch"],
            "phase": "first" if epoch["epoch"] == 1 else "warm",
            "images": epoch["images"],
            "epoch_seconds": epoch["seconds"],
            "images_per_second": epoch["images"] / epoch["seconds"],
            "iterator_creation_seconds": epoch["iterator_creation_seconds"],
            "first_batch_seconds": epoch["first_batch_seconds"],
            "waiting_seconds": epoch["waiting_seconds"],
            "mean_training_loss": epoch["mean_loss"],
        }


def repetition_table(epochs: pd.DataFrame) -> pd.DataFrame:
    """A row per repetition of an epoch table, with a column for each of MEASURES."""
    keys = [*SETTINGS_COLUMNS, "repetition"]
    warm = epochs[epochs["phase"] == "warm"].groupby(keys, dropna=False, sort=False)
    first = epochs[epochs["phase"] == "first"].groupby(keys, dropna=False, sort=False)
    return pd.DataFrame(
        {
            "warm_images_per_second": warm["images_per_second"].median(),
            "warm_epoch_seconds": warm["epoch_seconds"].median(),
            "first_epoch_seconds": first["epoch_seconds"].median(),
        }
    ).reset_index()


def summary_table(epochs: pd.DataFrame, conditions: Sequence[str]) -> pd.DataFrame:
    """A row per condition and settings of an epoch table, with SUMMARY_COLUMNS.

    Sorted by condition, in the order of `conditions`, then by workers.
    """
    repetitions = repetition_table(epochs)
    groups = repetitions.groupby(list(SETTINGS_COLUMNS), dropna=False, sort=False)
    columns = {"repetitions": groups.size()}
    for measure in MEASURES:
        for statistic, method in (("median", "median"), ("minimum", "min"), ("maximum", "max")):
            columns[f"{measure}_{statistic}"] = groups[measure].agg(method)
    summary = pd.DataFrame(columns).reset_index()
    place = summary["condition"].map({name: index for index, name in enumerate(conditions)})
    ordered = summary.assign(place=place).sort_values(["place", "num_workers", "settings"])
    return ordered[list(SUMMARY_COLUMNS)].reset_index(drop=True)


def waiting_share(epochs: pd.DataFrame) -> "pd.Series[float]":
    """Median share of the warm epochs spent waiting for data, by condition and settings."""
    warm = epochs[epochs["phase"] == "warm"]
    share = warm["waiting_seconds"] / warm["epoch_seconds"]
    return share.groupby([warm["condition"], warm["settings"]]).median()
