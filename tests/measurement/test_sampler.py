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
    (found,) = next(each for each in seen if each)
    assert 0 < found["memory_bytes"] < watch.samples[0]["main"]["memory_bytes"] * 1.5
    seconds = [each["seconds"] for each in watch.samples]
    assert seconds == sorted(seconds)
    assert abs(seconds[-1] - time.monotonic()) < 5  # the clock of both processes


def test_a_process_that_has_ended_is_no_usage() -> None:
    process = multiprocessing.get_context("fork").Process(target=wait, args=(0,))
    process.start()
    watched = psutil.Process(process.pid)
    process.join()
    assert sampler._usage(watched) is None
    assert sampler._usage(psutil.Process(os.getpid())) is not None


@pytest.mark.parametrize(
    ("sample_seconds", "wait_seconds"),
    [(0.01, 0.24), (0.1, 0.9)],  # a tenth of the time at most
)
def test_samples_that_take_long_are_taken_more_rarely(
    sample_seconds: float, wait_seconds: float
) -> None:
    taken = {"seconds": 5.0, "ended_seconds": 5.0 + sample_seconds}
    assert sampler.pause(taken, 0.25) == pytest.approx(wait_seconds)


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
