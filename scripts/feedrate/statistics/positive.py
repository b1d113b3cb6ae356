"""Values that can be compared by ratio."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray


def positive(values: Iterable[float]) -> NDArray[np.float64]:
    """`values` as an array; ValueError if one is not above zero and finite."""
    array = np.array(list(values), dtype=float)
    refused = array[~((array > 0) & np.isfinite(array))]
    if refused.size:
        raise ValueError(f"not positive and finite: {refused[0]}")
    return array
