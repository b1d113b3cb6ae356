"""Every model is what it says of itself."""

import pytest
import torch

from feedrate.measurement.members import member
from feedrate.measurement.models import MODELS


def test_the_articles_model_has_its_number_of_parameters() -> None:
    assert MODELS["small-cnn"].parameters == 105_866


@pytest.mark.parametrize("name", MODELS)
def test_a_model_has_the_parameters_and_the_shapes_that_it_declares(name: str) -> None:
    declared, built = MODELS[name], member("models", name).build()
    assert sum(parameter.numel() for parameter in built.parameters()) == declared.parameters
    assert built(torch.zeros(3, *declared.image_shape)).shape == (3, declared.classes)
