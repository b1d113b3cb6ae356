"""Rules of thumb for the number of workers, scored against what was measured."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from feedrate.statistics.plateau import Plateau


@dataclass(frozen=True)
class Prediction:
    """What a rule says; `workers` is None where it doesn't apply, for the `reason`."""

    rule: str
    workers: int | None
    reason: str


@dataclass(frozen=True)
class RuleScore:
    """A prediction, the nearest measured number of workers, and how that did.

    `ratio`, `low` and `high` are its throughput over that of the best other number, with the
    bounds that `plateau` proves and excludes by.
    """

    prediction: Prediction
    tested: int | None
    ratio: float | None
    low: float | None
    high: float | None
    verdict: str


def predictions(
    machine: Mapping[str, Any],
    device: str,
    loader_without_workers: float | None,
    step: float | None,
) -> Iterator[Prediction]:
    """What the rules say here; throughputs are in images per second, None where not measured.

    min(8, physical cores) is article B's, which warns against counting logical ones; four per GPU
    is common advice without a source; with ceil(t_load / t_step) workers, a pipeline of loading
    and training keeps pace with the step.
    """
    trains_on_gpu = device != "cpu"
    yield Prediction(
        "4 per GPU",
        4 if trains_on_gpu else None,
        "one GPU trains" if trains_on_gpu else "no GPU trains here",
    )
    physical, logical = machine["physical_cores"], machine["logical_cores"]
    yield Prediction(
        "min(8, physical cores)",
        None if physical is None else min(8, physical),
        "physical cores unknown" if physical is None else f"{physical} physical cores",
    )
    yield Prediction("logical cores", logical, f"{logical} logical cores")
    if loader_without_workers and step:
        yield Prediction(
            "ceil(t_load / t_step)",
            math.ceil(step / loader_without_workers),
            f"one process loads {loader_without_workers:,.0f} images/s, the step takes {step:,.0f}",
        )
    else:
        yield Prediction("ceil(t_load / t_step)", None, "the ceilings were not measured")


def score(prediction: Prediction, found: Plateau) -> RuleScore:
    """How the nearest measured number of workers (the smaller of two) does against the best."""
    if prediction.workers is None:
        return RuleScore(prediction, None, None, None, None, "not applicable")
    wanted = prediction.workers
    tested = min(found.over_best_other, key=lambda workers: (abs(workers - wanted), workers))
    if tested in found.proven:
        verdict = "near the best"
    elif tested not in found.not_excluded:
        verdict = "too few" if tested < found.best else "too many"
    else:
        verdict = "undecided"
    return RuleScore(prediction, tested, *found.over_best_other[tested], verdict)
