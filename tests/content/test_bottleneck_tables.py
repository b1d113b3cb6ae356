"""What bounds the training."""

from feedrate.content.bottleneck_tables import bound_table, bounds_by_condition
from tests.content.decided import bottlenecks


def test_bounds_are_gathered_by_what_they_are() -> None:
    (facts,) = bounds_by_condition(bottlenecks())
    assert facts["bounds"] == "loader-bound with 0, 1 workers; contention with 4 workers"
    assert (facts["rule"], facts["rule_workers"]) == ("The rule with 4.", "4 workers")
    assert bound_table(bottlenecks()).rows[0] == [
        "light", "0", "1,000", "3,000", "750", "700", "95 %", "loader-bound",
    ]  # fmt: skip
