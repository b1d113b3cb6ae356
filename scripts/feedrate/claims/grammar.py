"""The language of claims: what is compared, when it holds, what it needs."""

from collections.abc import Iterable
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, Discriminator, Field, Tag, model_validator

from feedrate.claims.evidence import FACTS
from feedrate.claims.metrics import METRICS
from feedrate.configuration.mistakes import allowed
from feedrate.configuration.model import Name, Positive, Section, Workers

CoreName = Literal["physical_cores", "logical_cores", "usable_cores"]

RATIO = "times"
WORKERS = "workers"
PER_EPOCH = "MiB per epoch"


def _form(value: Any) -> str | None:
    match value:
        case bool():
            return "truth"
        case int() | float():
            return "number"
        case str():
            return "name"
        case dict() | Section():
            return "rule"
    return None


def _known(names: Iterable[str], what: str) -> AfterValidator:
    known = sorted(names)

    def check(value: str) -> str:
        if value not in known:
            raise ValueError(f"{value!r} is no {what}; {allowed(value, known)}")
        return value

    return AfterValidator(check)


class OneOf(Section):
    """A mapping of which exactly one key is set."""

    @model_validator(mode="after")
    def _exactly_one(self) -> Self:
        if len(self.model_fields_set) != 1:
            raise ValueError(f"needs exactly one key; {allowed('', type(self).model_fields)}")
        return self

    @property
    def key(self) -> str:
        return next(iter(self.model_fields_set))


# --- how many workers -----------------------------------------------------------------------------

Cores = Annotated[
    Annotated[Workers, Tag("number")] | Annotated[CoreName, Tag("name")],
    Discriminator(
        _form,
        custom_error_type="cores",
        custom_error_message="must be a whole number or the name of a number of cores",
    ),
]
"""A number, or one that the machine gives."""


class Least(Section):
    least_of: list[Cores] = Field(min_length=1)


Divider = Annotated[
    Annotated[Workers, Tag("number")]
    | Annotated[CoreName, Tag("name")]
    | Annotated[Least, Tag("rule")],
    Discriminator(
        _form,
        custom_error_type="divider",
        custom_error_message="must be a whole number, the name of a number of cores, or least_of",
    ),
]
"""Where a sweep is divided: a number, one that the machine gives, or the least of several."""

CountName = Literal["physical_cores", "logical_cores", "usable_cores", "best", "most"]

Count = Annotated[
    Annotated[Workers, Tag("number")]
    | Annotated[CountName, Tag("name")]
    | Annotated[Least, Tag("rule")],
    Discriminator(
        _form,
        custom_error_type="count",
        custom_error_message="must be a whole number, a name, or least_of",
    ),
]
"""How many workers; `best` is the fastest count measured, `most` the highest."""


# --- what is compared -----------------------------------------------------------------------------

MetricName = Annotated[str, _known(METRICS, "metric")]
FactName = Annotated[str, _known(FACTS, "fact")]


class Cells(Section):
    """A metric of one condition and settings; settings left open are those of the widest sweep."""

    metric: MetricName
    condition: Name | None = None
    num_workers: Count | None = None
    batch_size: Positive | None = None
    prefetch_factor: Positive | None = None
    persistent_workers: bool | None = None
    pin_memory: bool | None = None

    @model_validator(mode="after")
    def _fits_the_metric(self) -> Self:
        scope = METRICS[self.metric].scope
        possible = {
            "cell": {*type(self).model_fields},
            "condition": {"metric", "condition", "batch_size"},
            "batches": {"metric", "batch_size"},
        }[scope]
        needed = {
            "cell": {"condition", "num_workers"},
            "condition": {"condition"},
            "batches": set(),
        }
        problems = [f"needs {key}" for key in sorted(needed[scope] - self.model_fields_set)]
        problems += [
            f"{key} tells nothing apart" for key in sorted(self.model_fields_set - possible)
        ]
        if problems:
            raise ValueError(f"{self.metric} {', '.join(problems)}; {allowed('', possible)}")
        return self


class Pair(Section):
    """Two selections in the same unit."""

    @model_validator(mode="after")
    def _same_unit(self) -> Self:
        first, second = self.operands
        one, other = METRICS[first.metric].unit, METRICS[second.metric].unit
        if one != other:
            raise ValueError(
                f"compares {one} with {other}; allowed: two metrics with the same unit"
            )
        return self

    @property
    def operands(self) -> tuple[Cells, Cells]:
        raise NotImplementedError


class Ratio(Pair):
    of: Cells
    to: Cells

    @property
    def operands(self) -> tuple[Cells, Cells]:
        return self.of, self.to


class Difference(Pair):
    of: Cells
    minus: Cells

    @property
    def operands(self) -> tuple[Cells, Cells]:
        return self.of, self.minus


class Runs(Section):
    """A resource over all instrumented runs with more workers than `workers_above`."""

    metric: Annotated[
        MetricName, _known((n for n, m in METRICS.items() if m.table == "resources"), "resource")
    ]
    workers_above: Workers
    condition: Name | None = None


class Growth(Section):
    """A memory over the warm epochs of the leak arm."""

    metric: Annotated[
        MetricName,
        _known(
            (n for n, m in METRICS.items() if m.table == "resources" and m.unit == "MiB"), "memory"
        ),
    ]
    condition: Name


class Sweep(Section):
    """The worker counts measured in one condition."""

    condition: Name


class SweepCell(Sweep):
    """One of the worker counts measured in one condition."""

    num_workers: Count


class DividedSweep(Sweep):
    """The worker counts measured in one condition, those up to a number and those above it."""

    above: Divider


class Compare(OneOf):
    """The expression of a claim.

    `ratio` and `difference` are paired within rounds; `value` is a median; `range` goes from the
    lowest to the highest of many runs; `slope` is a trend over epochs; `fewest_near_best` is the
    fewest workers within 5 % of the best throughput; `over_best_other` is a worker count's
    throughput over that of the best of the others; `best_over_best` is the best throughput above a
    worker count over the best up to it; `fact` is read off machine or software.
    """

    ratio: Ratio | None = None
    difference: Difference | None = None
    value: Cells | None = None
    range: Runs | None = None
    slope: Growth | None = None
    fewest_near_best: Sweep | None = None
    over_best_other: SweepCell | None = None
    best_over_best: DividedSweep | None = None
    fact: FactName | None = None

    @property
    def unit(self) -> str:
        """Unit of what the expression comes to."""
        selected = self.difference.of if self.difference else self.value or self.range
        if selected:
            return METRICS[selected.metric].unit
        if self.fact:
            return FACTS[self.fact].unit
        return {
            "ratio": RATIO,
            "slope": PER_EPOCH,
            "fewest_near_best": WORKERS,
            "over_best_other": RATIO,
            "best_over_best": RATIO,
        }[self.key]


# --- when it holds --------------------------------------------------------------------------------

Limit = Annotated[
    Annotated[float, Tag("number")] | Annotated[FactName, Tag("name")],
    Discriminator(
        _form, custom_error_type="limit", custom_error_message="must be a number or a fact"
    ),
]
Exactly = Annotated[
    Annotated[bool, Tag("truth")]
    | Annotated[float, Tag("number")]
    | Annotated[FactName, Tag("name")],
    Discriminator(
        _form,
        custom_error_type="exactly",
        custom_error_message="must be true, false, a number or a fact",
    ),
]
Range = Annotated[tuple[float, float], Field(strict=False)]


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


# --- what it needs --------------------------------------------------------------------------------


class RequirementRule(OneOf):
    """`sweep_reaches` wants worker counts up to a number; `elsewhere` is never met here."""

    sweep_reaches: Cores | None = None
    elsewhere: str | None = None


Requirement = Annotated[
    Annotated[Literal["pinning", "gpu_use", "hyperthreading"], Tag("name")]
    | Annotated[RequirementRule, Tag("rule")],
    Discriminator(
        _form,
        custom_error_type="requirement",
        custom_error_message="must be a name, or a rule such as sweep_reaches",
    ),
]
