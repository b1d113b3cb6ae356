"""What the installed DataLoader does by default, read without importing torch."""

import ast
import importlib.util
from pathlib import Path
from typing import Any


def loader_defaults() -> dict[str, Any]:
    """The defaults in the signature of DataLoader that are plain values; empty without torch."""
    spec = importlib.util.find_spec("torch")
    if spec is None or spec.origin is None:
        return {}
    source = Path(spec.origin).parent / "utils" / "data" / "dataloader.py"
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ClassDef) and node.name == "DataLoader":
            return _defaults(node)
    return {}


def _defaults(loader: ast.ClassDef) -> dict[str, Any]:
    for node in loader.body:
        if isinstance(node, ast.FunctionDef) and node.name == "__init__":
            named = [*node.args.args, *node.args.kwonlyargs]
            first = len(node.args.args) - len(node.args.defaults)
            defaults = [*[None] * first, *node.args.defaults, *node.args.kw_defaults]
            return {
                argument.arg: default.value
                for argument, default in zip(named, defaults, strict=True)
                if isinstance(default, ast.Constant)
            }
    return {}
