"""What the installed DataLoader does by default, read without importing torch."""

import ast
import importlib.util
from pathlib import Path


def persistent_workers_default() -> bool | None:
    """The default of `persistent_workers` in DataLoader's signature; None without torch."""
    spec = importlib.util.find_spec("torch")
    if spec is None or spec.origin is None:
        return None
    source = Path(spec.origin).parent / "utils" / "data" / "dataloader.py"
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ClassDef) and node.name == "DataLoader":
            return _default(node, "persistent_workers")
    return None


def _default(loader: ast.ClassDef, argument: str) -> bool | None:
    for node in loader.body:
        if isinstance(node, ast.FunctionDef) and node.name == "__init__":
            names = [each.arg for each in node.args.args]
            defaults = dict(zip(names[::-1], node.args.defaults[::-1], strict=False))
            keywords = zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
            defaults |= {each.arg: default for each, default in keywords if default}
            value = defaults.get(argument)
            return bool(value.value) if isinstance(value, ast.Constant) else None
    return None
