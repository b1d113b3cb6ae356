"""Versions of the packages that run in a measurement, read without importing torch."""

import ast
import importlib.util
import platform
from importlib import metadata
from pathlib import Path

MEASURING_PACKAGES = ("torch", "torchvision", "numpy", "pillow")


def measuring_packages() -> dict[str, str]:
    """The versions of Python and of the packages that run in a measurement, by name."""
    return {"python": platform.python_version()} | {
        name: _version(name) for name in MEASURING_PACKAGES
    }


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "not installed"


def torch_builds() -> set[str]:
    """Which of `cuda`, `hip` and `xpu` the installed torch was built for."""
    spec = importlib.util.find_spec("torch")
    if spec is None or spec.origin is None:
        return set()
    version_file = Path(spec.origin).parent / "version.py"
    builds = set()
    for node in ast.parse(version_file.read_text(encoding="utf-8")).body:
        match node:
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.Constant(value=str())) | (
                ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=str()))
            ):
                builds.add(name)
    return builds & {"cuda", "hip", "xpu"}
