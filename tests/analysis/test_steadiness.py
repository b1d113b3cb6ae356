from datetime import datetime, timedelta
from typing import Any

import pandas as pd
import pytest

from feedrate.analysis.steadiness import steadiness

START = datetime.fromisoformat("2026-01-01T00:00:00+00:00")


def run(values: dict[str, list[float]], session: str = "s") -> pd.DataFrame:
    """Settings measured in turn, one value every six minutes."""
    rows: list[dict[str, Any]] = []
    for number in range(len(next(iter(values.values())))):
        for name, series in values.items():
            ended = START + timedelta(minutes=6 * len(rows))
            rows.append(
                {
                    "condition": "light",
                    "settings": name,
                    "session": session,
                    "repetition": number + 1,
                    "ended_at": ended.isoformat(),
                    "warm_images_per_second": series[number],
                }
            )
    return pd.DataFrame(rows)


def test_a_machine_that_slows_down_is_seen_in_all_cells_and_in_the_sentinel() -> None:
    slowing = [100 * 0.99**number for number in range(8)]
    found = steadiness(run({"a": slowing, "b": [2 * value for value in slowing]}), "light/a")
    assert found.hours == pytest.approx(1.5)
    for drift in (found.all_cells, found.sentinel):
        assert drift is not None
        assert drift.high < 0
        assert drift.percent_per_hour == pytest.approx(-4.9, abs=0.3)  # 1 % each 12 minutes
    assert found.outliers == ()


def test_a_repetition_that_stands_out_is_flagged() -> None:
    steady = [100.0, 101.0, 99.0, 100.5, 99.5]
    found = steadiness(run({"a": steady, "b": [100.0, 99.0, 60.0, 100.5, 101.0]}), "light/a")
    (flagged,) = found.outliers
    assert (flagged.settings, flagged.repetition) == ("b", 3)


def test_drift_is_that_of_the_session_with_most_repetitions() -> None:
    table = pd.concat(
        [run({"a": [100.0] * 3}, session="small"), run({"a": [50.0] * 6}, session="large")],
        ignore_index=True,
    )
    assert steadiness(table, "light/a").session == "large"
