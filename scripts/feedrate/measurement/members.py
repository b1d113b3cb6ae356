"""Members of a dimension (arms, loaders, ...): one module each in its package, found there."""

import pkgutil
from importlib import import_module
from types import ModuleType
from typing import TypeVar

Declared = TypeVar("Declared")


def members(room: str, kind: type[Declared]) -> dict[str, Declared]:
    """What the modules of the package `room` declare, by name, in alphabetical order.

    Each module declares one object of `kind`. TypeError for a module that declares none or several.
    """
    path = import_module(room).__path__
    found = {}
    for module in sorted(each.name for each in pkgutil.iter_modules(path)):
        content = vars(import_module(f"{room}.{module}"))
        declared = [each for name, each in content.items() if isinstance(each, kind)]
        if len(declared) != 1:
            raise TypeError(f"{room}.{module} declares {len(declared)} of {kind.__name__}, not 1")
        found[name_of(module)] = declared[0]
    return found


def member(room: str, name: str) -> ModuleType:
    """The module of the member `name` in the package `feedrate.measurement.<room>`."""
    return import_module(f"feedrate.measurement.{room}.{module_of(name)}")


def name_of(module: str) -> str:
    """`fashion-mnist` for the module `fashion_mnist`."""
    return module.replace("_", "-")


def module_of(name: str) -> str:
    """`fashion_mnist` for the member `fashion-mnist`."""
    return name.replace("-", "_")
