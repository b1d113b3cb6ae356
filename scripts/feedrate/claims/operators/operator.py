"""What every operator of the language of claims has, and what it returns."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from feedrate.claims.evidence import Evidence

RATIO = "times"
"""Unit of a ratio."""


@dataclass(frozen=True)
class Estimate:
    """The result of an operator, in its unit; `subject` says what was estimated.

    `low` and `high` are None where the interval is unknown. `coverage` is the probability that
    such an interval holds the true value, None where it has none. `rounds` counts the rounds; where
    there are none, `basis` says what the interval rests on. `certain` allows a verdict without an
    interval: a fact, or a resource that was observed once.
    """

    estimate: float
    low: float | None
    high: float | None
    subject: str
    coverage: float | None = None
    rounds: int | None = None
    basis: str = ""
    certain: bool = False

    @property
    def rests_on(self) -> str:
        return self.basis or ("1 round" if self.rounds == 1 else f"{self.rounds} rounds")


def single(value: float, subject: str, repeated: bool) -> Estimate:
    """One value: a resource counts by itself, a time needs more rounds."""
    if repeated:
        return Estimate(value, None, None, subject, rounds=1)
    return Estimate(value, None, None, subject, basis="one observation", certain=True)


class Operator(ABC):
    """A way to get an estimate; its fields are the keys below its own in claims.yaml.

    `bounds` are the keys of `holds` that go with it, `unit` is that of the estimate.
    """

    bounds: ClassVar[tuple[str, ...]] = ("above", "below", "between")

    @property
    @abstractmethod
    def unit(self) -> str: ...

    @abstractmethod
    def evaluate(self, evidence: Evidence, confidence: float) -> Estimate:
        """The estimate, with an interval of that `confidence` where the operator can choose it.

        NoData says why there is none.
        """
