"""The building blocks of the language of claims."""

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Self

from pydantic import AfterValidator, Discriminator, Field, Tag, model_validator

from feedrate.claims.evidence import CORES, FACTS, known_number
from feedrate.configuration.mistakes import allowed
from feedrate.configuration.model import Section, Workers


def form(value: Any) -> str | None:
    """The form in which `value` is written, as a tag: truth, number, name or rule."""
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


def known(names: Iterable[str], what: str) -> AfterValidator:
    """A check that a text is one of `names`; `what` is their kind, such as "a fact"."""
    listed = sorted(names)

    def check(value: str) -> str:
        if value not in listed:
            raise ValueError(f"{value!r} isn't {what}; {allowed(value, listed)}")
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

    @property
    def chosen(self) -> Any:
        return getattr(self, self.key)


FactName = Annotated[str, known(FACTS, "a fact")]

MOST = "most"
"""The highest number of workers measured."""

CountName = Annotated[
    str,
    known(
        [MOST, *(key for key, fact in FACTS.items() if fact.unit == CORES)], "a number of workers"
    ),
]


class Least(Section):
    least_of: list["Count"] = Field(min_length=1)


Count = Annotated[
    Annotated[Workers, Tag("number")]
    | Annotated[CountName, Tag("name")]
    | Annotated[Least, Tag("rule")],
    Discriminator(
        form,
        custom_error_type="count",
        custom_error_message="must be a whole number, a name, or least_of",
    ),
]
"""A number of workers: itself, one that machine or measurements give, or the least of several."""


def number_of(count: Any, measured: Iterable[int], facts: Mapping[str, Any]) -> int:
    """The value of a Count; NoData where the machine doesn't report it."""
    match count:
        case int():
            return count
        case Least(least_of=several):
            return min(number_of(each, measured, facts) for each in several)
        case str() if count == MOST:
            return max(measured, default=0)
    return int(known_number(count, facts))
