"""Several machines side by side."""

from dataclasses import replace
from typing import Any

import pandas as pd

from feedrate.analysis.machines import Tables, measured_run, published_runs
from feedrate.analysis.recommendation import Recommendation

PLAN: dict[str, Any] = {
    "experiment": {
        "conditions": {"light": ["ToTensor"], "mine": ["ToTensor"]},
        "transforms_api": "v1",
        "dataset": {"images": 100},
        "training": {"epochs": 2},
        "loader": {"batch_size": 8},
    },
    "cells": [{"specification": {"device": {"name": "cpu"}}}],
}
MACHINE = {"cpu": "Chip", "usable_cores": 2, "memory_gib": 24, "gpus": []}


def repetitions() -> pd.DataFrame:
    return pd.DataFrame(
        [
            {
                "condition": condition,
                "settings": f"workers-{workers}",
                "num_workers": workers,
                "batch_size": 8,
                "prefetch_factor": 2,
                "persistent_workers": True,
                "pin_memory": False,
                "start_method": "fork",
                "kind": "dataloader",
                "group": "first",
                "repetition": repetition,
                "started_at": f"2026-01-0{repetition}T00:00:00+00:00",
                "warm_images_per_second": rate + repetition,
            }
            for condition in ("light", "mine")
            for workers, rate in ((0, 100.0), (2, 200.0))
            for repetition in (1, 2, 3)
        ]
    )


def tables() -> Tables:
    recommendations = [
        Recommendation(condition, "cpu", 2, proven, None, None, "workers help")
        for condition, proven in (("light", True), ("mine", False))
    ]
    return Tables(repetitions(), recommendations, {"a": "reproduced"}, MACHINE, PLAN)


def test_a_run_is_its_medians_its_advice_and_its_verdicts() -> None:
    run = measured_run("m", tables(), PLAN["experiment"])
    assert run.throughput["light"] == {0: 102.0, 2: 202.0}
    assert run.recommended == {"light": 2, "mine": None}
    assert run.verdicts == {"a": "reproduced"}
    assert run.measured == "2026-01-01"
    assert run.machine == "Chip, 2 usable cores, 24 GiB, no GPU; training on the device cpu"


def test_other_transforms_under_the_same_name_are_not_compared() -> None:
    conditions = {"light": ["ToTensor"], "mine": ["RandomRotation"]}
    run = measured_run("m", tables(), PLAN["experiment"] | {"conditions": conditions})
    assert run.throughput.keys() == run.recommended.keys() == {"light"}
    assert run.other_conditions == ("mine",)
    other_api = measured_run("m", tables(), PLAN["experiment"] | {"transforms_api": "v2"})
    assert other_api.throughput == {}


def test_a_different_amount_of_work_is_named() -> None:
    run = measured_run("m", tables(), PLAN["experiment"] | {"dataset": {"images": 60_000}})
    assert run.differences == ("images per epoch: 100 in place of 60,000",)


def test_an_emulated_run_says_so_in_its_name() -> None:
    emulated = {"cells": [{"specification": {"device": {"name": "emulated"}}}]}
    theirs = replace(tables(), plan=PLAN | emulated)
    assert measured_run("machine 1", theirs, PLAN["experiment"]).name == "machine 1 (emulated)"


def test_an_article_is_a_machine_where_it_prints_a_sweep() -> None:
    shared = {"article": "A", "measured": {"where": {"condition": "light"}}}
    published = {
        "articles": {
            "A": {"machine": "Their chip", "date": "2026-08-24"},
            "B": {"machine": "Unknown", "date": None},
        },
        "tables": [
            shared
            | {
                "columns": {"num_workers": "workers", "warm_images_per_second": "images/s"},
                "rows": [[0, 30268], [1, None], [4, 108782]],
            },
            shared | {"columns": {"num_workers": "workers"}, "rows": [[0]]},
        ],
    }
    (run,) = published_runs(published)
    assert (run.name, run.machine, run.measured) == ("article A", "Their chip", "2026-08-24")
    assert run.throughput == {"light": {0: 30268.0, 4: 108782.0}}
    assert run.verdicts == {}
