"""The values that a selection of a claim finds in the evidence."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from feedrate.claims.evidence import FACTS, TRUTH, Evidence
from feedrate.claims.grammar import Cells, Growth, Least, Runs, SweepCell
from feedrate.claims.metrics import METRICS, Metric
from feedrate.wording import counted_workers

Round = tuple[str, int]
"""Session and number: rounds of the same number in two sessions have nothing in common."""

FIRST_WARM_EPOCH = 2

EVERY_SETTING = ("batch_size", "pin_memory")
WORKER_SETTINGS = ("prefetch_factor", "persistent_workers")


class NoData(Exception):
    """Nothing to evaluate; the message says why."""


@dataclass(frozen=True)
class Sample:
    """Values of one metric, by round, and in words what was selected.

    `rounds` says whether they are repetitions; otherwise it is one observation.
    """

    values: Mapping[Round, float]
    rounds: bool
    text: str


def sample(cells: Cells, evidence: Evidence) -> Sample:
    """The values of `cells`, in the unit of their metric; NoData says what is missing."""
    metric = METRICS[cells.metric]
    match metric.scope:
        case "cell":
            return _cell_sample(cells, metric, evidence)
        case _:
            return _loaderless_sample(cells, metric, evidence)


def throughputs(condition: str, evidence: Evidence) -> dict[int, dict[int, float]]:
    """Warm images per second of `condition`: workers -> round -> value, in the widest sweep."""
    rows = _sweep(condition, {}, evidence)
    values = {
        workers: _by_round(rows[rows["num_workers"] == workers], "warm_images_per_second")
        for workers in _counts(rows)
    }
    rounds = sorted({each for by_round in values.values() for each in by_round})
    number = {each: index for index, each in enumerate(rounds, start=1)}
    return {
        workers: {number[each]: value for each, value in by_round.items()}
        for workers, by_round in values.items()
    }


def worker_count(cell: SweepCell, evidence: Evidence) -> int:
    """The number of workers that `cell` names; NoData where the machine doesn't tell it."""
    return _workers(cell.num_workers, _sweep(cell.condition, {}, evidence), evidence.facts)


def no_cells(text: str, count: Any, measured: Iterable[int]) -> NoData:
    """That what `text` says has no cells; `count` is the number of workers as the claim puts it."""
    named = "" if isinstance(count, int) else f" ({_in_claim(count)})"
    numbers = ", ".join(map(str, measured))
    return NoData(f"no cells for condition {text}{named}; worker counts measured: {numbers}")


def runs(selected: Runs, evidence: Evidence) -> list[float]:
    """The resource in each instrumented run of `selected`, in the unit of its metric."""
    metric = METRICS[selected.metric]
    rows = _where(evidence.resources, arm=metric.arm)
    if selected.condition:
        rows = _where(rows, condition=selected.condition)
    if not rows.empty:
        rows = rows[rows["num_workers"] > selected.workers_above]
    if rows.empty:
        where = f" of {selected.condition}" if selected.condition else ""
        raise NoData(
            f"no instrumented run{where} with more than {counted_workers(selected.workers_above)}"
        )
    cells = rows.groupby(["condition", "settings"], sort=False)
    values = [_combined(group, metric) for _, group in cells]
    known = [value for value in values if value is not None]
    if not known:
        raise NoData(f"{metric.meaning} isn't reported on this machine")
    return known


def growth(selected: Growth, evidence: Evidence) -> dict[int, float]:
    """The memory in each warm epoch of the leak arm, in MiB: epoch -> value."""
    metric = METRICS[selected.metric]
    rows = _where(evidence.resources, arm="leak", condition=selected.condition)
    if rows.empty:
        raise NoData(f"no run of many epochs (arm leak) of condition {selected.condition}")
    if rows["settings"].nunique() > 1:
        raise NoData(f"several settings have a run of many epochs of {selected.condition}")
    warm = rows[rows["epoch"] >= FIRST_WARM_EPOCH].dropna(subset=[metric.column])
    return {
        int(epoch): float(value)
        for epoch, value in zip(warm["epoch"], warm[metric.column], strict=True)
    }


def known_number(name: str, facts: Mapping[str, Any]) -> float:
    """The fact `name` as a number, 1 and 0 for true and false; NoData where it is unknown."""
    value = facts.get(name)
    if value is None:
        what = FACTS[name].meaning
        what = what if FACTS[name].unit == TRUTH else f"the number behind {name} ({what})"
        raise NoData(f"{what} is unknown here")
    return float(value)


# --- by scope -------------------------------------------------------------------------------------


def _cell_sample(cells: Cells, metric: Metric, evidence: Evidence) -> Sample:
    stated = _stated(cells)
    sweep = _sweep(str(cells.condition), stated, evidence)
    workers = _workers(cells.num_workers, sweep, evidence.facts)
    chosen = sweep[sweep["num_workers"] == workers]
    text = ", ".join(
        [
            f"{cells.condition} with {counted_workers(workers)}",
            *(f"{setting} {level}" for setting, level in stated.items()),
        ]
    )
    if chosen.empty:
        raise no_cells(text, cells.num_workers, _counts(sweep))
    if chosen["settings"].nunique() > 1:
        raise NoData(f"several settings fit {text}: {', '.join(sorted(set(chosen['settings'])))}")
    if metric.table == "repetitions":
        return Sample(_complete(_by_round(chosen, metric.column), metric, text), True, text)
    slug = chosen["settings"].iloc[0]
    table = evidence.ceilings if metric.table == "ceilings" else evidence.resources
    rows = _where(table, arm=metric.arm, condition=cells.condition, settings=slug)
    if rows.empty:
        raise NoData(f"the arm {metric.arm} has no cells for {text}")
    if metric.table == "ceilings":
        return Sample(_complete(_by_round(rows, metric.column), metric, text), True, text)
    value = _combined(rows, metric)
    if value is None:
        raise NoData(f"{metric.meaning} isn't reported for {text}")
    return Sample({("", 1): value}, False, text)


def _loaderless_sample(cells: Cells, metric: Metric, evidence: Evidence) -> Sample:
    rows = _where(evidence.ceilings, arm=metric.arm)
    text = cells.condition or "any condition"
    if cells.condition:
        rows = _where(rows, condition=cells.condition)
    size = cells.batch_size or _widest(evidence.repetitions, "batch_size")
    text += f", batch_size {size}" if cells.batch_size else ""
    rows = _where(rows, batch_size=size)
    if rows.empty:
        raise NoData(f"the arm {metric.arm} has no cells for {text}")
    return Sample(_complete(_by_round(rows, metric.column), metric, text), True, text)


# --- settings that are left open ------------------------------------------------------------------


def _sweep(condition: str, stated: Mapping[str, Any], evidence: Evidence) -> pd.DataFrame:
    """The rows of the condition with the settings stated, and else those of the widest sweep."""
    rows = _where(evidence.repetitions, condition=condition)
    if rows.empty:
        known = evidence.repetitions.get("condition", pd.Series(dtype=str)).unique()
        raise NoData(
            f"no cells for condition {condition}; measured: "
            f"{', '.join(sorted(map(str, known))) or 'none'}"
        )
    for setting in (*EVERY_SETTING, *WORKER_SETTINGS):
        # Without workers these settings are left out, so that nothing can be told by them.
        free = rows["num_workers"] == 0 if setting in WORKER_SETTINGS else False
        level = stated[setting] if setting in stated else _widest(rows, setting)
        if level is None:
            continue
        rows = rows[free | (rows[setting] == level).fillna(False).astype(bool)]
        if rows.empty:
            raise NoData(f"no cells for condition {condition} with {setting} {level}")
    return rows


def _widest(rows: pd.DataFrame, setting: str) -> Any:
    """The level of `setting` with the most worker counts; None if the rows have no level."""
    if rows.empty:
        return None
    counts = rows[rows[setting].notna()]
    if setting in WORKER_SETTINGS:
        counts = counts[counts["num_workers"] > 0]
    widths = {level: group["num_workers"].nunique() for level, group in counts.groupby(setting)}
    widest = [level for level, width in widths.items() if width == max(widths.values())]
    if len(widest) > 1:
        raise NoData(
            f"{setting} is left open and {' and '.join(map(str, widest))} have equally many "
            "worker counts; the claim must name one"
        )
    return widest[0] if widest else None


def _stated(cells: Cells) -> dict[str, Any]:
    levels = {key: getattr(cells, key) for key in (*EVERY_SETTING, *WORKER_SETTINGS)}
    return {setting: level for setting, level in levels.items() if level is not None}


# --- how many workers -----------------------------------------------------------------------------


def _workers(count: Any, sweep: pd.DataFrame, facts: Mapping[str, Any]) -> int:
    match count:
        case "best":
            medians = sweep.groupby("num_workers")["warm_images_per_second"].median()
            return max(map(int, medians.index), key=medians.__getitem__)
        case "most":
            return int(sweep["num_workers"].max())
    return cores(count, facts)


def _in_claim(count: Any) -> str:
    return f"least_of: {count.least_of}" if isinstance(count, Least) else str(count)


def cores(count: Any, facts: Mapping[str, Any]) -> int:
    """A number, the fact of that name, or the least of several; NoData where it is unknown."""
    match count:
        case int():
            return count
        case Least(least_of=several):
            return min(cores(each, facts) for each in several)
    return int(known_number(count, facts))


def _counts(rows: pd.DataFrame) -> list[int]:
    return sorted({int(each) for each in rows["num_workers"]})


# --- tables ---------------------------------------------------------------------------------------


def _where(table: pd.DataFrame, **equal: Any) -> pd.DataFrame:
    for column, value in equal.items():
        if table.empty:
            return table
        table = table[table[column] == value]
    return table


def _by_round(rows: pd.DataFrame, column: str) -> dict[Round, float]:
    """Session and repetition -> value; ceilings, which have no session, have an empty one."""
    sessions = rows["session"].fillna("") if "session" in rows else [""] * len(rows)
    return {
        (str(session), int(repetition)): float(value)
        for session, repetition, value in zip(
            sessions, rows["repetition"], rows[column], strict=True
        )
        if pd.notna(value)
    }


def _complete(values: dict[Round, float], metric: Metric, text: str) -> dict[Round, float]:
    if not values:
        raise NoData(f"{metric.meaning} has no value for {text}")
    return values


def _combined(rows: pd.DataFrame, metric: Metric) -> float | None:
    if metric.combine == "warm median":
        rows = rows[rows["epoch"] >= FIRST_WARM_EPOCH]
    values = rows[metric.column].dropna().astype(float)
    if values.empty:
        return None
    return float(values.max() if metric.combine == "peak" else values.median())
