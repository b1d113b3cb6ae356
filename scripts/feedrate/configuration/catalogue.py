"""Which transforms the installed torchvision has and what they take, read without importing it.

Importing torch takes seconds and happens in the measuring process only; a mistyped name must be
reported at once.
"""

import ast
import importlib.util
from dataclasses import dataclass
from functools import cache
from pathlib import Path


@dataclass(frozen=True)
class Signature:
    """Keyword arguments of a transform: all of them, those without a default, and `**kwargs`."""

    arguments: tuple[str, ...]
    required: frozenset[str]
    open_ended: bool


@cache
def transforms(api: str) -> dict[str, Signature]:
    """Public transform classes of torchvision's API `v1` or `v2`; empty if it isn't installed."""
    spec = importlib.util.find_spec("torchvision")
    if spec is None or spec.origin is None:
        return {}
    folder = Path(spec.origin).parent / "transforms"
    first = _classes([folder / "transforms.py", folder / "autoaugment.py"])
    if api == "v1":
        classes, public = first, _exported(folder / "transforms.py", folder / "autoaugment.py")
    else:
        second = folder / "v2"
        classes = first | _classes(sorted(second.glob("_*.py")))
        public = _imported(second / "__init__.py")
    return {name: _signature(name, classes) for name in sorted(public & classes.keys())}


def _classes(files: list[Path]) -> dict[str, ast.ClassDef]:
    return {
        node.name: node
        for file in files
        for node in ast.parse(file.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef) and "Enum" not in map(ast.unparse, node.bases)
    }


def _exported(*files: Path) -> set[str]:
    names: set[str] = set()
    for file in files:
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            match node:
                case ast.Assign(targets=[ast.Name(id="__all__")], value=ast.List() as listed):
                    names.update(ast.literal_eval(listed))
    return names


def _imported(file: Path) -> set[str]:
    return {
        alias.name
        for node in ast.parse(file.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def _signature(name: str, classes: dict[str, ast.ClassDef]) -> Signature:
    """The signature of the `__init__` that `name` defines or inherits."""
    node = classes.get(name)
    while node is not None:
        for item in node.body:
            if isinstance(item, ast.FunctionDef) and item.name == "__init__":
                return _of_arguments(item.args)
        bases = (base.id for base in node.bases if isinstance(base, ast.Name))
        node = next((classes[base] for base in bases if base in classes), None)
    return Signature((), frozenset(), open_ended=False)


def _of_arguments(args: ast.arguments) -> Signature:
    positional = [argument.arg for argument in (*args.posonlyargs, *args.args)][1:]
    without_default = positional[: len(positional) - len(args.defaults)]
    keyword = {
        argument.arg: default
        for argument, default in zip(args.kwonlyargs, args.kw_defaults, strict=True)
    }
    required = {*without_default, *(name for name, default in keyword.items() if default is None)}
    variadic = args.vararg is not None or args.kwarg is not None
    return Signature((*positional, *keyword), frozenset(required), variadic)
