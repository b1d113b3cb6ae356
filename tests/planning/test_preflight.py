from dataclasses import replace
from typing import Any

import pytest

from feedrate.planning.preflight import (
    MIB,
    Capacity,
    capacity,
    preflight,
    shared_memory_bytes,
    shm_size,
)

ROOMY = Capacity(
    shared_memory_free_bytes=4096 * MIB,
    open_files=20_000,
    memory_available_bytes=64_000 * MIB,
    busy_cores=0.0,
)


def cell(workers: int, prefetch: int = 2, batch: int = 256) -> dict[str, Any]:
    """A specification, which names neither what doesn't apply nor DataLoader's own prefetch."""
    loader = {"num_workers": workers, "batch_size": batch}
    if workers and prefetch != 2:
        loader["prefetch_factor"] = prefetch
    return {"loader": loader, "workload": {"name": "fashion-mnist"}}


def test_with_room_for_everything_nothing_is_found() -> None:
    assert preflight([cell(0), cell(16)], 500 * MIB, ROOMY) == []


def test_with_nothing_to_measure_nothing_is_found() -> None:
    assert preflight([], 500 * MIB, replace(ROOMY, busy_cores=9, open_files=1)) == []


def test_shared_memory_is_workers_times_prefetch_times_batch() -> None:
    image_bytes = 28 * 28 * 4 + 8
    assert shared_memory_bytes(cell(16)) == 16 * 2 * 256 * image_bytes
    assert shared_memory_bytes(cell(3, prefetch=5, batch=7)) == 3 * 5 * 7 * image_bytes
    assert shared_memory_bytes(cell(0)) == 0


@pytest.mark.parametrize(
    ("needed_mib", "size"), [(1, "64m"), (24.6, "64m"), (40, "128m"), (300, "1024m")]
)
def test_dockers_shm_size_leaves_room(needed_mib: float, size: str) -> None:
    assert shm_size(int(needed_mib * MIB)) == size


def test_too_little_shared_memory_is_an_error_with_the_size_to_pass() -> None:
    small = replace(ROOMY, shared_memory_free_bytes=64 * MIB)
    assert preflight([cell(16)], 1, small) == []  # 25 MiB
    (finding,) = preflight([cell(16, prefetch=8)], 1, small)  # 98 MiB
    assert finding.is_error
    assert "need 98 MiB in /dev/shm, but only 64 MiB are free" in finding.text
    assert "--shm-size=256m" in finding.text


def test_without_dev_shm_nothing_is_said_about_it() -> None:
    unknown = replace(ROOMY, shared_memory_free_bytes=None, open_files=None)
    assert preflight([cell(64, prefetch=64)], 1, unknown) == []


def test_too_few_open_files_is_an_error_with_the_command() -> None:
    (finding,) = preflight([cell(64, prefetch=4)], 1, replace(ROOMY, open_files=256))
    assert finding.is_error
    assert "ulimit -n 1024" in finding.text


def test_memory_and_other_load_are_warnings_after_the_errors() -> None:
    scarce = Capacity(0, 20_000, 1000 * MIB, busy_cores=1.5)
    findings = preflight([cell(7)], 500 * MIB, scarce)
    assert [finding.is_error for finding in findings] == [True, False, False]
    assert "up to 4,000 MiB" in findings[1].text
    assert "1.5 cores" in findings[2].text


def test_the_capacity_of_this_machine_can_be_read() -> None:
    found = capacity()
    assert found.memory_available_bytes > 0
    assert found.busy_cores >= 0
