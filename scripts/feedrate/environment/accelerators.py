"""Accelerators, found without importing torch."""

import os
import platform
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pynvml

from feedrate.environment.packages import torch_builds

PINNING_DEVICES = ("cuda", "xpu")
"""Devices whose copies from page-locked memory differ from pageable ones."""


@dataclass(frozen=True)
class Gpu:
    """An NVIDIA GPU as its driver names it."""

    name: str
    memory_gib: int
    driver: str

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def visible_nvidia_gpus() -> list[Gpu]:
    """NVIDIA GPUs that a CUDA program started from here would see, in its order.

    NVML itself ignores CUDA_VISIBLE_DEVICES, which names indices or UUIDs.
    """
    try:
        pynvml.nvmlInit()
    except pynvml.NVMLError:
        return []
    try:
        driver = pynvml.nvmlSystemGetDriverVersion()
        handles = [pynvml.nvmlDeviceGetHandleByIndex(i) for i in range(pynvml.nvmlDeviceGetCount())]
        return [
            Gpu(
                name=pynvml.nvmlDeviceGetName(handle),
                memory_gib=round(pynvml.nvmlDeviceGetMemoryInfo(handle).total / 2**30),
                driver=driver,
            )
            for handle in _visible(handles, os.environ.get("CUDA_VISIBLE_DEVICES"))
        ]
    except pynvml.NVMLError:
        return []
    finally:
        pynvml.nvmlShutdown()


def _visible(handles: list[Any], setting: str | None) -> list[Any]:
    if setting is None:
        return handles
    chosen = []
    for entry in (part.strip() for part in setting.split(",")):
        named = [
            handle
            for index, handle in enumerate(handles)
            if entry == str(index) or (entry and pynvml.nvmlDeviceGetUUID(handle).startswith(entry))
        ]
        if not named:
            break  # CUDA ignores everything after the first name that it doesn't know
        chosen += named
    return chosen


def resolve_device(name: str) -> str:
    """The device that `auto` stands for here: CUDA, else XPU, else MPS, else the CPU.

    Any other name is returned as it is; whether it exists is for the measuring process to find out.
    """
    if name != "auto":
        return name
    builds = torch_builds()
    if "cuda" in builds and visible_nvidia_gpus():
        return "cuda"
    if "xpu" in builds and any(Path("/dev/dri").glob("renderD*")):
        return "xpu"
    if platform.system() == "Darwin" and platform.machine() == "arm64":
        return "mps"
    return "cpu"
