"""The article's model: a CNN for 28 x 28 grey images and ten classes, of 105,866 parameters."""

from typing import TYPE_CHECKING

from feedrate.measurement.workload import Model

if TYPE_CHECKING:
    from torch import nn

MODEL = Model(
    image_shape=(1, 28, 28),
    classes=10,
    parameters=105_866,
    title="A CNN",
)


def build() -> "nn.Module":
    """Two convolutions with ReLU and max-pooling, then two linear layers."""
    from torch import nn

    return nn.Sequential(
        nn.Conv2d(1, 16, kernel_size=3, padding=1),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Conv2d(16, 32, kernel_size=3, padding=1),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Flatten(),
        nn.Linear(32 * 7 * 7, 64),
        nn.ReLU(),
        nn.Linear(64, 10),
    )
