"""What consumes the batches: a model on a device, or an emulated accelerator."""

import time
from collections.abc import Mapping
from typing import Any, Protocol

import torch
from torch import Tensor, nn

from feedrate.measurement.members import member


class DeviceMissing(RuntimeError):
    """The device that the experiment names isn't available."""


class Trainer(Protocol):
    """Trains one step per batch; steps may still be running until `synchronize`."""

    def step(self, images: Tensor, labels: Tensor) -> None: ...

    def synchronize(self) -> None: ...

    def mean_loss(self) -> float | None:
        """Mean loss per batch since the last call; None where nothing is trained."""
        ...


class TorchTrainer:
    """The article's training: forward, cross-entropy, backward and Adam, in FP32 without TF32."""

    def __init__(self, device: str, model: nn.Module, learning_rate: float) -> None:
        self._device = open_device(device)
        self._model = model.to(self._device)
        self._loss = nn.CrossEntropyLoss()
        self._optimizer = torch.optim.Adam(self._model.parameters(), lr=learning_rate)
        self._loss_sum = torch.zeros((), device=self._device)
        self._steps = 0

    def step(self, images: Tensor, labels: Tensor) -> None:
        images = images.to(self._device, non_blocking=True)
        labels = labels.to(self._device, non_blocking=True)
        self._optimizer.zero_grad(set_to_none=True)
        loss = self._loss(self._model(images), labels)
        loss.backward()
        self._optimizer.step()
        self._loss_sum += loss.detach()
        self._steps += 1

    def synchronize(self) -> None:
        synchronize(self._device)

    def mean_loss(self) -> float | None:
        mean = self._loss_sum.item() / max(1, self._steps)
        self._loss_sum.zero_()
        self._steps = 0
        return mean


class EmulatedTrainer:
    """An accelerator of a given rate that this machine doesn't have.

    A step keeps it busy for `len(images) / images_per_second` and touches no data, as the
    accelerators of MLPerf Storage do. Like a real one it works asynchronously: a step returns once
    the step before it has ended.
    """

    def __init__(self, images_per_second: float) -> None:
        self._seconds_per_image = 1 / images_per_second
        self._busy_until = time.perf_counter()

    def step(self, images: Tensor, labels: Tensor) -> None:
        previous = self._busy_until
        start = max(previous, time.perf_counter())
        self._busy_until = start + len(images) * self._seconds_per_image
        self._wait_until(previous)

    def synchronize(self) -> None:
        self._wait_until(self._busy_until)

    def mean_loss(self) -> float | None:
        return None

    @staticmethod
    def _wait_until(moment: float) -> None:
        remaining = moment - time.perf_counter()
        if remaining > 0:
            time.sleep(remaining)


def make_trainer(specification: Mapping[str, Any]) -> Trainer:
    """The trainer on a specification's `device`; DeviceMissing if it isn't available."""
    device, training = specification["device"], specification["training"]
    if device["name"] == "emulated":
        return EmulatedTrainer(device["images_per_second"])
    model = member("models", training["model"]).build()
    return TorchTrainer(device["name"], model, training["learning_rate"])


def batch_device(name: str) -> torch.device:
    """Where batches go; an emulated device leaves them in main memory."""
    return open_device("cpu" if name == "emulated" else name)


def synchronize(device: torch.device) -> None:
    """Wait until `device` has finished its queued work."""
    if device.type != "cpu":
        getattr(torch, device.type).synchronize()


def open_device(name: str) -> torch.device:
    """The torch device `name`, with TF32 off; never a fallback to another one."""
    if name != "cpu":
        backend = torch.backends.mps if name == "mps" else getattr(torch, name)
        if not backend.is_available():
            raise DeviceMissing(
                f"device {name} is not available to torch {torch.__version__}; "
                "set `device` in config.yaml to auto, cpu or emulated"
            )
    torch.backends.cuda.matmul.fp32_precision = "ieee"
    torch.backends.cudnn.conv.fp32_precision = "ieee"  # type: ignore[attr-defined]
    # A module of the user's may have allowed bfloat16 on the CPU (set_float32_matmul_precision).
    torch.backends.mkldnn.matmul.fp32_precision = "ieee"  # type: ignore[attr-defined]
    torch.backends.mkldnn.conv.fp32_precision = "ieee"  # type: ignore[attr-defined]
    return torch.device(name)
