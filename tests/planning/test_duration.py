import json
from pathlib import Path
from typing import Any

import pytest

from feedrate.planning.duration import (
    foretold_by,
    foretold_seconds,
    human_duration,
    measured_seconds,
)
from feedrate.planning.rehearsal import rehearsal_of

REHEARSAL = {"load_seconds_per_image": 0.001, "step_seconds": 0.1, "import_seconds": 4.0}


def specification(workers: int, device: str) -> dict[str, Any]:
    return {
        "arm": "training",
        "workload": {"name": "fashion-mnist", "images": 1000},
        "loader": {"num_workers": workers, "batch_size": 100},
        "machine": {"usable_cores": 2},
        "packages": {},
        "threads": 2,
        "device": {"name": device},
        "training": {"epochs": 2},
        "condition": {"name": "light"},
    }


@pytest.mark.parametrize(
    ("workers", "device", "epoch_seconds"),
    [
        (0, "cpu", 2.0),  # 1 s of loading, then 1 s of training
        (2, "cpu", 1.5),  # 1 + 2 core seconds of work on 2 cores
        (1, "cuda", 1.0),
        (2, "cuda", 1.0),  # never quicker than the training
    ],
)
def test_a_cell_takes_as_long_as_the_work_in_it(
    workers: int, device: str, epoch_seconds: float
) -> None:
    foretold = foretold_seconds(specification(workers, device), REHEARSAL)
    assert foretold == pytest.approx(4 + 2 * epoch_seconds)


def test_a_rehearsal_foretells_the_cells_that_it_was_for(tmp_path: Path) -> None:
    cell = specification(0, "cpu")
    with pytest.raises(OSError, match=r"\.json"):
        foretold_by(tmp_path)(cell)
    rehearsal_of(cell, tmp_path).write_text(json.dumps(REHEARSAL))
    assert foretold_by(tmp_path)(cell) == pytest.approx(8)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(20, "less than a minute"), (400, "about 7 min"), (3900, "about 1 h 05 min")],
)
def test_durations_are_said_as_people_do(seconds: float, text: str) -> None:
    assert human_duration(seconds) == text


def test_measured_seconds_are_those_of_the_process() -> None:
    process = {
        "started_at": "2026-01-01T00:00:59.500+00:00",
        "ended_at": "2026-01-01T00:01:02.000+00:00",
    }
    assert measured_seconds({"process": process}) == pytest.approx(2.5)
