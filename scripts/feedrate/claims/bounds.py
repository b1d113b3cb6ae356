"""Where a claim holds."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Discriminator, Field, Tag

from feedrate.claims.evidence import known_number
from feedrate.claims.grammar import FactName, OneOf, form
from feedrate.claims.operators.operator import RATIO, Estimate

Verdict = Literal["reproduced", "contradicted", "undecided", "not testable here"]

Limit = Annotated[
    Annotated[float, Tag("number")] | Annotated[FactName, Tag("name")],
    Discriminator(
        form, custom_error_type="limit", custom_error_message="must be a number or a fact"
    ),
]
Exactly = Annotated[
    Annotated[bool, Tag("truth")]
    | Annotated[float, Tag("number")]
    | Annotated[FactName, Tag("name")],
    Discriminator(
        form,
        custom_error_type="exactly",
        custom_error_message="must be true, false, a number or a fact",
    ),
]
Range = Annotated[tuple[float, float], Field(strict=False)]


@dataclass(frozen=True)
class Region:
    """Where an estimate reproduces a claim: up to an end without it, or between two with both."""

    low: float
    high: float

    def verdict(self, found: Estimate) -> Verdict:
        """Reproduced if the interval is wholly inside, contradicted if it is wholly outside."""
        start, end = found.low, found.high
        if start is None or end is None:
            if not found.certain:
                return "undecided"
            start = end = found.estimate
        if math.isinf(self.low) or math.isinf(self.high):
            inside = self.low < start and end < self.high
            outside = end <= self.low or start >= self.high
        else:
            inside = self.low <= start and end <= self.high
            outside = end < self.low or start > self.high
        return "reproduced" if inside else "contradicted" if outside else "undecided"


class Bound(OneOf):
    """Where a claim is reproduced.

    `above` and `below` exclude their limit, `between` includes both. `equivalent_within: 0.03` is
    from 1 / 1.03 to 1.03 for a ratio, and from -0.03 to 0.03 in its unit for a difference.
    """

    above: Limit | None = None
    below: Limit | None = None
    between: Range | None = None
    equivalent_within: Annotated[float, Field(gt=0)] | None = None
    equals: Exactly | None = None

    def region(self, unit: str, facts: Mapping[str, Any]) -> Region:
        """The bound in the `unit` of an estimate; NoData where it names an unknown fact."""
        limit = self.chosen
        if isinstance(limit, str):
            limit = known_number(limit, facts)
        match self.key:
            case "above":
                return Region(limit, math.inf)
            case "below":
                return Region(-math.inf, limit)
            case "equals":
                return Region(float(limit), float(limit))
            case "equivalent_within" if unit == RATIO:
                return Region(1 / (1 + limit), 1 + limit)
            case "equivalent_within":
                return Region(-limit, limit)
        return Region(*limit)
