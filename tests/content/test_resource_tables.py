"""What the watched repetitions used."""

import pandas as pd

from feedrate.content.resource_tables import gpu_table, has_gpu_use, usage_table
from tests.content.decided import resources


def test_unknown_resources_are_na_and_never_zero() -> None:
    (row,) = usage_table(resources()).rows
    assert row == ["light", "2", "11", "0.50", "1.25", "200", "402", "900", "3.2", "n/a"]
    (gpu,) = gpu_table(resources()).rows
    assert gpu == ["light", "2", "n/a", "n/a", "n/a", "n/a", "n/a"]
    assert not has_gpu_use(resources())


def test_a_gpu_is_described_by_its_warm_epochs() -> None:
    known = resources().assign(
        gpu_busy_percent=[10.0, 80.0, 1.0, 1.0, 1.0],
        gpu_utilisation_percent=[20.0, 86.0, 1.0, 1.0, 1.0],
        gpu_memory_mib=[900.0, 800.0, 1.0, 1.0, 1.0],
        gpu_clock_mhz=[100.0, 2100.0, 1.0, 1.0, 1.0],
        gpu_clock_events=pd.Series(["idle", "power cap", None, None, None], dtype=object),
    )
    assert has_gpu_use(known)
    assert gpu_table(known).rows == [["light", "2", "80", "86", "900", "2,100", "idle; power cap"]]
