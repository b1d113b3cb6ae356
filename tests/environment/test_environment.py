import json
import os
import platform
from pathlib import Path

import psutil
import pytest

from feedrate.environment import accelerators, description, machine
from feedrate.environment.accelerators import resolve_device
from feedrate.environment.packages import measuring_packages, torch_builds


def test_the_fingerprint_is_the_same_twice_and_names_nobody() -> None:
    first = machine.fingerprint()
    assert first == machine.fingerprint()
    text = json.dumps(description.description(Path.home()))
    assert platform.node() not in text
    assert os.path.expanduser("~") not in text


def test_versions_are_those_that_are_imported() -> None:
    import torch

    packages = measuring_packages()
    # Only of some builds does the package's version name the build, as in 2.14.1+cpu.
    assert torch.__version__.startswith(packages["torch"])
    assert packages["python"] == platform.python_version()
    assert ("cuda" in torch_builds()) == (torch.version.cuda is not None)


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="needs CPU affinity")
def test_usable_cores_follow_the_affinity() -> None:
    allowed = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, {min(allowed)})
        assert machine.usable_cores() == 1
        assert machine.torch_threads() == 1
    finally:
        os.sched_setaffinity(0, allowed)


def test_unknown_physical_cores_are_a_value(monkeypatch: pytest.MonkeyPatch) -> None:
    real = psutil.cpu_count
    monkeypatch.setattr(psutil, "cpu_count", lambda logical: real(logical) if logical else None)
    assert machine.fingerprint()["physical_cores"] is None
    assert machine.torch_threads() == machine.usable_cores()


def test_a_quota_counts_rounded_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "affinity_cores", lambda: 8)
    monkeypatch.setattr(machine, "first_line", lambda path: "150000 100000")
    assert machine.quota_cores() == 1.5
    assert machine.usable_cores() == 2
    monkeypatch.setattr(machine, "first_line", lambda path: "max 100000")
    assert machine.quota_cores() is None
    assert machine.usable_cores() == 8


def test_a_cgroups_limit_bounds_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    limits = {"memory.max": "3000", "memory.current": "1000"}
    monkeypatch.setattr(description, "first_line", lambda path: limits.get(path.rpartition("/")[2]))
    assert description.available_memory() == 2000
    limits["memory.max"] = "max"
    assert description.available_memory() > 2000


@pytest.mark.parametrize(
    ("device", "disk"),
    [("sda1", "sda"), ("vda", "vda"), ("nvme0n1p2", "nvme0n1"), ("mmcblk0p1", "mmcblk0")],
)
def test_a_partition_lies_on_its_disk(device: str, disk: str) -> None:
    assert description.disk_of(device) == disk


def test_the_storage_of_a_folder_has_a_file_system() -> None:
    assert description.storage(Path("/proc/self")) == "proc"


class Nvml:
    """NVML with two GPUs, as far as it is asked."""

    NVMLError = RuntimeError
    uuids = ("GPU-aaaa", "GPU-bbbb")

    def nvmlInit(self) -> None: ...  # noqa: N802
    def nvmlShutdown(self) -> None: ...  # noqa: N802
    def nvmlSystemGetDriverVersion(self) -> str:  # noqa: N802
        return "999.1"

    def nvmlDeviceGetCount(self) -> int:  # noqa: N802
        return len(self.uuids)

    def nvmlDeviceGetHandleByIndex(self, index: int) -> int:  # noqa: N802
        return index

    def nvmlDeviceGetUUID(self, handle: int) -> str:  # noqa: N802
        return self.uuids[handle]

    def nvmlDeviceGetName(self, handle: int) -> str:  # noqa: N802
        return f"GPU {handle}"

    def nvmlDeviceGetMemoryInfo(self, handle: int) -> object:  # noqa: N802
        return type("Memory", (), {"total": 16 * 2**30})()


@pytest.mark.parametrize(
    ("setting", "names"),
    [
        (None, ["GPU 0", "GPU 1"]),
        ("1", ["GPU 1"]),
        ("1,0", ["GPU 1", "GPU 0"]),
        ("GPU-bb", ["GPU 1"]),
        ("", []),
        ("-1", []),
        ("0,7,1", ["GPU 0"]),
    ],
)
def test_gpus_are_those_that_cuda_would_see(
    monkeypatch: pytest.MonkeyPatch, setting: str | None, names: list[str]
) -> None:
    monkeypatch.setattr(accelerators, "pynvml", Nvml())
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    if setting is not None:
        monkeypatch.setenv("CUDA_VISIBLE_DEVICES", setting)
    assert [gpu.name for gpu in accelerators.visible_nvidia_gpus()] == names


def test_auto_takes_cuda_where_torch_and_a_gpu_have_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(accelerators, "pynvml", Nvml())
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    monkeypatch.setattr(accelerators, "torch_builds", lambda: {"cuda"})
    assert resolve_device("auto") == "cuda"
    monkeypatch.setattr(accelerators, "torch_builds", set)
    assert resolve_device("auto") != "cuda"
    assert resolve_device("cpu") == "cpu"
