from typing import Any

import pytest

from feedrate.analysis.folk_rules import Prediction, predictions, score
from feedrate.statistics.plateau import Plateau

MACHINE: dict[str, Any] = {"physical_cores": 14, "logical_cores": 28}

FOUND = Plateau(
    best=8,
    smallest_not_excluded=4,
    smallest_proven=8,
    proven=(8,),
    not_excluded=(4, 8, 16),
    declines_from=None,
    over_best_other={
        0: (0.2, 0.19, 0.21),
        4: (0.95, 0.93, 0.97),
        8: (1.0, 1.0, 1.0),
        16: (0.94, 0.92, 0.96),
        32: (0.5, 0.49, 0.51),
    },
)


def said(machine: dict[str, Any], device: str = "cpu", *loads: float) -> dict[str, int | None]:
    loader, step = loads or (None, None)
    return {each.rule: each.workers for each in predictions(machine, device, loader, step)}


def test_the_rules_say_what_the_machine_makes_of_them() -> None:
    assert said(MACHINE) == {
        "4 per GPU": None,
        "min(8, physical cores)": 8,
        "logical cores": 28,
        "ceil(t_load / t_step)": None,
    }
    assert said(MACHINE | {"physical_cores": 4}, "cuda", 1000.0, 3200.0) == {
        "4 per GPU": 4,
        "min(8, physical cores)": 4,
        "logical cores": 28,
        "ceil(t_load / t_step)": 4,
    }


def test_unknown_physical_cores_give_no_prediction() -> None:
    assert said(MACHINE | {"physical_cores": None})["min(8, physical cores)"] is None


def test_an_emulated_accelerator_counts_as_one_gpu() -> None:
    assert said(MACHINE, "emulated")["4 per GPU"] == 4


@pytest.mark.parametrize(
    ("workers", "tested", "verdict"),
    [
        (8, 8, "near the best"),
        (4, 4, "undecided"),
        (1, 0, "too few"),
        (28, 32, "too many"),
        (24, 16, "undecided"),  # as near to 16 as to 32: the smaller
    ],
)
def test_a_prediction_is_scored_by_the_nearest_measured(
    workers: int, tested: int, verdict: str
) -> None:
    found = score(Prediction("rule", workers, ""), FOUND)
    assert (found.tested, found.verdict) == (tested, verdict)
    assert found.ratio == FOUND.over_best_other[tested][0]


def test_what_does_not_apply_is_not_scored() -> None:
    assert score(Prediction("rule", None, "no GPU"), FOUND).verdict == "not applicable"
