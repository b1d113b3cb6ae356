"""The operators of the language of claims. A new one is a class and an entry here."""

from typing import TYPE_CHECKING

from pydantic import create_model

from feedrate.claims.grammar import OneOf
from feedrate.claims.operators.best import BestOverBest, FewestNearBest, OverBestOther
from feedrate.claims.operators.operator import Operator
from feedrate.claims.operators.pairs import Difference, Ratio
from feedrate.claims.operators.resources import Range, Slope
from feedrate.claims.operators.single import Reading, Value

OPERATORS: dict[str, type[Operator]] = {
    "ratio": Ratio,
    "difference": Difference,
    "value": Value,
    "range": Range,
    "slope": Slope,
    "fewest_near_best": FewestNearBest,
    "over_best_other": OverBestOther,
    "best_over_best": BestOverBest,
    "fact": Reading,
}
"""Key of `compare` in claims.yaml -> operator."""


class _Compare(OneOf):
    """The expression of a claim: one of OPERATORS with its fields."""

    @property
    def operator(self) -> Operator:
        chosen: Operator = self.chosen
        return chosen


if TYPE_CHECKING:
    Compare = _Compare
else:
    Compare = create_model(
        "Compare",
        __base__=_Compare,
        **{key: (operator | None, None) for key, operator in OPERATORS.items()},
    )
