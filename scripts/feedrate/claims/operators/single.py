"""Operators that compare nothing: the median of one selection, and a fact."""

from typing import ClassVar

from pydantic import RootModel

from feedrate.claims.evidence import FACTS, Evidence, known_number
from feedrate.claims.grammar import FactName
from feedrate.claims.operators.operator import Estimate, Operator, single
from feedrate.claims.selection import Cells, sample
from feedrate.statistics.intervals import median_interval


class Value(Cells, Operator):
    """The median of a selection, with its `median_interval`."""

    @property
    def unit(self) -> str:
        return self.what.unit

    def evaluate(self, evidence: Evidence, confidence: float) -> Estimate:
        found = sample(self, evidence)
        subject = f"{self.what.meaning}, {found.text}"
        values = list(found.values.values())
        known = median_interval(values, confidence)
        if known is None:
            return single(values[0], subject, found.repeated)
        return Estimate(known.median, known.low, known.high, subject, known.coverage, len(values))


class Reading(RootModel[FactName], Operator):
    """A fact of the machine or the software."""

    bounds: ClassVar = ("equals",)

    @property
    def unit(self) -> str:
        return FACTS[self.root].unit

    def evaluate(self, evidence: Evidence, confidence: float) -> Estimate:
        value = known_number(self.root, evidence.facts)
        meaning = FACTS[self.root].meaning
        return Estimate(value, value, value, meaning, basis="read off", certain=True)
