from typing import Any

import pytest

from feedrate.measurement.usage import usage

MIB = 2**20


def sample(
    seconds: float, main_cpu: float, *workers: tuple[int, float, int | None], shared: int = 0
) -> dict[str, Any]:
    """A sample of a main process of 100 MiB and workers (pid, CPU seconds, MiB)."""
    return {
        "seconds": seconds,
        "ended_seconds": seconds + 0.01,
        "main": {"cpu_seconds": main_cpu, "memory_bytes": 100 * MIB},
        "workers": [
            {"pid": pid, "cpu_seconds": cpu, "memory_bytes": None if mib is None else mib * MIB}
            for pid, cpu, mib in workers
        ],
        "shared_memory_bytes": shared * MIB,
        "gpu": None,
    }


SAMPLES = [
    sample(0.0, 1.0, shared=5),
    sample(1.0, 1.5, (7, 0.5, 20), shared=6),
    sample(2.0, 2.0, (7, 1.5, 30), (8, 0.5, 40), shared=9),
    sample(3.0, 2.5, (7, 2.5, 30), (8, 1.5, 20), shared=7),
    sample(4.0, 4.5, (7, 3.5, 90), (8, 2.5, 90), shared=50),
]


def test_an_epoch_is_what_its_own_samples_say() -> None:
    found = usage(SAMPLES, 1.0, 3.5)
    assert found["samples"] == 3
    assert found["main_cpu_cores"] == pytest.approx(0.5)  # 1 s in 2 s
    assert found["worker_memory_bytes"] == 30 * MIB  # median of 20, 30, 40, 30 and 20 is 30
    assert found["workers_memory_bytes"] == 70 * MIB
    assert found["total_memory_bytes"] == 170 * MIB
    assert found["end_memory_bytes"] == 150 * MIB
    assert found["shared_memory_bytes"] == 4 * MIB  # 9 at its peak, 5 before


def test_a_worker_that_starts_meanwhile_counts_from_its_start() -> None:
    # Worker 7 went from 0.5 to 2.5 s, worker 8 from nothing to 1.5 s, in 2 s.
    assert usage(SAMPLES, 1.0, 3.5)["workers_cpu_cores"] == pytest.approx((2.0 + 1.5) / 2)


def test_a_sample_that_ends_after_the_epoch_is_not_of_it() -> None:
    assert usage(SAMPLES, 1.0, 3.0)["end_memory_bytes"] == 170 * MIB


def test_what_no_sample_has_is_none() -> None:
    without = usage([], 0, 1)
    assert without.pop("samples") == 0
    assert set(without.values()) == {None}
    untold = usage([sample(0.1, 1.0, (7, 1.0, None)), sample(0.5, 1.0, (7, 1.0, None))], 0, 1)
    assert untold["worker_memory_bytes"] is None
    assert untold["total_memory_bytes"] is None
    assert untold["main_cpu_cores"] == 0


def test_what_nvml_reports_is_summed_up_and_the_unsupported_stays_none() -> None:
    told = [
        {
            "utilisation_percent": 40,
            "memory_bytes": 10,
            "clock_mhz": None,
            "clock_events": ["idle"],
        },
        {"utilisation_percent": 60, "memory_bytes": 30, "clock_mhz": None, "clock_events": []},
    ]
    samples = [sample(0.1, 1.0) | {"gpu": told[0]}, sample(0.5, 1.0) | {"gpu": told[1]}]
    found = usage(samples, 0, 1)
    assert found["gpu_utilisation_percent"] == 50
    assert found["gpu_memory_bytes"] == 30
    assert found["gpu_clock_mhz"] is None
    assert found["gpu_clock_events"] == ["idle"]
