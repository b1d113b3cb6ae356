"""A process that watches the measuring process from outside.

It runs separately, so that sampling takes no time from the main process. When told to stop, it
prints its samples as JSON. Times are those of the system's monotonic clock, the same in both.
"""

import argparse
import contextlib
import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import psutil
import pynvml

Sample = dict[str, Any]
"""`seconds` and `ended_seconds`, when it began and ended; `main` and `workers` (a list): `pid`,
`cpu_seconds` and `memory_bytes` (PSS, None where it wasn't read or the system doesn't report it);
`shared_memory_bytes`; `gpu`, None or what NVML reported."""

LARGEST_SHARE = 0.1
"""Share of the time that reading memory may take."""

CLOCK_EVENTS = {
    "GpuIdle": "idle",
    "ApplicationsClocksSetting": "application clocks",
    "SwPowerCap": "power cap",
    "HwSlowdown": "hardware slowdown",
    "SyncBoost": "sync boost",
    "SwThermalSlowdown": "software thermal slowdown",
    "HwThermalSlowdown": "hardware thermal slowdown",
    "HwPowerBrakeSlowdown": "power brake",
    "DisplayClockSetting": "display clocks",
}


class Watch:
    """The samples of a sampler, once it has ended."""

    def __init__(self) -> None:
        self.samples: list[Sample] = []


@contextmanager
def watched(interval_seconds: float, gpu_uuid: str | None) -> Iterator[Watch]:
    """Sample this process and its workers while the context lasts.

    The samples are in the Watch afterwards. RuntimeError if the sampler failed.
    """
    # -P: modules in this file's folder must not shadow others of the same name.
    command = [sys.executable, "-P", __file__]
    command += ["--pid", str(os.getpid()), "--interval-seconds", str(interval_seconds)]
    command += ["--gpu-uuid", gpu_uuid] if gpu_uuid else []
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    watch = Watch()
    assert process.stdout is not None
    process.stdout.readline()  # it is sampling now
    try:
        yield watch
    finally:
        # A message, as closing the pipe may not end it: forked workers have its write end, too.
        output, words = process.communicate("stop\n")
    if process.returncode:
        raise RuntimeError(f"the sampler failed: {words.strip()}")
    watch.samples = json.loads(output)


def gpu_uuid(device: str) -> str | None:
    """The UUID by which NVML knows torch's CUDA device; None for any other device."""
    if device != "cuda":
        return None
    import torch

    return f"GPU-{torch.cuda.get_device_properties(torch.cuda.current_device()).uuid}"


def main() -> None:
    arguments = parse_arguments()
    samples = []
    gpu = open_gpu(arguments.gpu_uuid) if arguments.gpu_uuid else None
    main_process = psutil.Process(arguments.pid)
    print("sampling", flush=True)
    memory_due = time.monotonic()
    ended = False
    while not ended:
        taken = sample(main_process, gpu)
        if time.monotonic() >= memory_due:
            memory_due = time.monotonic() + pause(add_memory(taken))
        samples.append(taken)
        wait = max(0.0, taken["seconds"] + arguments.interval_seconds - time.monotonic())
        ended = bool(select.select([sys.stdin], [], [], wait)[0])
    json.dump(samples, sys.stdout)


def pause(memory_seconds: float) -> float:
    """Seconds until memory is read again, after it took `memory_seconds`.

    Reading the memory of many workers holds them up: it may take LARGEST_SHARE of the time.
    """
    return memory_seconds * (1 / LARGEST_SHARE - 1)


def add_memory(taken: Sample) -> float:
    """Read the memory of the processes of a sample into it; returns the seconds that it took.

    Proportional set size counts a page that n processes share as 1/n.
    """
    started = time.monotonic()
    for process in filter(None, [taken["main"], *taken["workers"]]):
        with contextlib.suppress(psutil.Error):
            memory = psutil.Process(process["pid"]).memory_full_info()
            process["memory_bytes"] = getattr(memory, "pss", None)
    taken["ended_seconds"] = time.monotonic()
    return float(taken["ended_seconds"] - started)


def sample(main_process: psutil.Process, gpu: Any) -> Sample:
    """What the main process and its workers have used so far; their memory is still to be read."""
    started = time.monotonic()
    return {
        "seconds": started,
        "main": _usage(main_process),
        "workers": [*filter(None, map(_usage, _workers(main_process)))],
        "shared_memory_bytes": _shared_memory_in_use(),
        "gpu": None if gpu is None else gpu_sample(gpu),
        "ended_seconds": time.monotonic(),
    }


def _workers(main_process: psutil.Process) -> Iterator[psutil.Process]:
    """Descendants of the main process without children: its workers, under a fork server, too."""
    below = main_process.children(recursive=True)
    parents = {_parent(process) for process in below}
    for process in below:
        if process.pid != os.getpid() and process.pid not in parents and not _keeps_books(process):
            yield process


def _parent(process: psutil.Process) -> int | None:
    try:
        return process.ppid()
    except psutil.Error:
        return None


def _keeps_books(process: psutil.Process) -> bool:
    """Whether it is multiprocessing's resource tracker."""
    try:
        return any("resource_tracker" in word for word in process.cmdline())
    except psutil.Error:
        return True


def _usage(process: psutil.Process) -> dict[str, Any] | None:
    """Process id and CPU seconds; None if the process has ended."""
    try:
        cpu = process.cpu_times()
    except psutil.Error:
        return None
    return {"pid": process.pid, "cpu_seconds": cpu.user + cpu.system, "memory_bytes": None}


def _shared_memory_in_use() -> int | None:
    try:
        return int(psutil.disk_usage("/dev/shm").used)
    except OSError:
        return None


def open_gpu(uuid: str) -> Any:
    """NVML's handle for a GPU; None where NVML doesn't know it, as under MIG or WSL."""
    try:
        pynvml.nvmlInit()
        return pynvml.nvmlDeviceGetHandleByUUID(uuid)
    except pynvml.NVMLError:
        return None


def gpu_sample(handle: Any) -> dict[str, Any]:
    """Utilisation, memory, clock and what holds the clock down; None where unsupported."""

    def ask(question: Callable[[], Any]) -> Any:
        try:
            return question()
        except pynvml.NVMLError:
            return None

    reasons = ask(lambda: pynvml.nvmlDeviceGetCurrentClocksEventReasons(handle))
    return {
        "utilisation_percent": ask(lambda: pynvml.nvmlDeviceGetUtilizationRates(handle).gpu),
        "memory_bytes": ask(lambda: int(pynvml.nvmlDeviceGetMemoryInfo(handle).used)),
        "clock_mhz": ask(lambda: pynvml.nvmlDeviceGetClockInfo(handle, pynvml.NVML_CLOCK_SM)),
        "clock_events": None if reasons is None else clock_events(reasons),
    }


def clock_events(bits: int) -> list[str]:
    """The names of the bits that NVML sets when something holds a GPU's clock down."""
    return [
        words
        for name, words in CLOCK_EVENTS.items()
        if bits & getattr(pynvml, f"nvmlClocksEventReason{name}")
    ]


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="feedrate.measurement.sampler", description=__doc__)
    parser.add_argument("--pid", type=int, required=True, help="the measuring process")
    parser.add_argument("--interval-seconds", type=float, required=True, help="between samples")
    parser.add_argument("--gpu-uuid", help="the GPU to watch, if any")
    return parser.parse_args()


if __name__ == "__main__":
    main()
