"""What was decided and observed, made by hand for the tests."""

from dataclasses import replace

import pandas as pd

from feedrate.analysis.advice import Advice, Cost, Payback
from feedrate.analysis.folk_rules import Prediction, RuleScore
from feedrate.statistics.comparison import Comparison, Verdict
from feedrate.statistics.intervals import MedianInterval
from feedrate.statistics.plateau import Plateau

GAIN = Comparison(
    ratio=2.98, low=2.9, high=3.06, low90=2.92, high90=3.04, rounds=3, verdict=Verdict.FASTER,
    more_rounds=None,
)  # fmt: skip


PLATEAU = Plateau(
    best=8,
    smallest_not_excluded=2,
    smallest_proven=4,
    proven=(4, 8),
    not_excluded=(2, 4, 8),
    declines_from=None,
    over_best_other={0: (0.3, 0.29, 0.31), 2: (0.94, 0.9, 0.99), 4: (0.99, 0.97, 1.01)},
)


ADVICE = Advice(
    condition="light",
    device="cpu",
    workers=4,
    proven=True,
    more_rounds=None,
    throughput=MedianInterval(2980.4, 2900.0, 3001.0, 0.75, "order statistics"),
    plateau=PLATEAU,
    compared_workers=4,
    gain=GAIN,
    help="workers help",
    call="DataLoader(dataset, num_workers=4)",
    cost=Cost(worker_memory_mib=None, workers_memory_mib=812.34, shared_memory_mib=6.2),
    paybacks=(Payback(0, 2, 3.0), Payback(2, None, -0.5)),
    start_seconds=1.234,
    persistent=True,
    rules=(
        RuleScore(
            Prediction("4 per GPU", None, "there is no GPU"),
            None, None, None, None, "not applicable",
        ),
        RuleScore(
            Prediction("logical cores", 3, "3 logical cores"),
            4, 0.99, 0.97, 1.01, "near the best",
        ),
    ),
)  # fmt: skip


UNPROVEN = replace(
    ADVICE,
    condition="augmented",
    proven=False,
    more_rounds=12,
    plateau=replace(PLATEAU, smallest_proven=None, proven=(), declines_from=16),
)


SINGLE = replace(ADVICE, plateau=None, gain=None, throughput=None, paybacks=(), rules=())


def bottlenecks() -> pd.DataFrame:
    return pd.DataFrame(
        [
            {
                "condition": "light",
                "settings": f"workers-{workers}",
                "num_workers": workers,
                "batch_size": 8,
                "prefetch_factor": 2,
                "persistent_workers": True,
                "pin_memory": False,
                "start_method": "fork",
                "kind": "dataloader",
                "training": 700.0 + workers,
                "loader": 1000.0,
                "step": 3000.0,
                "resident": None,
                "expected": 750.0,
                "reached": 0.95,
                "bound": bound,
                "rule": f"The rule with {workers}.",
            }
            for workers, bound in ((0, "loader-bound"), (1, "loader-bound"), (4, "contention"))
        ]
    )


def resources() -> pd.DataFrame:
    return pd.DataFrame(
        [
            {
                "arm": arm,
                "condition": "light",
                "settings": "workers-2_batch-8",
                "num_workers": 2,
                "batch_size": 8,
                "prefetch_factor": 2,
                "persistent_workers": True,
                "pin_memory": False,
                "start_method": "fork",
                "kind": "dataloader",
                "epoch": epoch,
                "samples": 10 + epoch,
                "main_cpu_cores": 0.5,
                "workers_cpu_cores": 1.25,
                "worker_memory_mib": 200.0,
                "workers_memory_mib": 400.0 + epoch,
                "total_memory_mib": 900.0,
                "end_memory_mib": 880.0 + epoch,
                "shared_memory_mib": 3.25,
                "pinned_memory_mib": None,
                "gpu_busy_percent": None,
                "gpu_utilisation_percent": None,
                "gpu_memory_mib": None,
                "gpu_clock_mhz": None,
                "gpu_clock_events": None,
            }
            for arm, epochs in (("instrumented", (1, 2)), ("leak", (1, 2, 3)))
            for epoch in epochs
        ]
    )
