"""A linear classifier of 28 x 28 grey images."""

from typing import TYPE_CHECKING

from feedrate.measurement.workload import Model

if TYPE_CHECKING:
    from torch import nn

MODEL = Model(image_shape=(1, 28, 28), classes=10, parameters=7_850, title="A linear classifier")


def build() -> "nn.Module":
    """One linear layer."""
    from torch import nn

    return nn.Sequential(nn.Flatten(), nn.Linear(28 * 28, 10))
