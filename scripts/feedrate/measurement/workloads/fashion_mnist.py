"""FashionMNIST with the article's CNN: 60,000 grey images of 28 x 28, ten classes."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from feedrate.dataset.registry import DataFile, Dataset
from feedrate.measurement.workload import Paper, Workload

if TYPE_CHECKING:
    from PIL.Image import Image
    from torch import Tensor
    from torchvision.datasets import FashionMNIST

IMAGE_SHAPE = (1, 28, 28)
CLASSES = 10

DATASET = Dataset(
    name="FashionMNIST",
    slug="fashion-mnist",
    files=(
        DataFile(
            name="train-images-idx3-ubyte",
            size=47_040_016,
            sha256="c59f468a2f672dc815687fe0f83887768d799fd8a3f3276145d20f83aa44d888",
        ),
        DataFile(
            name="train-labels-idx1-ubyte",
            size=60_008,
            sha256="bad3541b69d912435c50bb6ba87bec294ff4f6a2e1246121d8633921760443d9",
        ),
        DataFile(
            name="t10k-images-idx3-ubyte",
            size=7_840_016,
            sha256="5b4141f0afbad91edebe8549f8fcffe087ea10ca49f1dbef5c9a5cd8815ce37b",
        ),
        DataFile(
            name="t10k-labels-idx1-ubyte",
            size=10_008,
            sha256="0402a96d92fd2663957122ceb108a494c5af83dab82d92729df917d7dec38c34",
        ),
    ),
    # torchvision.datasets.FashionMNIST.mirrors
    mirrors=("http://fashion-mnist.s3-website.eu-central-1.amazonaws.com/",),
    debian_package="dataset-fashion-mnist",
    debian_folder="usr/share/datasets/fashion-mnist",
)

WORKLOAD = Workload(
    dataset=DATASET,
    images=60_000,
    image_shape=IMAGE_SHAPE,
    classes=CLASSES,
    model="small-cnn",
    citation="FashionMNIST (Xiao, Rasul and Vollgraf 2017, arXiv:1708.07747)",
    paper=Paper(
        title="Fashion-MNIST: a Novel Image Dataset for Benchmarking Machine Learning Algorithms",
        authors="Han Xiao, Kashif Rasul, Roland Vollgraf",
        year="2017",
        identifier="arXiv:1708.07747",
        address="https://arxiv.org/abs/1708.07747",
    ),
)


def training_images(data: Path, images: int, transform: Any) -> "FashionMNIST":
    """The first `images` training images below the folder `data`, each through `transform`."""
    from torchvision.datasets import FashionMNIST

    dataset = FashionMNIST(str(data), train=True, download=False, transform=transform)
    dataset.data = dataset.data[:images]
    dataset.targets = dataset.targets[:images]
    return dataset


def as_tensors(dataset: "FashionMNIST") -> "tuple[Tensor, Tensor]":
    """All images (uint8, N x 1 x 28 x 28) and labels of `dataset`, before its transform."""
    return dataset.data.unsqueeze(1), dataset.targets


def example() -> "Image":
    """A grey image of noise, as a transform gets it."""
    import torch
    from PIL import Image

    pixels = torch.randint(256, IMAGE_SHAPE[1:], dtype=torch.uint8)
    return Image.fromarray(pixels.numpy())
