"""Student's t."""

from scipy import special  # type: ignore[import-untyped]


def quantile(probability: float, degrees_of_freedom: float) -> float:
    """The value that t stays below with `probability`."""
    # stats.t.ppf is this with checks that take a hundred times as long; projections need thousands.
    return float(special.stdtrit(degrees_of_freedom, probability))
