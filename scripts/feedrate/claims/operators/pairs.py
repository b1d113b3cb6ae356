"""Two selections, paired within rounds."""

import math
from typing import ClassVar, Self

from pydantic import Field, model_validator

from feedrate.claims.evidence import Evidence, NoData
from feedrate.claims.operators.operator import RATIO, Estimate, Operator, single
from feedrate.claims.selection import Cells, Sample, sample
from feedrate.configuration.model import Section
from feedrate.statistics.intervals import mean_interval


class Pair(Section, Operator):
    """Two selections in the same unit; `word` joins them in the estimate's subject.

    The estimate is the mean difference within rounds of the scaled values, with Student's t.
    """

    bounds: ClassVar = (*Operator.bounds, "equivalent_within")
    word: ClassVar[str]

    of: Cells
    other: Cells

    def scaled(self, value: float) -> float:
        """A value as it is subtracted."""
        return value

    def unscaled(self, difference: float) -> float:
        """A difference of such values as it is shown."""
        return difference

    @model_validator(mode="after")
    def _same_unit(self) -> Self:
        one, other = self.of.what.unit, self.other.what.unit
        if one != other:
            raise ValueError(
                f"compares {one} with {other}; allowed: two metrics with the same unit"
            )
        return self

    def evaluate(self, evidence: Evidence, confidence: float) -> Estimate:
        one, other = sample(self.of, evidence), sample(self.other, evidence)
        differences = [
            self.scaled(above) - self.scaled(below) for above, below in self._paired(one, other)
        ]
        first, second = self.of.what.meaning, self.other.what.meaning
        second = "" if first == second else f"{second}, "
        subject = f"{first}, {one.text}, {self.word} {second}{other.text}"
        found = mean_interval(differences, confidence)
        if found is None:
            return single(self.unscaled(differences[0]), subject, one.repeated)
        mean, low, high = map(self.unscaled, (found.mean, found.low, found.high))
        return Estimate(mean, low, high, subject, confidence, len(differences))

    def _paired(self, one: Sample, other: Sample) -> list[tuple[float, float]]:
        """The values of both in the rounds that they share."""
        if (self.of.metric, one.text) == (self.other.metric, other.text):
            raise NoData(f"both sides are {one.text} here, so there is nothing to compare")
        shared = [each for each in one.values if each in other.values]
        if not shared:
            raise NoData(f"{one.text} and {other.text} share no round of one session")
        return [(one.values[each], other.values[each]) for each in shared]


class Ratio(Pair):
    """The geometric mean of the ratios within rounds."""

    unit: ClassVar = RATIO
    word: ClassVar = "over"

    other: Cells = Field(alias="to")

    def scaled(self, value: float) -> float:
        if value <= 0:
            raise NoData(f"a ratio needs values above zero, and {self.of.what.meaning} is {value}")
        return math.log(value)

    def unscaled(self, difference: float) -> float:
        return math.exp(difference)


class Difference(Pair):
    """The mean of the differences within rounds."""

    word: ClassVar = "less"

    other: Cells = Field(alias="minus")

    @property
    def unit(self) -> str:
        return self.of.what.unit
