from typing import Any

import pandas as pd
import pytest

from feedrate.analysis.advice import Advice, advise, payback

MACHINE: dict[str, Any] = {"gpus": [], "physical_cores": 2, "logical_cores": 2}
NO_BOTTLENECKS = pd.DataFrame(columns=["condition", "settings", "num_workers", "loader", "step"])
RESOURCES = pd.DataFrame(
    [
        {
            "arm": "instrumented",
            "condition": "light",
            "settings": "workers-4",
            "epoch": epoch,
            "worker_memory_mib": 100.0 + epoch,
            "workers_memory_mib": 400.0,
            "shared_memory_mib": 7.0,
        }
        for epoch in (1, 2)
    ]
)
# A noise that is the same for no two settings, so that a residual variance is left.
NOISE = {
    0: (1.0, 1.002, 0.998),
    2: (0.999, 1.0, 1.001),
    4: (1.001, 0.998, 1.0),
    8: (1, 0.999, 1.002),
}


def repetitions(medians: dict[int, float], rounds: int = 3) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {
                "condition": "light",
                "settings": f"workers-{workers}",
                "num_workers": workers,
                "batch_size": 256,
                "prefetch_factor": 2 if workers else None,
                "persistent_workers": workers > 0,
                "pin_memory": False,
                "start_method": "fork" if workers else None,
                "kind": "dataloader",
                "device": "cpu",
                "session": "s",
                "group": "first",
                "repetition": number + 1,
                "warm_images_per_second": median * NOISE[workers][number],
                "warm_epoch_seconds": 60_000 / median,
                "first_epoch_seconds": 60_000 / median + workers,
            }
            for workers, median in medians.items()
            for number in range(rounds)
        ]
    )


def advice_for(medians: dict[int, float], rounds: int = 3) -> Advice:
    (found,) = advise(repetitions(medians, rounds), NO_BOTTLENECKS, RESOURCES, MACHINE)
    return found


def test_the_smallest_proven_number_is_recommended_with_its_call_and_cost() -> None:
    found = advice_for({0: 1000, 2: 1900, 4: 2980, 8: 3000})
    assert (found.workers, found.proven) == (4, True)
    assert found.call.splitlines() == [
        "DataLoader(",
        "    dataset,",
        "    batch_size=256,",
        "    shuffle=True,",
        "    num_workers=4,",
        "    prefetch_factor=2,",
        "    persistent_workers=True,",
        '    multiprocessing_context="fork",',
        "    pin_memory=False,",
        ")",
    ]
    assert found.help == "workers help"
    assert found.gain is not None
    assert found.gain.ratio == pytest.approx(2.98, rel=0.01)
    assert found.cost.workers_memory_mib == 400
    assert found.cost.worker_memory_mib == 102
    without, fewer = found.paybacks
    assert (without.against_workers, without.epochs) == (0, 1)  # 24.1 s at once, against 60 s
    assert (fewer.against_workers, fewer.epochs) == (2, 1)
    assert found.start_seconds == pytest.approx(4)
    assert found.persistent


def test_where_workers_do_not_help_it_says_so() -> None:
    found = advice_for({0: 1000, 2: 1001, 4: 999})
    assert (found.workers, found.proven) == (0, True)
    assert found.help == "workers don't help here"
    assert found.paybacks == ()
    assert "num_workers=0,\n    pin_memory=False" in found.call
    assert "prefetch" not in found.call


def test_one_round_gives_the_best_for_the_time_being() -> None:
    found = advice_for({0: 1000, 2: 1900}, rounds=1)
    assert (found.workers, found.proven) == (2, False)
    assert found.plateau is None
    assert found.gain is None
    assert found.throughput is None
    assert found.rules == ()


def test_costs_that_were_not_measured_are_unknown() -> None:
    found = advice_for({0: 1000, 2: 1900})
    assert found.cost.workers_memory_mib is None


@pytest.mark.parametrize(
    ("first", "warm", "first_without", "warm_without", "epochs"),
    [
        (9, 5, 10, 10, 1),  # no slower even at first
        (20, 5, 10, 10, 3),  # 10 s behind, 5 s gained an epoch: even after two more
        (21, 5, 10, 10, 4),
        (20, 10, 10, 10, None),
    ],
)
def test_workers_pay_back_when_the_sums_meet(
    first: float, warm: float, first_without: float, warm_without: float, epochs: int | None
) -> None:
    found = payback(0, first, warm, first_without, warm_without)
    assert found.epochs == epochs
    assert found.saved_seconds == warm_without - warm
