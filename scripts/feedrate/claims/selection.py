"""The values that a selection of a claim finds in the evidence."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Self

import pandas as pd
from pydantic import create_model, model_validator

from feedrate.analysis.samples import widest_families, worker_family
from feedrate.claims.evidence import Evidence, NoData
from feedrate.claims.grammar import Count, Least, known, number_of
from feedrate.claims.metrics import METRICS, Metric
from feedrate.configuration.factors import FACTORS
from feedrate.configuration.mistakes import allowed
from feedrate.configuration.model import Name, Section
from feedrate.planning.records import FIRST_WARM_EPOCH
from feedrate.wording import counted_workers

SETTINGS = tuple(factor for factor in FACTORS if factor.name != "num_workers")
"""What a claim may say of a loader besides its number of workers."""

MetricName = Annotated[str, known(METRICS, "a metric")]

Round = tuple[str, int]
"""Group and number: rounds of the same number in two groups have nothing in common."""


class _Cells(Section):
    """A metric of one condition and settings; settings left open are those of the widest sweep."""

    metric: MetricName
    condition: Name | None = None
    num_workers: Count | None = None

    @model_validator(mode="after")
    def _fits_the_metric(self) -> Self:
        keys = METRICS[self.metric].keys
        if keys is None:
            possible = set(type(self).model_fields)
            needed = {"condition", "num_workers"}
        else:
            possible = {"metric", *keys}
            needed = possible & {"condition"}
        problems = [f"needs {key}" for key in sorted(needed - self.model_fields_set)]
        problems += [f"doesn't depend on {key}" for key in sorted(self.model_fields_set - possible)]
        if problems:
            raise ValueError(f"{self.metric} {', '.join(problems)}; {allowed('', possible)}")
        return self

    @property
    def what(self) -> Metric:
        return METRICS[self.metric]

    @property
    def stated(self) -> dict[str, Any]:
        """The settings that the claim names, without the number of workers."""
        levels = {factor: getattr(self, factor.name) for factor in SETTINGS}
        return {
            factor.name: factor.resolve(level)
            for factor, level in levels.items()
            if level is not None
        }


if TYPE_CHECKING:
    Cells = _Cells
else:
    Cells = create_model(
        "Cells",
        __base__=_Cells,
        __doc__=_Cells.__doc__,
        **{factor.name: (factor.level | None, None) for factor in SETTINGS},
    )


@dataclass(frozen=True)
class Sample:
    """Values of one metric, by round; `text` says in words what was selected.

    `repeated` says whether they are repetitions; otherwise there is one observation.
    """

    values: Mapping[Round, float]
    repeated: bool
    text: str


def sample(cells: Cells, evidence: Evidence) -> Sample:
    """The values of `cells`, in the unit of their metric; NoData says what is missing."""
    return _of_loader(cells, evidence) if cells.what.keys is None else _loaderless(cells, evidence)


def sweep(condition: str, stated: Mapping[str, Any], evidence: Evidence) -> pd.DataFrame:
    """The repetitions of the widest sweep over workers of a condition, with the settings stated."""
    rows = where(evidence.repetitions, condition=condition)
    if rows.empty:
        every = sorted(set(map(str, evidence.repetitions.get("condition", []))))
        raise NoData(f"no cells for condition {condition}; measured: {', '.join(every) or 'none'}")
    for factor in SETTINGS:
        if factor.name in stated:
            level = stated[factor.name]
            rows = rows[
                (rows[factor.name] == level).fillna(False).astype(bool)
                | (factor.needs_workers & (rows["num_workers"] == 0))
            ]
            if rows.empty:
                raise NoData(f"no cells for condition {condition} with {factor.name} {level}")
    first, *others = widest_families(rows)
    if others:
        raise NoData(
            f"{1 + len(others)} sweeps of {condition} have equally many worker counts, with "
            f"another {' and '.join(_differing([first, *others]))}; the claim must say which"
        )
    return first


def no_cells(text: str, count: Any, measured: Iterable[int]) -> NoData:
    """The error that `text` has no cells; `count` is the number of workers as the claim has it."""
    named = f"least_of: {count.least_of}" if isinstance(count, Least) else str(count)
    named = "" if isinstance(count, int) else f" ({named})"
    numbers = ", ".join(map(str, sorted({int(each) for each in measured})))
    return NoData(f"no cells for condition {text}{named}; worker counts measured: {numbers}")


def where(table: pd.DataFrame, **equal: Any) -> pd.DataFrame:
    """The rows with these values; a table without rows may lack the columns."""
    for column, value in equal.items():
        if len(table):
            table = table[table[column] == value]
    return table


def warm(epochs: pd.DataFrame) -> pd.DataFrame:
    """The rows of the warm epochs."""
    return epochs[epochs["epoch"] >= FIRST_WARM_EPOCH]


def over_epochs(rows: pd.DataFrame, metric: Metric) -> float | None:
    """One number for the epochs of a resource; None where none is reported."""
    values = (rows if metric.is_peak else warm(rows))[metric.column].dropna().astype(float)
    if values.empty:
        return None
    return float(values.max() if metric.is_peak else values.median())


def _of_loader(cells: Cells, evidence: Evidence) -> Sample:
    metric, condition = cells.what, str(cells.condition)
    rows = sweep(condition, cells.stated, evidence)
    workers = number_of(cells.num_workers, rows["num_workers"], evidence.facts)
    stated = [f"{setting} {level}" for setting, level in cells.stated.items()]
    text = ", ".join([f"{condition} with {counted_workers(workers)}", *stated])
    chosen = where(rows, num_workers=workers)
    if chosen.empty:
        raise no_cells(text, cells.num_workers, rows["num_workers"])
    if metric.table == "repetitions":
        return _by_round(chosen, metric, text)
    table = evidence.ceilings if metric.table == "ceilings" else evidence.resources
    own = where(table, arm=metric.arm, condition=condition, settings=chosen["settings"].iloc[0])
    if own.empty:
        raise NoData(f"the arm {metric.arm} has no cells for {text}")
    if metric.table == "ceilings":
        return _by_round(own, metric, text)
    value = over_epochs(own, metric)
    if value is None:
        raise NoData(f"{metric.meaning} isn't reported for {text}")
    return Sample({("", 1): value}, False, text)


def _loaderless(cells: Cells, evidence: Evidence) -> Sample:
    metric, size = cells.what, cells.stated.get("batch_size")
    text = (cells.condition or "any condition") + (f", batch_size {size}" if size else "")
    rows = where(evidence.ceilings, arm=metric.arm)
    rows = where(rows, condition=cells.condition) if cells.condition else rows
    if size is None and len(evidence.repetitions):
        size = worker_family(evidence.repetitions)["batch_size"].iloc[0]
    rows = where(rows, batch_size=size)
    if rows.empty:
        raise NoData(f"the arm {metric.arm} has no cells for {text}")
    return _by_round(rows, metric, text)


def _differing(families: Iterable[pd.DataFrame]) -> list[str]:
    """The settings in which sweeps over workers differ."""
    shown = pd.concat([own.nlargest(1, "num_workers") for own in families])
    return [each.name for each in SETTINGS if each.name in shown and shown[each.name].nunique() > 1]


def _by_round(rows: pd.DataFrame, metric: Metric, text: str) -> Sample:
    values = rows.dropna(subset=[metric.column])
    if values.empty:
        raise NoData(f"{metric.meaning} has no value for {text}")
    rounds = zip(values["group"].astype(str), values["repetition"].astype(int), strict=True)
    return Sample(dict(zip(rounds, values[metric.column].astype(float), strict=True)), True, text)
