import math

import pytest

from feedrate.statistics.positive import positive


def test_positive_values_stay_as_they_are() -> None:
    assert positive(each for each in (1, 2.5)).tolist() == [1, 2.5]
    assert positive([]).tolist() == []


@pytest.mark.parametrize("value", [0.0, -1.0, math.nan, math.inf])
def test_others_are_refused_by_value(value: float) -> None:
    with pytest.raises(ValueError, match=f"not positive and finite: {value}"):
        positive([1, value])
