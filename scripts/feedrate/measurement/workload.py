"""What a workload is: data, the shape that its transforms must give, a model, and a citation."""

from dataclasses import dataclass

from feedrate.dataset.registry import Dataset


@dataclass(frozen=True)
class Paper:
    """Where a dataset is described."""

    title: str
    authors: str
    year: str
    identifier: str
    address: str


@dataclass(frozen=True)
class Workload:
    """A workload as the plan and the report describe it.

    `images` is the size of the training set, `classes` the number of its classes; transforms must
    give float tensors of `image_shape` (channels, height, width). `model` is the default of
    `training.model`. The module of a workload has `training_images(data, images, transform)`,
    `example()` (an image as its transforms get it), IMAGE_SHAPE and CLASSES and, if its images fit
    on a device as one tensor, `as_tensors(dataset)`.
    """

    dataset: Dataset
    images: int
    image_shape: tuple[int, int, int]
    classes: int
    model: str
    citation: str
    paper: Paper


@dataclass(frozen=True)
class Model:
    """A model as the plan and the report describe it; its module's `build` builds it."""

    image_shape: tuple[int, int, int]
    classes: int
    parameters: int
    title: str
