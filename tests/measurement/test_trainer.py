import time
from typing import Any

import pytest
import torch

from feedrate.measurement.models import small_cnn
from feedrate.measurement.trainer import (
    DeviceMissing,
    EmulatedTrainer,
    TorchTrainer,
    make_trainer,
    open_device,
)


def specification(device: str) -> dict[str, Any]:
    return {
        "device": {"name": device},
        "training": {"model": "small-cnn", "learning_rate": 0.001},
    }


def test_training_learns() -> None:
    torch.manual_seed(0)
    trainer = TorchTrainer("cpu", small_cnn.build(), learning_rate=0.01)
    images, labels = torch.randn(32, 1, 28, 28), torch.randint(10, (32,))
    losses = []
    for _ in range(30):
        trainer.step(images, labels)
        losses.append(trainer.mean_loss())
    assert losses[0] == pytest.approx(2.3, abs=0.3)  # ln 10: it knows nothing yet
    assert losses[-1] is not None
    assert losses[-1] < 0.5


def test_an_absent_device_is_an_error_and_no_fallback() -> None:
    absent = next(
        name
        for name, backend in (("xpu", torch.xpu), ("mps", torch.backends.mps), ("cuda", torch.cuda))
        if not backend.is_available()
    )
    with pytest.raises(DeviceMissing, match=f"{absent}.*auto, cpu or emulated"):
        make_trainer(specification(absent))


def test_an_emulated_epoch_lasts_as_long_as_its_rate_says() -> None:
    trainer = EmulatedTrainer(images_per_second=10_000)
    images = torch.empty(500)
    started = time.perf_counter()
    for _ in range(4):
        trainer.step(images, images)
    trainer.synchronize()
    # At least: 2,000 images at 10,000 a second. A busy machine can only make it longer.
    assert time.perf_counter() - started >= 0.2
    assert trainer.mean_loss() is None


def test_an_emulated_step_runs_behind_the_caller() -> None:
    trainer = EmulatedTrainer(images_per_second=1)
    started = time.perf_counter()
    trainer.step(torch.empty(60), torch.empty(60))
    assert time.perf_counter() - started < 30  # the step itself takes 60 s


def test_a_device_trains_in_fp32_whatever_a_module_has_allowed() -> None:
    before = torch.get_float32_matmul_precision()
    torch.set_float32_matmul_precision("medium")
    try:
        open_device("cpu")
        precisions = [
            torch.backends.mkldnn.matmul.fp32_precision,  # type: ignore[attr-defined]
            torch.backends.mkldnn.conv.fp32_precision,  # type: ignore[attr-defined]
        ]
    finally:
        torch.set_float32_matmul_precision(before)
    assert precisions == ["ieee", "ieee"]
