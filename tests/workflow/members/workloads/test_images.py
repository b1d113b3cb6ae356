"""FashionMNIST's test images, as if they were there to train on."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from feedrate.measurement.workload import Workload
from feedrate.measurement.workloads import fashion_mnist
from feedrate.measurement.workloads.fashion_mnist import example

if TYPE_CHECKING:
    from torchvision.datasets import FashionMNIST

__all__ = ["CLASSES", "IMAGE_SHAPE", "example"]

IMAGE_SHAPE = (1, 28, 28)
CLASSES = 10

WORKLOAD = Workload(
    dataset=fashion_mnist.DATASET,
    images=10_000,
    image_shape=IMAGE_SHAPE,
    classes=CLASSES,
    model="small-cnn",
    citation=fashion_mnist.WORKLOAD.citation,
    paper=fashion_mnist.WORKLOAD.paper,
)


def training_images(data: Path, images: int, transform: Any) -> "FashionMNIST":
    """The first `images` test images below the folder `data`."""
    from torchvision.datasets import FashionMNIST

    dataset = FashionMNIST(str(data), train=False, download=False, transform=transform)
    dataset.data = dataset.data[:images]
    dataset.targets = dataset.targets[:images]
    return dataset
