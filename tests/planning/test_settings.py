"""Settings of a loader: what applies, their names, their words and their call."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from torch.utils.data import DataLoader

from feedrate.configuration.factors import FACTORS
from feedrate.planning.settings import (
    Settings,
    resolve,
    setting_labels,
    settings_in_words,
    settings_of,
    why_not_applicable,
)


def settings(workers: int, device: str = "cuda", **levels: Any) -> Settings:
    """Settings that the default of a factor is left in, where `levels` doesn't name it."""
    defaults = {factor.name: factor.default for factor in FACTORS}
    asked = {"batch_size": 8, "start_method": "fork", "pin_memory": False, "num_workers": workers}
    return resolve(defaults | asked | levels, device)


FOUR, NONE = settings(4), settings(0)


# --- what applies ---------------------------------------------------------------------------------


def test_without_workers_nothing_of_theirs_is_left() -> None:
    assert NONE.by_name == {
        "num_workers": 0,
        "batch_size": 8,
        "prefetch_factor": None,
        "persistent_workers": False,
        "start_method": None,
        "pin_memory": False,
        "kind": "dataloader",
    }


@pytest.mark.parametrize(("device", "pinned"), [("cuda", True), ("cpu", False), ("mps", False)])
def test_memory_is_pinned_for_a_device_that_copies_from_it(device: str, pinned: bool) -> None:
    assert settings(4, device, pin_memory=True)["pin_memory"] is pinned


@pytest.mark.parametrize(("system", "method"), [("Linux", "fork"), ("Darwin", "spawn")])
def test_the_automatic_start_method_is_that_of_the_system(
    system: str, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("platform.system", lambda: system)
    assert settings(1, start_method="auto")["start_method"] == method
    assert settings(0, start_method="auto")["start_method"] is None


def test_batches_ahead_are_those_of_all_workers() -> None:
    assert settings(4, prefetch_factor=3).batches_ahead == 12
    assert NONE.batches_ahead == 0


def test_what_loads_nothing_has_a_size_of_batches_and_no_more() -> None:
    assert settings(4, pin_memory=True, prefetch_factor=3).of_batches_alone == NONE


# --- in specifications and in names of folders ----------------------------------------------------


@pytest.mark.parametrize(
    ("chosen", "slug"),
    [
        (FOUR, "workers-4_batch-8_persistent_fork"),
        (NONE, "workers-0_batch-8"),
        (settings(4, prefetch_factor=1), "workers-4_batch-8_prefetch-1_persistent_fork"),
        (
            settings(4, persistent_workers=False, pin_memory=True, start_method="spawn"),
            "workers-4_batch-8_spawn_pinned",
        ),
    ],
)
def test_what_a_loader_does_by_default_is_not_named(chosen: Settings, slug: str) -> None:
    assert chosen.slug == slug


@given(
    workers=st.integers(0, 3),
    prefetch_factor=st.integers(1, 3),
    persistent_workers=st.booleans(),
    pin_memory=st.booleans(),
    start_method=st.sampled_from(["auto", "fork", "forkserver", "spawn"]),
    device=st.sampled_from(["cpu", "cuda"]),
)
def test_a_specification_says_all_of_its_settings(workers: int, device: str, **levels: Any) -> None:
    chosen = settings(workers, device, **levels)
    assert settings_of({"loader": chosen.specification}) == chosen


# --- in words -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("chosen", "other", "words"),
    [
        (FOUR, NONE, "4 workers"),
        (NONE, FOUR, "0 workers"),
        (settings(1), NONE, "1 worker"),
        (
            settings(4, prefetch_factor=1, persistent_workers=False, pin_memory=True),
            FOUR,
            "4 workers, prefetch 1, respawned, pinned",
        ),
        (settings(0, batch_size=64), NONE, "0 workers, batch 64"),
        (settings(2, start_method="spawn"), FOUR, "2 workers, spawn"),
    ],
)
def test_settings_are_described_by_what_sets_them_apart(
    chosen: Settings, other: Settings, words: str
) -> None:
    assert settings_in_words(chosen, other) == words


def test_labels_name_what_differs_among_all() -> None:
    pinned = settings(4, pin_memory=True)
    assert setting_labels([FOUR, NONE]) == {FOUR: "4", NONE: "0"}
    assert setting_labels([FOUR, NONE, pinned]) == {
        FOUR: "4, pageable",
        NONE: "0, pageable",
        pinned: "4, pinned",
    }


@pytest.mark.parametrize(
    ("factor", "device", "reason"),
    [
        ("pin_memory", "cpu", "pin_memory has no effect on the device cpu, which has no memory"),
        ("prefetch_factor", "cuda", "prefetch_factor has no effect without workers"),
    ],
)
def test_a_factor_without_levels_to_compare_has_its_reason(
    factor: str, device: str, reason: str
) -> None:
    assert why_not_applicable(factor, ["dataloader"], device).startswith(reason)


# --- the call -------------------------------------------------------------------------------------


def test_a_pinned_loader_is_called_as_such() -> None:
    assert "pin_memory=True" in settings(0, pin_memory=True).call


def test_the_call_without_workers_says_nothing_of_them() -> None:
    assert NONE.call.splitlines() == [
        "DataLoader(",
        "    dataset,",
        "    batch_size=8,",
        "    shuffle=True,",
        "    num_workers=0,",
        "    pin_memory=False,",
        ")",
    ]


@pytest.mark.parametrize("workers", [0, 2])
def test_the_call_loads_when_pasted_as_it_is(workers: int) -> None:
    chosen = settings(workers, batch_size=4)
    loader = eval(chosen.call, {"DataLoader": DataLoader, "dataset": range(8)})
    assert loader.num_workers == workers
    assert sorted(int(each) for batch in loader for each in batch) == [*range(8)]
