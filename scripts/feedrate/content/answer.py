"""The answer in words and tables: what to use, on what evidence, and what rules of thumb say."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import pandas as pd

from feedrate.analysis.advice import Advice, Cost
from feedrate.analysis.recommendation import standing, times_none
from feedrate.analysis.samples import worker_families
from feedrate.content.comparison_tables import comparison_facts, more_rounds
from feedrate.content.thresholds import CONFIDENCE_PERCENT, TWO_ONE_SIDED_PERCENT
from feedrate.page.display import UNKNOWN, Table
from feedrate.statistics.plateau import Plateau
from feedrate.wording import machine_in_words


def advice_facts(advice: Sequence[Advice]) -> list[dict[str, Any]]:
    """The recommendation for each condition, as texts and counts for the prose."""
    return [_advice(each) for each in advice]


def _advice(advice: Advice) -> dict[str, Any]:
    throughput, gain = advice.throughput, advice.gain
    return {
        "condition": advice.condition,
        "workers": advice.workers,
        "proven": advice.proven,
        "more_rounds": advice.more_rounds,
        "call": advice.call,
        "help": advice.help,
        "throughput": throughput
        and {
            "median": f"{throughput.median:,.0f}",
            "low": f"{throughput.low:,.0f}",
            "high": f"{throughput.high:,.0f}",
            "coverage": f"{100 * throughput.coverage:.4g}",
        },
        "gain": gain and comparison_facts(gain) | {"compared": advice.compared_workers},
        "plateau": advice.plateau and plateau_facts(advice.plateau),
        "cost": _cost(advice.cost) if advice.workers else None,
        "paybacks": [
            {
                "against": each.against_workers,
                "epochs": each.epochs,
                "saved_seconds": f"{each.saved_seconds:.2f}",
            }
            for each in advice.paybacks
        ],
        "start": f"{advice.start_seconds:.2f}"
        if advice.workers and advice.start_seconds > 0
        else None,
        "persistent": advice.persistent,
    }


def plateau_facts(plateau: Plateau) -> dict[str, Any]:
    """A plateau's bounds; `proven` is None where no number is."""
    return {
        "from": plateau.smallest_not_excluded,
        "proven": plateau.smallest_proven,
        "declines_from": plateau.declines_from,
    }


def _cost(cost: Cost) -> dict[str, str] | None:
    """Each known cost in MiB; None where none is known."""
    mebibytes = asdict(cost)
    known = {key: f"{value:,.1f} MiB" for key, value in mebibytes.items() if value is not None}
    return dict.fromkeys(mebibytes, UNKNOWN) | known if known else None


def answer_table(advice: Sequence[Advice], bottlenecks: pd.DataFrame) -> Table:
    """A row per condition: the recommended number, the evidence for it, what bounds it."""
    return Table(
        name="answer",
        columns=[
            "condition", "workers", "standing", "times none", "do workers help?", "bottleneck",
            "images/s",
        ],
        rows=[
            [
                each.condition,
                str(each.workers),
                standing(each),
                times_none(each) or UNKNOWN,
                each.help,
                _bound_at(bottlenecks, each.condition, each.workers),
                f"{each.throughput.median:,.0f}" if each.throughput else UNKNOWN,
            ]
            for each in advice
        ],
        device=next((each.device for each in advice), None),
        values={
            "zero": any(each.workers == 0 for each in advice),
            "interval_percent": CONFIDENCE_PERCENT,
        },
    )  # fmt: skip


def _bound_at(bottlenecks: pd.DataFrame, condition: str, workers: int) -> str:
    """What bounds `condition` with this many workers, in its widest sweep."""
    own = worker_families(bottlenecks[bottlenecks["condition"] == condition])
    bounds = own.loc[own["num_workers"] == workers, "bound"]
    return str(bounds.iloc[0]) if len(bounds) else UNKNOWN


def byline(machine: Mapping[str, Any], device: str, repetitions: pd.DataFrame) -> str:
    """When it was measured, on what machine, and what trained."""
    days = sorted({str(started)[:10] for started in repetitions["started_at"]})
    when = " to ".join(dict.fromkeys([days[0], days[-1]]))
    return f"Measured {when} on {machine_in_words(machine)}; training on the device {device}"


def advice_table(advice: Sequence[Advice], near_percent: int) -> Table:
    """A row per condition: the interval in which the fewest workers near the best lie."""
    rows = []
    for each in advice:
        found = each.plateau
        if found is None:
            rows.append([each.condition, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN])
            continue
        proven, declines = found.smallest_proven, found.declines_from
        rows.append(
            [
                each.condition,
                str(found.best),
                str(found.smallest_not_excluded),
                "none" if proven is None else str(proven),
                "no decline shown" if declines is None else f"from {declines} on",
                "" if proven is not None else more_rounds(each.more_rounds),
            ]
        )
    return Table(
        name="plateaus",
        columns=[
            "condition", "best estimate", "smallest not excluded", "smallest proven",
            "beyond the peak", "rounds that might prove one",
        ],
        rows=rows,
        values={"near_percent": near_percent},
    )  # fmt: skip


def rule_table(advice: Sequence[Advice]) -> Table:
    """The rules of thumb, what they say here, and how that compares with the best."""
    rows = []
    for condition, each in [(own.condition, rule) for own in advice for rule in own.rules]:
        said = each.prediction.workers
        rows.append(
            [
                condition,
                each.prediction.rule,
                UNKNOWN if said is None else str(said),
                UNKNOWN if each.tested is None else str(each.tested),
                UNKNOWN
                if each.ratio is None
                else f"{each.ratio:.2f} [{each.low:.2f}–{each.high:.2f}]",
                each.verdict if said is not None else each.prediction.reason,
            ]
        )
    return Table(
        name="rules-of-thumb",
        columns=["condition", "rule", "says", "nearest measured", "over the best other", "verdict"],
        rows=rows,
        values={"interval_percent": TWO_ONE_SIDED_PERCENT},
    )
