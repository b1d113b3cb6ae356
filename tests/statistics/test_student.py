import pytest

from feedrate.statistics.student import quantile


def test_quantiles_are_those_of_the_printed_tables() -> None:
    assert quantile(0.975, 2) == pytest.approx(4.303, abs=5e-4)
    assert quantile(0.95, 10) == pytest.approx(1.812, abs=5e-4)
