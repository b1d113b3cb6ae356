import inspect
from enum import Enum

import pytest
from torchvision import transforms as v1
from torchvision.transforms import v2

from feedrate.configuration.catalogue import transforms


@pytest.mark.parametrize(("api", "module"), [("v1", v1), ("v2", v2)])
def test_the_catalogue_agrees_with_the_imported_library(api: str, module: object) -> None:
    for name, signature in transforms(api).items():
        parameters = inspect.signature(getattr(module, name)).parameters.values()
        named = [
            each.name
            for each in parameters
            if each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD)
        ]
        assert list(signature.arguments) == named, name


@pytest.mark.parametrize(("api", "module"), [("v1", v1), ("v2", v2)])
def test_no_public_transform_is_missing(api: str, module: object) -> None:
    public = {
        name
        for name, member in vars(module).items()
        if inspect.isclass(member)
        and "__call__" in dir(member)
        and member.__module__.startswith("torchvision.transforms")
        and not issubclass(member, Enum)
    }
    assert {"RandomRotation", "ToTensor"} <= public <= transforms(api).keys()
