"""Try conditions and the device before anything is measured.

`python -m feedrate.measurement.rehearse` reads a rehearsal's request on standard input and
prints what it found, as JSON. Its times serve to forecast how long a run takes; they aren't
measurements.
"""

import json
import os
import sys
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import psutil

from feedrate.measurement.members import member
from feedrate.measurement.process import forget_foreign_settings, read_request, take_answer

if TYPE_CHECKING:
    from feedrate.measurement.trainer import Trainer

SAMPLES = 512
STEPS = 10


def main() -> None:
    forget_foreign_settings()
    answer = take_answer()
    request = read_request()
    del sys.argv[1:]
    started = time.perf_counter()

    import torch  # noqa: F401
    import torchvision  # noqa: F401

    imported = time.perf_counter()
    found = {
        "process": {
            "import_seconds": imported - started,
            "memory_bytes": psutil.Process().memory_info().rss,
        },
        "device": try_device(request["specification"], request["batch_sizes"]),
        "conditions": {
            name: try_condition(condition, request["specification"]["workload"]["name"])
            for name, condition in request["conditions"].items()
        },
    }
    with os.fdopen(answer, "w") as stream:
        json.dump(found, stream)


def try_condition(condition: Mapping[str, Any], workload: str) -> dict[str, Any]:
    """`load_seconds_per_image` of a condition in one process, or the `error` that it gives."""
    import torch
    from torch.utils.data import default_collate

    from feedrate.measurement.state import StateChanged, keeping_state, same_state
    from feedrate.measurement.transforms import build_condition

    contract = member("workloads", workload)
    torch.manual_seed(0)
    try:
        with keeping_state():
            transform = build_condition(condition)
        with keeping_state(), same_state():
            result = transform(contract.example())
    except StateChanged as error:
        return {"error": str(error)}
    except SystemExit as error:
        return {"error": f"one of its modules exits when it is imported (exit {error})"}
    except Exception as error:  # whatever a transform raises, the user must see
        return {"error": f"{type(error).__name__}: {error}"}
    if not isinstance(result, torch.Tensor):
        return {
            "error": f"gives a {type(result).__name__}, not a tensor; end the list with "
            + ("ToTensor" if condition["api"] == "v1" else "ToImage and ToDtype")
        }
    if result.shape != contract.IMAGE_SHAPE or result.dtype != torch.float32:
        return {
            "error": f"gives {tuple(result.shape)} of {result.dtype}; the model takes "
            f"{contract.IMAGE_SHAPE} of torch.float32"
        }
    started = time.perf_counter()
    try:
        default_collate([transform(contract.example()) for _ in range(SAMPLES)])
    except Exception as error:  # such as results of different shapes
        return {"error": f"the results of {SAMPLES} images can't form a batch: {error}"}
    return {"load_seconds_per_image": (time.perf_counter() - started) / SAMPLES}


def try_device(specification: Mapping[str, Any], sizes: Sequence[int]) -> dict[str, Any]:
    """`step_seconds` on the device by batch size, or the `error` that it gives."""
    import torch

    from feedrate.measurement.trainer import DeviceMissing, make_trainer

    torch.set_num_threads(specification["threads"])
    try:
        trainer = make_trainer(specification)
        return {
            "step_seconds": {size: _step_seconds(trainer, specification, size) for size in sizes}
        }
    except (DeviceMissing, RuntimeError) as error:
        return {"error": f"{error}{build_of(specification['device']['name'])}"}


def _step_seconds(trainer: "Trainer", specification: Mapping[str, Any], size: int) -> float:
    from feedrate.measurement.cell import synthetic_batch, warm_up

    sized = {**specification, "loader": {"batch_size": size}}
    warm_up(trainer, sized)
    batch = synthetic_batch(sized)
    started = time.perf_counter()
    for _ in range(STEPS):
        trainer.step(*batch)
    trainer.synchronize()
    return (time.perf_counter() - started) / STEPS


def build_of(device: str) -> str:
    """The GPU and what torch was built for: a mismatch is why most kernels can't be launched."""
    import torch

    if device != "cuda" or not torch.cuda.is_available():
        return ""
    capability = "".join(map(str, torch.cuda.get_device_capability()))
    return (
        f"\n    The GPU is {torch.cuda.get_device_name()} (sm_{capability}); torch "
        f"{torch.__version__} is built for {', '.join(torch.cuda.get_arch_list())}. If the GPU's "
        "isn't among them, install a build of torch that supports it."
    )


if __name__ == "__main__":
    main()
