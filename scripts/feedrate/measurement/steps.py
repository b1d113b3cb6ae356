"""Training steps on batches that lie on the device, timed without a loader."""

import time
from collections.abc import Iterable
from typing import Any

from torch import Tensor

from feedrate.measurement.trainer import Trainer


def time_steps(batches: Iterable[tuple[Tensor, Tensor]], trainer: Trainer) -> dict[str, Any]:
    """Train on `batches` that lie on the device: `seconds`, `images` and `batches`."""
    trainer.synchronize()
    started = time.perf_counter()
    images = steps = 0
    for batch in batches:
        trainer.step(*batch)
        images += len(batch[1])
        steps += 1
    trainer.synchronize()
    return {"seconds": time.perf_counter() - started, "images": images, "batches": steps}
