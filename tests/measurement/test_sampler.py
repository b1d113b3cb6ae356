import multiprocessing
import os
import time

import psutil
import pynvml
import pytest

from feedrate.measurement import sampler


def wait(seconds: float) -> None:
    time.sleep(seconds)


@pytest.mark.slow
def test_the_main_process_and_its_workers_are_watched_from_outside() -> None:
    with sampler.watched(0.05, gpu_uuid=None) as watch:
        worker = multiprocessing.get_context("fork").Process(target=wait, args=(0.6,))
        worker.start()
        worker.join()
        time.sleep(0.2)
        assert watch.samples == []
    assert len(watch.samples) > 5
    seen = [
        [found for found in each["workers"] if found["pid"] == worker.pid] for each in watch.samples
    ]
    assert seen[-1] == []
    (first,) = next(each for each in seen if each)
    assert first["cpu_seconds"] >= 0
    assert watch.samples[0]["main"]["memory_bytes"] > 2**20
    seconds = [each["seconds"] for each in watch.samples]
    assert seconds == sorted(seconds)
    assert abs(seconds[-1] - time.monotonic()) < 5  # the clock of both processes


def test_a_process_that_has_ended_has_no_usage() -> None:
    process = multiprocessing.get_context("fork").Process(target=wait, args=(0,))
    process.start()
    watched = psutil.Process(process.pid)
    process.join()
    assert sampler._usage(watched) is None
    assert sampler._usage(psutil.Process(os.getpid())) is not None


def test_memory_is_read_for_a_tenth_of_the_time() -> None:
    assert sampler.pause(0.1) == pytest.approx(0.9)


def test_memory_is_read_into_a_sample_and_of_those_alive() -> None:
    taken = sampler.sample(psutil.Process(), None)
    assert taken["main"]["memory_bytes"] is None
    taken["workers"] = [{"pid": 2**22 + 1, "cpu_seconds": 0.0, "memory_bytes": None}]
    assert sampler.add_memory(taken) > 0
    assert (taken["main"]["memory_bytes"] or 0) > 2**20
    assert taken["workers"][0]["memory_bytes"] is None


def test_clock_events_have_names() -> None:
    bits = pynvml.nvmlClocksEventReasonSwPowerCap | pynvml.nvmlClocksEventReasonGpuIdle
    assert sampler.clock_events(bits) == ["idle", "power cap"]
    assert sampler.clock_events(0) == []


def test_what_a_gpu_does_not_support_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise pynvml.NVMLError(pynvml.NVML_ERROR_NOT_SUPPORTED)

    for name in ("UtilizationRates", "MemoryInfo", "ClockInfo", "CurrentClocksEventReasons"):
        monkeypatch.setattr(pynvml, f"nvmlDeviceGet{name}", refuse)
    assert set(sampler.gpu_sample(object()).values()) == {None}


def test_without_cuda_no_gpu_is_watched() -> None:
    assert sampler.gpu_uuid("cpu") is None
    assert sampler.open_gpu("GPU-none") is None
