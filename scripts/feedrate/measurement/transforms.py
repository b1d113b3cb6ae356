"""A condition's transforms, built from their specification."""

import importlib
from collections.abc import Callable, Mapping
from typing import Any, cast

import torch
from torchvision import transforms as first_api
from torchvision.transforms import InterpolationMode
from torchvision.transforms import v2 as second_api

Transform = Callable[[Any], Any]


def build_condition(condition: Mapping[str, Any]) -> Transform:
    """The transform of a condition's specification: `api` and `transforms`.

    Torchvision's own errors about argument values pass through.
    """
    steps = condition["transforms"]
    if isinstance(steps, str):
        return cast(Transform, _imported(steps))
    api = first_api if condition["api"] == "v1" else second_api
    built = _build_steps(steps, api)
    return built[0] if len(built) == 1 else cast(Transform, api.Compose(built))


def _build_steps(steps: list[Any], api: Any) -> list[Transform]:
    return [_build_step(step, api) for step in steps]


def _build_step(step: str | Mapping[str, Any], api: Any) -> Transform:
    name, arguments = (step, None) if isinstance(step, str) else next(iter(step.items()))
    constructor = _imported(name) if "." in name else getattr(api, name)
    values = {key: _value(key, value, api) for key, value in (arguments or {}).items()}
    return cast(Transform, constructor(**values))


def _value(name: str, value: Any, api: Any) -> Any:
    """Values that YAML can't express: dtypes, interpolation modes and nested transforms."""
    if name == "dtype" and isinstance(value, str):
        return getattr(torch, value)
    if name == "interpolation" and isinstance(value, str):
        return InterpolationMode(value)
    if name == "transforms" and isinstance(value, list):
        return _build_steps(value, api)
    return value


def _imported(path: str) -> Any:
    module, _, name = path.rpartition(".")
    return getattr(importlib.import_module(module), name)
