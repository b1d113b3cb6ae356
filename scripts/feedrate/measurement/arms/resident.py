"""Ceiling without workers: the whole dataset on the device, transformed there batch by batch.

A random transform draws once for a batch here, and once for an image in a loader: the work is
comparable, the augmentation is not the same.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from feedrate.measurement.arm import Arm, Role, Scope
from feedrate.measurement.members import member

if TYPE_CHECKING:
    from torch import Tensor

    from feedrate.measurement.transforms import Transform

ARM = Arm(
    role=Role.CEILING,
    meaning="training on the dataset on the device, transformed there in batches",
    label="dataset on the device",
    scope=Scope.CONDITION,
)


def measure(
    specification: Mapping[str, Any], data: Path, batch_timeout_seconds: int
) -> dict[str, Any]:
    """Seconds of epochs without a loader, or why the arm is `not_applicable`."""
    from feedrate.measurement.cell import epochs_of, prepared_dataset, warm_up
    from feedrate.measurement.steps import time_steps
    from feedrate.measurement.trainer import batch_device, make_trainer

    name = specification["device"]["name"]
    workload = member("workloads", specification["workload"]["name"])
    if name == "emulated":
        return {"not_applicable": "an emulated device holds no data"}
    if not hasattr(workload, "as_tensors"):
        return {"not_applicable": "the dataset doesn't fit on the device as one tensor"}
    dataset = prepared_dataset(specification, data)
    transform = batched(dataset.transform)
    device = batch_device(name)
    images, labels = (each.to(device) for each in workload.as_tensors(dataset))
    refusal = _refusal(transform, images[:4], workload.IMAGE_SHAPE)
    if refusal:
        return {"not_applicable": refusal}
    size = specification["loader"]["batch_size"]
    trainer = make_trainer(specification)
    warm_up(trainer, specification)
    return {
        "epochs": [
            {"epoch": epoch, **time_steps(_batches(images, labels, transform, size), trainer)}
            for epoch in epochs_of(specification)
        ]
    }


def _batches(
    images: "Tensor", labels: "Tensor", transform: "Transform", size: int
) -> "Iterator[tuple[Tensor, Tensor]]":
    """The dataset once, in a new random order."""
    import torch

    order = torch.randperm(len(images), device=images.device)
    for chosen in order.split(size):
        yield transform(images[chosen]), labels[chosen]


def _refusal(transform: "Transform", batch: "Tensor", image_shape: tuple[int, ...]) -> str | None:
    """Why `transform` can't take a batch of images on their device; None if it can."""
    import torch

    try:
        result = transform(batch)
    except Exception as error:  # whatever a transform raises that expects one image
        return f"the transforms don't take a batch on the device: {type(error).__name__}: {error}"
    if (
        not isinstance(result, torch.Tensor)
        or result.shape != (len(batch), *image_shape)
        or result.dtype != torch.float32
    ):
        return "the transforms don't give a batch of float images for a batch on the device"
    return None


def batched(transform: "Transform") -> "Transform":
    """The same for a batch of uint8 images on a device, where there is no PIL image to convert."""
    import torch
    from torchvision import transforms as first_api
    from torchvision.transforms import v2 as second_api

    match transform:
        case first_api.Compose() | second_api.Compose():
            steps = [batched(step) for step in transform.transforms]
            return cast("Transform", first_api.Compose(steps))
        case first_api.ToTensor() | second_api.ToTensor():
            return cast("Transform", first_api.ConvertImageDtype(torch.float32))
        case first_api.PILToTensor() | second_api.PILToTensor() | second_api.ToImage():
            return cast("Transform", torch.nn.Identity())
        case _:
            return transform
