"""Ceiling without workers: the whole dataset on the device, transformed there batch by batch.

A random transform draws once for a batch here, and once for an image in a loader: the work is
comparable, the augmentation is not the same.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast

import torch
from torch import Tensor
from torchvision import transforms as first_api
from torchvision.transforms import v2 as second_api

from feedrate.measurement.cell import seed_and_threads, training_images, warm_up
from feedrate.measurement.steps import time_steps
from feedrate.measurement.trainer import batch_device, make_trainer
from feedrate.measurement.transforms import Transform, build_condition


def measure(
    specification: Mapping[str, Any], data: Path, batch_timeout_seconds: int
) -> dict[str, Any]:
    """Seconds of epochs without a loader, or why the arm is `not_applicable`."""
    seed_and_threads(specification)
    name = specification["device"]["name"]
    if name == "emulated":
        return {"not_applicable": "an emulated device holds no data"}
    transform = batched(build_condition(specification["condition"]))
    device = batch_device(name)
    refusal = _refusal(transform, device)
    if refusal:
        return {"not_applicable": refusal}
    dataset = training_images(data, transform, specification["dataset"]["images"])
    images, labels = dataset.data.unsqueeze(1).to(device), dataset.targets.to(device)
    size = specification["loader"]["batch_size"]
    trainer = make_trainer(specification["device"], specification["training"]["learning_rate"])
    warm_up(trainer, size)
    return {
        "epochs": [
            {"epoch": epoch, **time_steps(_batches(images, labels, transform, size), trainer)}
            for epoch in range(1, specification["training"]["epochs"] + 1)
        ]
    }


def _batches(
    images: Tensor, labels: Tensor, transform: Transform, size: int
) -> Iterator[tuple[Tensor, Tensor]]:
    """The dataset once, in a new random order."""
    order = torch.randperm(len(images), device=images.device)
    for chosen in order.split(size):
        yield transform(images[chosen]), labels[chosen]


def _refusal(transform: Transform, device: torch.device) -> str | None:
    """Why `transform` can't take a batch of images on `device`; None if it can."""
    batch = torch.randint(256, (4, 1, 28, 28), dtype=torch.uint8).to(device)
    try:
        result = transform(batch)
    except Exception as error:  # whatever a transform raises that expects one image
        return f"the transforms don't take a batch on the device: {type(error).__name__}: {error}"
    if (
        not isinstance(result, Tensor)
        or result.shape != batch.shape
        or result.dtype != torch.float32
    ):
        return "the transforms don't give a batch of float images for a batch on the device"
    return None


def batched(transform: Transform) -> Transform:
    """The same for a batch of uint8 images on a device, where there is no PIL image to convert."""
    match transform:
        case first_api.Compose() | second_api.Compose():
            return cast(Transform, first_api.Compose([batched(t) for t in transform.transforms]))
        case first_api.ToTensor() | second_api.ToTensor():
            return cast(Transform, first_api.ConvertImageDtype(torch.float32))
        case first_api.PILToTensor() | second_api.PILToTensor() | second_api.ToImage():
            return cast(Transform, torch.nn.Identity())
        case _:
            return transform
