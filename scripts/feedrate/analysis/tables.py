"""The tables: a row per epoch, per repetition, and per condition and settings."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from feedrate.configuration.factors import FACTORS
from feedrate.measurement.arm import Role, Scope
from feedrate.measurement.arms import ARMS
from feedrate.planning.records import FIRST_WARM_EPOCH, Record, warm_images_per_second
from feedrate.planning.settings import Settings, setting_labels, settings_of
from feedrate.planning.specification import role_of


def meanings(*roles: Role) -> str:
    """`loader (batches without training), step (…) or …`, of all arms with these roles."""
    *first, last = (f"{name} ({arm.meaning})" for name, arm in ARMS.items() if arm.role in roles)
    return f"{', '.join(first)} or {last}" if first else last


def has_role(record: Record, *roles: Role) -> bool:
    """Whether the arm of a record has one of these roles."""
    return role_of(record["specification"]) in roles


SETTINGS_COLUMNS = {
    "condition": "name of the transforms, as in config.yaml",
    "settings": "the loader's settings, as one name",
    **{factor.name: factor.column for factor in FACTORS},
    "device": "what trains; emulated is a wait in place of training",
}

EPOCH_COLUMNS = SETTINGS_COLUMNS | {
    "arm": meanings(Role.TIMED, Role.ANCHOR),
    "session": "stretch of measuring without a long gap, named after its start",
    "group": "what may be compared: first, or a later session that isn't equivalent to it",
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
    "started_at": "start of the measuring process, UTC",
    "ended_at": "end of the measurement, UTC",
}

FIRST_GROUP = "first"

CEILING_COLUMNS = {
    "arm": meanings(Role.CEILING),
    "condition": SETTINGS_COLUMNS["condition"] + "; empty for step",
    "settings": SETTINGS_COLUMNS["settings"] + "; empty without a loader",
    "num_workers": SETTINGS_COLUMNS["num_workers"] + "; empty without a loader",
    "batch_size": SETTINGS_COLUMNS["batch_size"],
    "pin_memory": SETTINGS_COLUMNS["pin_memory"] + "; empty without a loader",
    "device": SETTINGS_COLUMNS["device"],
    "session": EPOCH_COLUMNS["session"],
    "group": EPOCH_COLUMNS["group"],
    "repetition": EPOCH_COLUMNS["repetition"],
    "images_per_second": "images / seconds, median of the warm epochs",
    "not_applicable": "why it could not be measured; empty where it was",
    "started_at": EPOCH_COLUMNS["started_at"],
    "ended_at": EPOCH_COLUMNS["ended_at"],
}

MIB = 2**20

RESOURCE_COLUMNS = {
    "arm": meanings(Role.WATCHED),
    "condition": SETTINGS_COLUMNS["condition"],
    **{key: SETTINGS_COLUMNS[key] for key in SETTINGS_COLUMNS if key != "condition"},
    "epoch": EPOCH_COLUMNS["epoch"],
    "samples": "samples in the epoch; few of them make its peaks and shares rough",
    "main_cpu_cores": "CPU seconds of the main process per second",
    "workers_cpu_cores": "CPU seconds of all workers per second",
    "worker_memory_mib": "proportional set size of a worker, median over workers and samples, MiB",
    "workers_memory_mib": "proportional set size of all workers at their peak, MiB",
    "total_memory_mib": "proportional set size of main process and workers at their peak, MiB",
    "end_memory_mib": "the same at the end of the epoch, MiB",
    "shared_memory_mib": "/dev/shm in use at its peak, above what was in use before, MiB",
    "pinned_memory_mib": "page-locked memory that torch held at its peak, MiB; empty if unknown",
    "gpu_busy_percent": "time inside training steps by the device's own events, percent",
    "gpu_utilisation_percent": "share of time with any kernel running, by NVML, percent",
    "gpu_memory_mib": "memory in use on the GPU at its peak, by NVML, MiB",
    "gpu_clock_mhz": "clock of the streaming multiprocessors, median, by NVML",
    "gpu_clock_events": "what held the clock down, by NVML",
}

MEASURES = {
    "warm_images_per_second": "images per second of the warm epochs",
    "warm_epoch_seconds": "seconds of the warm epochs",
    "first_epoch_seconds": "seconds of the first epoch",
}

REPETITION_COLUMNS = SETTINGS_COLUMNS | {
    **{
        key: EPOCH_COLUMNS[key]
        for key in ("session", "group", "repetition", "started_at", "ended_at")
    },
    **{
        measure: f"{text}, their median" if measure.startswith("warm") else text
        for measure, text in MEASURES.items()
    },
}

SUMMARY_COLUMNS = SETTINGS_COLUMNS | {
    "group": EPOCH_COLUMNS["group"],
    "repetitions": "number of repetitions, each a fresh process",
    **{
        f"{measure}_{statistic}": f"{statistic} over the repetitions of the {text}"
        for measure, text in MEASURES.items()
        for statistic in ("median", "minimum", "maximum")
    },
}
"""A repetition with several warm epochs counts by their median."""


def epoch_table(records: Iterable[Record]) -> pd.DataFrame:
    """A row per epoch of every record that trained and was timed, with EPOCH_COLUMNS.

    All rows are of the first group: `samples.with_groups` separates sessions.
    """
    rows = [
        row
        for record in records
        if has_role(record, Role.TIMED, Role.ANCHOR)
        for row in _epoch_rows(record)
    ]
    table = pd.DataFrame(rows, columns=list(EPOCH_COLUMNS))
    table["prefetch_factor"] = table["prefetch_factor"].astype("Int64")
    return table


def _settings_columns(specification: Mapping[str, Any]) -> dict[str, Any]:
    settings = settings_of(specification)
    return {
        "condition": specification["condition"]["name"],
        "settings": settings.slug,
        **settings.by_name,
        "device": specification["device"]["name"],
    }


def _epoch_rows(record: Record) -> Iterator[Mapping[str, Any]]:
    specification, measurement = record["specification"], record["measurement"]
    shared = _settings_columns(specification) | {
        "arm": specification["arm"],
        "group": FIRST_GROUP,
        "repetition": specification["repetition"],
        "loader_construction_seconds": measurement["loader_construction_seconds"],
        "teardown_seconds": measurement["teardown_seconds"],
        **{key: record["process"][key] for key in ("session", "threads", "started_at", "ended_at")},
    }
    for epoch in measurement["epochs"]:
        yield shared | {
            "epoch": epoch["epoch"],
            "phase": "warm" if epoch["epoch"] >= FIRST_WARM_EPOCH else "first",
            "images": epoch["images"],
            "epoch_seconds": epoch["seconds"],
            "images_per_second": epoch["images"] / epoch["seconds"],
            "iterator_creation_seconds": epoch["iterator_creation_seconds"],
            "first_batch_seconds": epoch["first_batch_seconds"],
            "waiting_seconds": epoch["waiting_seconds"],
            "mean_training_loss": epoch["mean_loss"],
        }


def ceiling_table(records: Iterable[Record]) -> pd.DataFrame:
    """A row per repetition of every ceiling, with CEILING_COLUMNS."""
    rows = [_ceiling_row(record) for record in records if has_role(record, Role.CEILING)]
    table = pd.DataFrame(rows, columns=list(CEILING_COLUMNS))
    table["num_workers"] = table["num_workers"].astype("Int64")
    return table


def _ceiling_row(record: Record) -> Mapping[str, Any]:
    specification, reason = record["specification"], record["measurement"].get("not_applicable")
    loader = settings_of(specification)
    with_loader = ARMS[specification["arm"]].scope is Scope.SETTINGS
    condition = specification["condition"]
    return {
        "arm": specification["arm"],
        "condition": condition["name"] if condition else None,
        "settings": loader.slug if with_loader else None,
        "num_workers": loader.workers if with_loader else None,
        "batch_size": loader.batch_size,
        "pin_memory": loader["pin_memory"] if with_loader else None,
        "device": specification["device"]["name"],
        "group": FIRST_GROUP,
        "repetition": specification["repetition"],
        "images_per_second": None if reason else warm_images_per_second(record),
        "not_applicable": reason,
        **{key: record["process"][key] for key in ("session", "started_at", "ended_at")},
    }


def resource_table(records: Iterable[Record]) -> pd.DataFrame:
    """A row per epoch of every instrumented record, with RESOURCE_COLUMNS."""
    rows = [
        row
        for record in records
        if has_role(record, Role.WATCHED)
        for row in _resource_rows(record)
    ]
    return pd.DataFrame(rows, columns=list(RESOURCE_COLUMNS))


def _resource_rows(record: Record) -> Iterator[Mapping[str, Any]]:
    specification = record["specification"]
    shared = {"arm": specification["arm"], **_settings_columns(specification)}
    for epoch in record["measurement"]["epochs"]:
        sizes = {
            column: None if epoch[key] is None else epoch[key] / MIB
            for column in RESOURCE_COLUMNS
            if column.endswith("_mib")
            for key in [column.removesuffix("_mib") + "_bytes"]
        }
        busy, events = epoch["gpu_busy_seconds"], epoch["gpu_clock_events"]
        of_processes = ("epoch", "samples", "main_cpu_cores", "workers_cpu_cores")
        of_gpu = ("gpu_utilisation_percent", "gpu_clock_mhz")
        yield (
            shared
            | sizes
            | {key: epoch[key] for key in (*of_processes, *of_gpu)}
            | {
                "gpu_busy_percent": None if busy is None else 100 * busy / epoch["seconds"],
                "gpu_clock_events": None if events is None else ", ".join(events),
            }
        )


def repetition_table(epochs: pd.DataFrame, conditions: Sequence[str]) -> pd.DataFrame:
    """A row per timed repetition of an epoch table, with REPETITION_COLUMNS, sorted by `in_order`.

    Anchors are left out: they only compare sessions.
    """
    epochs = epochs[epochs["arm"] == "training"]
    keys = [column for column in REPETITION_COLUMNS if column not in MEASURES]
    warm = epochs[epochs["phase"] == "warm"].groupby(keys, dropna=False, sort=False)
    first = epochs[epochs["phase"] == "first"].groupby(keys, dropna=False, sort=False)
    measures = {
        "warm_images_per_second": warm["images_per_second"].median(),
        "warm_epoch_seconds": warm["epoch_seconds"].median(),
        "first_epoch_seconds": first["epoch_seconds"].median(),
    }
    return in_order(pd.DataFrame(measures).reset_index(), conditions)


def summary_table(repetitions: pd.DataFrame) -> pd.DataFrame:
    """A row per condition, settings and group of a repetition table, with SUMMARY_COLUMNS."""
    keys = [*SETTINGS_COLUMNS, "group"]
    groups = repetitions.groupby(keys, dropna=False, sort=False)
    columns = {"repetitions": groups.size()}
    for measure in MEASURES:
        for statistic, method in (("median", "median"), ("minimum", "min"), ("maximum", "max")):
            columns[f"{measure}_{statistic}"] = groups[measure].agg(method)
    return pd.DataFrame(columns).reset_index()[list(SUMMARY_COLUMNS)]


def in_order(table: pd.DataFrame, conditions: Sequence[str]) -> pd.DataFrame:
    """The rows by condition, in the order of `conditions`, then by workers and settings."""
    place = table["condition"].map({name: index for index, name in enumerate(conditions)})
    ordered = table.assign(place=place).sort_values(
        ["place", "num_workers", "settings"], kind="stable"
    )
    return ordered.drop(columns="place").reset_index(drop=True)


def comparable(table: pd.DataFrame) -> pd.DataFrame:
    """The rows of the first group, and of the earliest later one for conditions without any."""
    groups = table.groupby("condition")["group"]
    first = groups.transform(lambda own: FIRST_GROUP if FIRST_GROUP in set(own) else min(own))
    return table[table["group"] == first]


def waiting_share(epochs: pd.DataFrame) -> "pd.Series[float]":
    """Median share of the warm epochs spent waiting for data, by condition and settings."""
    trained = comparable(epochs[epochs["arm"] == "training"])
    warm = trained[trained["phase"] == "warm"]
    share = warm["waiting_seconds"] / warm["epoch_seconds"]
    return share.groupby([warm["condition"], warm["settings"]]).median()


def settings_in(row: Mapping[Any, Any]) -> Settings:
    """The settings in a row of a table that has SETTINGS_COLUMNS; what is empty doesn't apply."""
    return Settings(
        tuple(
            factor.inapplicable if pd.isna(row[factor.name]) else _plain(row[factor.name])
            for factor in FACTORS
        )
    )


def _plain(level: Any) -> Any:
    """A level as the configuration has it, from a column that may hold numpy's or floats."""
    value = level.item() if hasattr(level, "item") else level
    return int(value) if isinstance(value, float) else value


def labels_of(table: pd.DataFrame) -> dict[str, str]:
    """For each name in the column `settings` its workers, and what else differs in `table`."""
    rows = table.drop_duplicates("settings").to_dict("records")
    settings = {str(row["settings"]): settings_in(row) for row in rows}
    labels = setting_labels(settings.values())
    return {name: labels[each] for name, each in settings.items()}
