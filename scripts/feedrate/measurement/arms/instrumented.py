"""The arm for resources: trained as the timed arm is, watched from a process of its own.

Its times are never used: being watched costs time.
"""

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from feedrate.measurement.arm import Arm, Role

ARM = Arm(
    role=Role.WATCHED,
    meaning="one repetition, never used for timing",
    label="instrumented",
    settings={"sample_seconds": ("resources", "sample_seconds")},
)


def measure(
    specification: Mapping[str, Any], data: Path, batch_timeout_seconds: int
) -> dict[str, Any]:
    """`epochs`: for each, its times and what it used of CPU, memory, shared memory and GPU."""
    from feedrate.measurement.cell import (
        epochs_of,
        make_loader,
        numbered_epoch,
        prepared_dataset,
        warm_up,
    )
    from feedrate.measurement.events import EventTimedTrainer, peak_pinned_bytes
    from feedrate.measurement.sampler import gpu_uuid, watched
    from feedrate.measurement.trainer import make_trainer
    from feedrate.measurement.usage import usage

    dataset = prepared_dataset(specification, data)
    device = specification["device"]["name"]
    trainer = EventTimedTrainer(make_trainer(specification), device)
    warm_up(trainer, specification)
    trainer.busy_seconds()
    epochs, spans = [], []
    with watched(specification["sample_seconds"], gpu_uuid(device)) as watch:
        loader = make_loader(dataset, specification, batch_timeout_seconds)
        for number in epochs_of(specification):
            started = time.monotonic()
            times = numbered_epoch(number, loader, trainer)
            spans.append((started, time.monotonic()))
            epochs.append(
                times
                | {
                    "gpu_busy_seconds": trainer.busy_seconds(),
                    "pinned_memory_bytes": peak_pinned_bytes(device),
                }
            )
        del loader  # ends persistent workers
    return {
        "epochs": [
            epoch | usage(watch.samples, *span) for epoch, span in zip(epochs, spans, strict=True)
        ],
    }
