"""What to do, condition by condition: a call to paste, why, and what it costs."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from feedrate.analysis.folk_rules import RuleScore, predictions, score
from feedrate.analysis.recommendation import HELP, NOT_COMPARED
from feedrate.analysis.samples import Throughputs, throughputs, worker_family
from feedrate.analysis.tables import comparable, settings_in
from feedrate.statistics.comparison import Comparison, compare
from feedrate.statistics.intervals import MedianInterval, median_interval
from feedrate.statistics.plateau import Plateau, plateau, rounds_to_prove


@dataclass(frozen=True)
class Payback:
    """Epochs by which the workers have paid back their start, against fewer of them.

    `epochs` is None if they never do; `saved_seconds` is how much shorter a warm epoch is.
    """

    against_workers: int
    epochs: int | None
    saved_seconds: float


@dataclass(frozen=True)
class Cost:
    """The memory that the workers of a setting take, in MiB; None where it was not measured."""

    worker_memory_mib: float | None
    workers_memory_mib: float | None
    shared_memory_mib: float | None


@dataclass(frozen=True)
class Advice:
    """The recommendation for a condition.

    `workers` is the smallest number that is proven to be near the best; where none is, `proven`
    is False and it is the one with the best estimate, for the time being. `gain` compares it (or
    the best number above none) with loading without workers. `more_rounds` would prove what the
    estimates say. `paybacks` are against none and against the next smaller number; `start_seconds`
    is how much longer the first epoch takes than a warm one, which without `persistent` workers
    every epoch pays.
    """

    condition: str
    device: str
    workers: int
    proven: bool
    more_rounds: int | None
    throughput: MedianInterval | None
    plateau: Plateau | None
    compared_workers: int | None
    gain: Comparison | None
    help: str
    call: str
    cost: Cost
    paybacks: tuple[Payback, ...]
    start_seconds: float
    persistent: bool
    rules: tuple[RuleScore, ...]


def advise(
    repetitions: pd.DataFrame,
    bottlenecks: pd.DataFrame,
    resources: pd.DataFrame,
    machine: Mapping[str, Any],
) -> Iterator[Advice]:
    """An Advice per condition of a repetition table, in its order."""
    for condition, rows in comparable(repetitions).groupby("condition", sort=False):
        family = worker_family(rows)
        measured = throughputs(family)
        found = plateau(measured)
        workers, proven = _recommended(measured, found)
        own = family[family["num_workers"] == workers]
        compared, gain = _gain(measured, workers)
        device = str(own["device"].iloc[0])
        yield Advice(
            condition=str(condition),
            device=device,
            workers=workers,
            proven=proven,
            more_rounds=rounds_to_prove(measured),
            throughput=median_interval(own["warm_images_per_second"].tolist()),
            plateau=found,
            compared_workers=compared,
            gain=gain,
            help=HELP[gain.verdict] if gain else NOT_COMPARED,
            call=settings_in(own.iloc[0].to_dict()).call,
            cost=_cost(resources, str(condition), str(own["settings"].iloc[0])),
            paybacks=tuple(_paybacks(family, workers)),
            start_seconds=_start_seconds(own),
            persistent=bool(own["persistent_workers"].iloc[0]),
            rules=_rules(_of_family(bottlenecks, family), machine, device, found),
        )


def _recommended(measured: Throughputs, found: Plateau | None) -> tuple[int, bool]:
    if found and found.smallest_proven is not None:
        return found.smallest_proven, True
    if found:
        return found.best, False
    medians = {
        workers: float(pd.Series(by_round).median()) for workers, by_round in measured.items()
    }
    return max(medians, key=medians.__getitem__), False


def _gain(measured: Throughputs, workers: int) -> tuple[int | None, Comparison | None]:
    """The recommended number, or else the best one above none, against none."""
    with_workers = {count: by_round for count, by_round in measured.items() if count}
    if 0 not in measured or not with_workers:
        return None, None
    medians = {count: float(pd.Series(each).median()) for count, each in with_workers.items()}
    compared = workers or max(medians, key=medians.__getitem__)
    rounds = sorted(measured[0].keys() & measured[compared].keys())
    return compared, compare(
        [measured[compared][each] for each in rounds], [measured[0][each] for each in rounds]
    )


def _cost(resources: pd.DataFrame, condition: str, settings: str) -> Cost:
    own = resources[
        (resources["arm"] == "instrumented")
        & (resources["condition"] == condition)
        & (resources["settings"] == settings)
    ]

    def peak(column: str) -> float | None:
        known = own[column].dropna()
        return float(known.max()) if len(known) else None

    return Cost(peak("worker_memory_mib"), peak("workers_memory_mib"), peak("shared_memory_mib"))


def _paybacks(family: pd.DataFrame, workers: int) -> Iterator[Payback]:
    """Against loading without workers, and against the next smaller number of them."""
    by_workers = family.groupby("num_workers")
    first: dict[Any, float] = by_workers["first_epoch_seconds"].median().to_dict()
    warm: dict[Any, float] = by_workers["warm_epoch_seconds"].median().to_dict()
    fewer = sorted(int(count) for count in first if count < workers)
    for count in dict.fromkeys([*fewer[:1], *fewer[-1:]]):
        yield payback(count, first[workers], warm[workers], first[count], warm[count])


def payback(
    against_workers: int, first: float, warm: float, first_fewer: float, warm_fewer: float
) -> Payback:
    """The epoch by which more workers have taken no more time in all than `against_workers`.

    Seconds of a first and of a warm epoch, with more and with fewer workers.
    """
    saved, behind = warm_fewer - warm, first - first_fewer
    if behind <= 0:
        epochs: int | None = 1
    else:
        epochs = 1 + math.ceil(behind / saved) if saved > 0 else None
    return Payback(against_workers, epochs, saved)


def _start_seconds(rows: pd.DataFrame) -> float:
    return float((rows["first_epoch_seconds"] - rows["warm_epoch_seconds"]).median())


def _of_family(bottlenecks: pd.DataFrame, family: pd.DataFrame) -> pd.DataFrame:
    condition, settings = family["condition"].iloc[0], family["settings"].unique()
    names = bottlenecks["condition"] + "/" + bottlenecks["settings"]
    chosen: pd.DataFrame = bottlenecks[names.isin([f"{condition}/{each}" for each in settings])]
    return chosen


def _rules(
    bottlenecks: pd.DataFrame, machine: Mapping[str, Any], device: str, found: Plateau | None
) -> tuple[RuleScore, ...]:
    if found is None:
        return ()
    own = bottlenecks[bottlenecks["num_workers"] == 0]
    loader, step = (float(own[each].iloc[0]) if len(own) else None for each in ("loader", "step"))
    return tuple(score(each, found) for each in predictions(machine, device, loader, step))
