"""Every workload is what it says of itself."""

import pytest
import torch

from feedrate.measurement.members import member
from feedrate.measurement.models import MODELS
from feedrate.measurement.transforms import build_condition
from feedrate.measurement.workloads import WORKLOADS


@pytest.mark.parametrize("name", WORKLOADS)
def test_a_workload_agrees_with_its_module_and_its_model(name: str) -> None:
    declared, module = WORKLOADS[name], member("workloads", name)
    assert (declared.image_shape, declared.classes) == (module.IMAGE_SHAPE, module.CLASSES)
    model = MODELS[declared.model]
    assert (model.image_shape, model.classes) == (declared.image_shape, declared.classes)


@pytest.mark.parametrize("name", WORKLOADS)
def test_an_example_has_the_shape_of_the_images(name: str) -> None:
    transform = build_condition({"api": "v1", "transforms": ["PILToTensor"]})
    image = transform(member("workloads", name).example())
    assert image.shape == WORKLOADS[name].image_shape
    assert image.dtype == torch.uint8


@pytest.mark.parametrize("name", WORKLOADS)
def test_the_slug_of_its_data_names_a_workload_that_downloads_it(name: str) -> None:
    dataset = WORKLOADS[name].dataset
    assert WORKLOADS[dataset.slug].dataset == dataset
