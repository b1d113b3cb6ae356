"""FashionMNIST's test images, as if they were there to train on."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from feedrate.measurement.workload import Workload
from feedrate.measurement.workloads.fashion_mnist import DATASET, example

if TYPE_CHECKING:
    from torchvision.datasets import FashionMNIST

__all__ = ["CLASSES", "IMAGE_SHAPE", "example"]

IMAGE_SHAPE = (1, 28, 28)
CLASSES = 10

WORKLOAD = Workload(
    dataset=DATASET,
    images=10_000,
    image_shape=IMAGE_SHAPE,
    classes=CLASSES,
    model="small-cnn",
    citation="FashionMNIST (Xiao, Rasul and Vollgraf 2017, arXiv:1708.07747)",
)


def training_images(data: Path, images: int, transform: Any) -> "FashionMNIST":
    """The first `images` test images below the folder `data`."""
    from torchvision.datasets import FashionMNIST

    dataset = FashionMNIST(str(data), train=False, download=False, transform=transform)
    dataset.data = dataset.data[:images]
    dataset.targets = dataset.targets[:images]
    return dataset
