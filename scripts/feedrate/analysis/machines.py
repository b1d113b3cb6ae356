"""Runs of the same experiment on several machines, side by side."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from feedrate.analysis.recommendation import Recommendation
from feedrate.analysis.samples import worker_families
from feedrate.analysis.tables import comparable
from feedrate.wording import machine_in_words

THIS_RUN = "this run"

COMPARED_SETTINGS = {
    "dataset.images": "images per epoch",
    "training.epochs": "epochs",
    "loader.batch_size": "batch size",
}
"""Settings that are named where two experiments differ in them, since they may move the numbers."""

Throughput = dict[str, dict[int, float]]
"""Condition -> workers -> warm images per second, median."""


@dataclass(frozen=True)
class MachineRun:
    """What a run on one machine found.

    `machine` says in words what it ran on, `measured` on which day, None where a source doesn't
    say; `recommended` maps a condition to its number of workers, None where it isn't proven;
    `verdicts` are by claim; `other_conditions` have the name of one of ours, but other transforms;
    `differences` says in words how else the experiments differ.
    """

    name: str
    machine: str
    measured: str | None
    throughput: Throughput
    recommended: dict[str, int | None] = field(default_factory=dict)
    verdicts: dict[str, str] = field(default_factory=dict)
    other_conditions: tuple[str, ...] = ()
    differences: tuple[str, ...] = ()


@dataclass(frozen=True)
class Tables:
    """The part of a run that is compared, as its files hold it; `verdicts` are by claim."""

    repetitions: pd.DataFrame
    recommendations: Iterable[Recommendation]
    verdicts: dict[str, str]
    machine: Mapping[str, Any]
    plan: Mapping[str, Any]


def measured_run(name: str, tables: Tables, ours: Mapping[str, Any]) -> MachineRun:
    """A run from its tables; `ours` is the experiment of this one, as in its plan."""
    experiment = tables.plan["experiment"]
    api = experiment["transforms_api"] == ours["transforms_api"]
    theirs, known = experiment["conditions"], ours["conditions"]
    other = tuple(
        each for each in theirs if each in known and not (api and theirs[each] == known[each])
    )
    device = tables.plan["cells"][0]["specification"]["device"]["name"]
    return MachineRun(
        name=f"{name} (emulated)" if device == "emulated" else name,
        machine=f"{machine_in_words(tables.machine)}; training on the device {device}",
        measured=str(tables.repetitions["started_at"].min())[:10],
        throughput={
            condition: own
            for condition, own in throughput_of(tables.repetitions).items()
            if condition not in other
        },
        recommended={
            each.condition: each.workers if each.proven else None
            for each in tables.recommendations
            if each.condition not in other
        },
        verdicts=tables.verdicts,
        other_conditions=other,
        differences=tuple(_differences(experiment, ours)),
    )


def _differences(theirs: Mapping[str, Any], ours: Mapping[str, Any]) -> Iterator[str]:
    for key, words in COMPARED_SETTINGS.items():
        section, name = key.split(".")
        if theirs[section][name] != ours[section][name]:
            yield f"{words}: {theirs[section][name]:,} in place of {ours[section][name]:,}"


def throughput_of(repetitions: pd.DataFrame) -> Throughput:
    """Medians by condition and workers, of settings that differ only in their workers."""
    family = worker_families(comparable(repetitions))
    keys = ["condition", "num_workers"]
    medians = family.groupby(keys, sort=False, as_index=False)["warm_images_per_second"].median()
    found: Throughput = {}
    for condition, workers, median in medians.to_numpy().tolist():
        found.setdefault(condition, {})[workers] = median
    return {condition: dict(sorted(own.items())) for condition, own in found.items()}


def published_runs(published: Mapping[str, Any]) -> list[MachineRun]:
    """The articles' own sweeps over workers, from the tables that print warm throughput."""
    runs = []
    for name, article in published["articles"].items():
        throughput: Throughput = {}
        for table in published["tables"]:
            columns = list(table["columns"])
            needed = ("num_workers", "warm_images_per_second")
            condition = (table["measured"] or {"where": {}})["where"].get("condition")
            if table["article"] == name and condition and set(needed) <= set(columns):
                workers, images = map(columns.index, needed)
                throughput.setdefault(condition, {}).update(
                    (row[workers], float(row[images]))
                    for row in table["rows"]
                    if row[images] is not None
                )
        if throughput:
            machine, day = article["machine"], article["date"]
            runs.append(MachineRun(f"article {name}", machine, day, throughput))
    return runs
