"""The ledger: a verdict for each claim, with its numbers."""

import math
from dataclasses import dataclass, replace
from typing import Literal

from feedrate.claims.bounds import Region, Verdict
from feedrate.claims.evidence import TRUTH, Evidence, NoData
from feedrate.claims.model import Claim, ClaimsFile, Published
from feedrate.claims.operators.operator import Estimate
from feedrate.claims.requirements import unmet
from feedrate.statistics.comparison import CONFIDENCE, TWO_ONE_SIDED

Inside = Literal["yes", "no", "n.a."]


@dataclass(frozen=True)
class Entry:
    """A line of the ledger.

    `published` is what the article prints, `published_on` its machine. `reason` is the verdict's
    reason in a sentence, with numbers. `estimate`, `low` and `high` are in `unit`, None where
    unknown; `interval` says what the interval rests on, `coverage` how often such an interval
    holds the true value. `published_in_interval` says whether the published size lies in the
    measured interval, or a published range overlaps it.
    """

    id: str
    article: str
    place: str
    claim: str
    published: str | None
    published_on: str | None
    verdict: Verdict
    reason: str
    estimate: float | None = None
    low: float | None = None
    high: float | None = None
    unit: str | None = None
    interval: str | None = None
    coverage: float | None = None
    rounds: int | None = None
    published_in_interval: Inside = "n.a."
    note: str | None = None


def ledger(claims: ClaimsFile, evidence: Evidence) -> list[Entry]:
    """An entry per claim, in their order; `published_on` is the article's machine by default."""
    return [
        replace(
            judge(claim, evidence),
            published_on=claim.published_on or claims.articles[claim.article].machine,
        )
        for claim in claims.claims
    ]


def judge(claim: Claim, evidence: Evidence) -> Entry:
    """The verdict on `claim` by `evidence`.

    Reproduced if the interval is wholly inside the bound of `holds`, contradicted if it is wholly
    outside, undecided otherwise. A fact, and a resource that was observed once, count by their
    value. What the machine can't show, or has no cells for, is not testable here.
    """
    missing = list(filter(None, (unmet(each, evidence) for each in claim.requires)))
    if missing:
        return _untested(claim, "; ".join(missing))
    if claim.compare is None or claim.holds is None:
        raise ValueError(f"claim {claim.id} has nothing to evaluate")
    operator, bound = claim.compare.operator, claim.holds
    confidence = TWO_ONE_SIDED if bound.key == "equivalent_within" else CONFIDENCE
    try:
        found = operator.evaluate(evidence, confidence)
        region = bound.region(operator.unit, evidence.facts)
    except NoData as reason:
        return _untested(claim, str(reason))
    return replace(
        _untested(claim, ""),
        verdict=region.verdict(found),
        reason=f"{_measured(found, operator.unit)} {_where_it_holds(region, operator.unit)}",
        estimate=found.estimate,
        low=found.low,
        high=found.high,
        unit=operator.unit,
        interval=found.rests_on,
        coverage=found.coverage,
        rounds=found.rounds,
        published_in_interval=_inside(claim.published, found),
    )


def _untested(claim: Claim, reason: str) -> Entry:
    return Entry(
        id=claim.id,
        article=claim.article,
        place=claim.place,
        claim=claim.claim,
        published=claim.published.printed if claim.published else None,
        published_on=claim.published_on,
        verdict="not testable here",
        reason=f"{reason[:1].upper()}{reason[1:]}.",
        note=claim.note,
    )


def _inside(published: Published | None, found: Estimate) -> Inside:
    if published is None or published.value is None:
        return "n.a."
    size = published.value
    low, high = size if isinstance(size, tuple) else (float(size), float(size))
    if found.low is None or found.high is None:
        if low == high or not found.certain:
            return "n.a."  # one observation hits no number exactly
        return "yes" if low <= found.estimate <= high else "no"
    return "yes" if low <= found.high and found.low <= high else "no"


# --- in words -------------------------------------------------------------------------------------


def _measured(found: Estimate, unit: str) -> str:
    value = f"{found.subject[0].upper()}{found.subject[1:]}: {_quantity(found.estimate, unit)}"
    if found.low is None or found.high is None:
        without = "" if found.certain else ", which gives no interval"
        return f"{value} ({found.rests_on}{without})."
    if found.certain:
        return f"{value}."
    kind = "" if found.coverage is None else f"{100 * found.coverage:.3g} % interval "
    span = f"{_number(found.low)} to {_number(found.high)}"
    return f"{value} ({kind}{span}, {found.rests_on})."


def _where_it_holds(region: Region, unit: str) -> str:
    if region.low == region.high:
        return f"The claim holds for {_quantity(region.low, unit)}."
    if math.isinf(region.high):
        return f"The claim holds above {_quantity(region.low, unit)}."
    if math.isinf(region.low):
        return f"The claim holds below {_quantity(region.high, unit)}."
    return f"The claim holds from {_number(region.low)} to {_quantity(region.high, unit)}."


def _quantity(value: float, unit: str) -> str:
    if unit == TRUTH:
        return "true" if value else "false"
    return f"{_number(value)} {unit}"


def _number(value: float) -> str:
    if float(value).is_integer() or abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.4g}"
