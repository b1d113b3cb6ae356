"""The ledger: a verdict for each claim, with its numbers."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from feedrate.claims.evidence import TRUTH, Evidence
from feedrate.claims.grammar import RATIO, Bound
from feedrate.claims.language import Estimate, NotTestable, evaluate
from feedrate.claims.model import Claim, Published
from feedrate.claims.requirements import unmet
from feedrate.claims.selection import NoData, known_number

Verdict = Literal["reproduced", "contradicted", "undecided", "not testable here"]
Inside = Literal["yes", "no", "n.a."]


@dataclass(frozen=True)
class Entry:
    """A line of the ledger.

    `published` is what the article prints, `published_on` its machine. `reason` is the verdict's
    reason in a sentence, with numbers. `estimate`, `low` and `high` are in `unit`, None where
    unknown; `interval` says what the interval rests on, `coverage` how often such an interval
    holds the true value. `published_in_interval` says whether the published size does lie, or a
    published range reaches, in the measured interval.
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


def ledger(claims: Iterable[Claim], evidence: Evidence) -> list[Entry]:
    """An entry per claim, in their order."""
    return [judge(claim, evidence) for claim in claims]


def judge(claim: Claim, evidence: Evidence) -> Entry:
    """The verdict on `claim` by `evidence`.

    Reproduced is an interval wholly inside the bound of `holds`, contradicted one wholly outside,
    and anything else is undecided. A fact, and a resource that was observed once, count by their
    value. What the machine can't show, or has no cells for, is not testable here.
    """
    missing = list(filter(None, (unmet(each, evidence) for each in claim.requires)))
    if missing:
        return _entry(claim, "not testable here", _sentence("; ".join(missing)))
    if claim.compare is None or claim.holds is None:
        raise ValueError(f"claim {claim.id} has nothing to evaluate")
    estimate = evaluate(claim.compare, evidence, claim.holds.equivalent_within is not None)
    if isinstance(estimate, NotTestable):
        return _entry(claim, "not testable here", _sentence(estimate.reason))
    try:
        low, high = _limits(claim.holds, estimate.unit, evidence.facts)
    except NoData as unknown:
        return _entry(claim, "not testable here", _sentence(str(unknown)))
    verdict = decide(claim.holds, low, high, estimate)
    reason = f"{_measured(estimate)} {_bound_text(claim.holds, low, high, estimate.unit)}"
    return _entry(claim, verdict, reason, estimate)


def _entry(claim: Claim, verdict: Verdict, reason: str, found: Estimate | None = None) -> Entry:
    entry = Entry(
        id=claim.id,
        article=claim.article,
        place=claim.place,
        claim=claim.claim,
        published=claim.published.printed if claim.published else None,
        published_on=claim.published_on,
        verdict=verdict,
        reason=reason,
        note=claim.note,
    )
    if found is None:
        return entry
    return replace(
        entry,
        estimate=found.estimate,
        low=found.low,
        high=found.high,
        unit=found.unit,
        interval=found.basis,
        coverage=found.coverage,
        rounds=found.rounds,
        published_in_interval=_inside(claim.published, found),
    )


# --- verdicts -------------------------------------------------------------------------------------


def _limits(bound: Bound, unit: str, facts: Mapping[str, Any]) -> tuple[float, float]:
    """The bound from its lower to its upper limit, infinite where it has none."""

    def number(limit: float | str) -> float:
        return known_number(limit, facts) if isinstance(limit, str) else float(limit)

    match bound:
        case Bound(above=limit) if limit is not None:
            return number(limit), math.inf
        case Bound(below=limit) if limit is not None:
            return -math.inf, number(limit)
        case Bound(between=(low, high)):
            return low, high
        case Bound(equivalent_within=float() as margin):
            return (1 / (1 + margin), 1 + margin) if unit == RATIO else (-margin, margin)
        case Bound(equals=limit) if limit is not None:
            return number(limit), number(limit)
    raise ValueError(f"no bound: {bound}")


def decide(bound: Bound, low: float, high: float, found: Estimate) -> Verdict:
    """The verdict on an estimate by `bound`, which goes from `low` to `high` in its unit."""
    start, end = found.low, found.high
    if start is None or end is None:
        if not found.certain:
            return "undecided"
        start = end = found.estimate
    if bound.key in ("above", "below"):  # these exclude their limit
        inside = low < start and end < high
        outside = end <= low or start >= high
    else:
        inside = low <= start and end <= high
        outside = end < low or start > high
    return "reproduced" if inside else "contradicted" if outside else "undecided"


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


def _measured(found: Estimate) -> str:
    subject = found.subject[0].upper() + found.subject[1:]
    if found.basis == "read off":
        return f"{subject}: {_quantity(found.estimate, found.unit)}."
    detail = found.basis
    if found.low is not None and found.high is not None:
        span = f"{_number(found.low)} to {_number(found.high)}"
        kind = "" if found.coverage is None else f"{100 * found.coverage:.3g} % interval "
        detail = f"{kind}{span}, {found.basis}"
    elif not found.certain:
        detail = f"{found.basis}, which gives no interval"
    return f"{subject}: {_quantity(found.estimate, found.unit)} ({detail})."


def _bound_text(bound: Bound, low: float, high: float, unit: str) -> str:
    match bound.key:
        case "above":
            return f"The claim holds above {_quantity(low, unit)}."
        case "below":
            return f"The claim holds below {_quantity(high, unit)}."
        case "equals":
            return f"The claim holds for {_quantity(low, unit)}."
    return f"The claim holds from {_number(low)} to {_quantity(high, unit)}."


def _quantity(value: float, unit: str) -> str:
    if unit == TRUTH:
        return "true" if value else "false"
    return f"{_number(value)} {unit}"


def _number(value: float) -> str:
    if float(value).is_integer() or abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.4g}"


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."
