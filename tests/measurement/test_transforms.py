from typing import Any

import torch
from PIL import Image
from torchvision import transforms as v1
from torchvision.transforms import InterpolationMode, v2

from feedrate.measurement.transforms import build_condition


def test_the_articles_augmentation_is_what_it_spells_out() -> None:
    built: Any = build_condition(
        {
            "api": "v1",
            "transforms": [
                {"RandomResizedCrop": {"size": 28, "scale": [0.75, 1.0]}},
                {"RandomRotation": {"degrees": 15}},
                "ToTensor",
            ],
        }
    )
    published = v1.Compose(
        [v1.RandomResizedCrop(28, scale=(0.75, 1.0)), v1.RandomRotation(15), v1.ToTensor()]
    )
    image = Image.effect_noise((28, 28), 80)
    torch.manual_seed(7)
    expected = published(image)
    torch.manual_seed(7)
    assert torch.equal(built(image), expected)


def test_dtypes_and_interpolation_are_spelled_as_words() -> None:
    built: Any = build_condition(
        {
            "api": "v2",
            "transforms": [
                "ToImage",
                {"Resize": {"size": 14, "interpolation": "nearest"}},
                {"ToDtype": {"dtype": "float32", "scale": True}},
            ],
        }
    )
    _, resize, to_dtype = built.transforms
    assert isinstance(resize, v2.Resize)
    assert resize.interpolation is InterpolationMode.NEAREST
    assert to_dtype.dtype is torch.float32


def test_nested_transforms_are_built() -> None:
    built: Any = build_condition(
        {
            "api": "v1",
            "transforms": [{"RandomApply": {"transforms": [{"RandomRotation": {"degrees": 1}}]}}],
        }
    )
    assert isinstance(built.transforms[0], v1.RandomRotation)


def test_a_dotted_path_is_the_callable_itself_and_in_a_list_its_constructor() -> None:
    assert build_condition({"api": "v1", "transforms": "os.path.basename"})("a/b") == "b"
    built: Any = build_condition(
        {"api": "v1", "transforms": [{"torchvision.transforms.CenterCrop": {"size": 5}}]}
    )
    assert isinstance(built, v1.CenterCrop)
