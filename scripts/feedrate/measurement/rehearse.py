"""Try conditions and the device before anything is measured.

`python -m feedrate.measurement.rehearse` reads a rehearsal's request on standard input and
prints what it found, as JSON. The times serve to foretell how long a run takes; they are no
measurement.
"""

import json
import sys
import time
from collections.abc import Mapping
from typing import Any

import psutil

from feedrate.measurement.process import die_with_parent, forget_thread_limits

SAMPLES = 512


def main() -> None:
    die_with_parent()
    forget_thread_limits()
    request = json.load(sys.stdin)
    started = time.perf_counter()

    import torch  # noqa: F401
    import torchvision  # noqa: F401

    imported = time.perf_counter()
    found = {
        "process": {
            "import_seconds": imported - started,
            "memory_bytes": psutil.Process().memory_info().rss,
        },
        "conditions": {
            name: try_condition(condition) for name, condition in request["conditions"].items()
        },
        "device": try_device(request),
    }
    json.dump(found, sys.stdout)


def try_condition(condition: Mapping[str, Any]) -> dict[str, Any]:
    """`load_seconds_per_image` of a condition in one process, or the `error` that it gives."""
    import torch
    from PIL import Image
    from torch.utils.data import default_collate

    from feedrate.measurement.transforms import build_condition

    pixels = torch.randint(256, (28, 28), dtype=torch.uint8, generator=torch.manual_seed(0))
    try:
        transform = build_condition(condition)
        result = transform(Image.fromarray(pixels.numpy()))
    except Exception as error:  # whatever a transform raises, the user must see
        return {"error": f"{type(error).__name__}: {error}"}
    if not isinstance(result, torch.Tensor):
        return {
            "error": f"gives a {type(result).__name__}, no tensor; end the list with "
            + ("ToTensor" if condition["api"] == "v1" else "ToImage and ToDtype")
        }
    if result.shape != (1, 28, 28) or result.dtype != torch.float32:
        return {
            "error": f"gives {tuple(result.shape)} of {result.dtype}; the model takes "
            "(1, 28, 28) of torch.float32"
        }
    started = time.perf_counter()
    default_collate([transform(Image.fromarray(pixels.numpy())) for _ in range(SAMPLES)])
    return {"load_seconds_per_image": (time.perf_counter() - started) / SAMPLES}


def try_device(request: Mapping[str, Any]) -> dict[str, Any]:
    """`step_seconds` of one batch on the device, or the `error` that it gives."""
    import torch

    from feedrate.measurement.trainer import DeviceMissing, make_trainer

    torch.set_num_threads(request["threads"])
    size = request["batch_size"]
    images, labels = torch.randn(size, 1, 28, 28), torch.randint(10, (size,))
    try:
        trainer = make_trainer(request["device"], learning_rate=0.001)
        trainer.step(images, labels)
        trainer.synchronize()
    except (DeviceMissing, RuntimeError) as error:
        return {"error": f"{error}{build_of(request['device']['name'])}"}
    steps = 10
    started = time.perf_counter()
    for _ in range(steps):
        trainer.step(images, labels)
    trainer.synchronize()
    return {"step_seconds": (time.perf_counter() - started) / steps}


def build_of(device: str) -> str:
    """The GPU and what torch was built for: a kernel that can't be launched is mostly theirs."""
    import torch

    if device != "cuda" or not torch.cuda.is_available():
        return ""
    capability = "".join(map(str, torch.cuda.get_device_capability()))
    return (
        f"\n    The GPU is {torch.cuda.get_device_name()} (sm_{capability}); torch "
        f"{torch.__version__} is built for {', '.join(torch.cuda.get_arch_list())}. Where its own "
        "is missing, install a torch that has it."
    )


if __name__ == "__main__":
    main()
