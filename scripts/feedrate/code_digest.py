"""What a piece of Python does, as a digest: syntax trees without comments, docstrings or layout."""

import ast
import hashlib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path


def first_party_closure(entries: Iterable[Path], root: Path) -> list[Path]:
    """Every first-party file that `entries` import, directly or not, and the entries themselves.

    First-party means that the imported name resolves to a file below `root`, the folder that is
    on the import path. Imports inside functions count. Sorted by path.
    """
    seen: set[Path] = set()
    waiting = [entry.resolve() for entry in entries]
    while waiting:
        file = waiting.pop()
        if file in seen:
            continue
        seen.add(file)
        waiting.extend(
            imported_files(file.read_text(encoding="utf-8"), root, package_of(file, root))
        )
    return sorted(seen)


def imported_files(source: str, root: Path, package: tuple[str, ...] = ()) -> set[Path]:
    """The first-party files that `source` imports by itself, with the packages on their way."""
    files: set[Path] = set()
    for name in _imported_names(source, package):
        parts = name.split(".")
        for length in range(1, len(parts) + 1):
            stem = root.resolve().joinpath(*parts[:length])
            files.update(
                file for file in (stem.with_suffix(".py"), stem / "__init__.py") if file.is_file()
            )
    return files


def package_of(file: Path, root: Path) -> tuple[str, ...]:
    """The dotted package, as parts, against which relative imports in `file` are resolved."""
    file, root = file.resolve(), root.resolve()
    return file.relative_to(root).parent.parts if file.is_relative_to(root) else ()


@cache
def _imported_names(source: str, package: tuple[str, ...]) -> frozenset[str]:
    """Every name that `source` imports. Remembered: closures overlap, and parsing is what costs."""
    return frozenset(_names_in(ast.parse(source), package))


def _names_in(tree: ast.AST, package: tuple[str, ...]) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            kept = package[: len(package) - node.level + 1] if node.level else ()
            base = ".".join((*kept, *([node.module] if node.module else [])))
            # `from package import name`: the name may be a module of the package.
            yield from (f"{base}.{alias.name}".lstrip(".") for alias in node.names)


def code_digest(files: Iterable[Path], root: Path) -> str:
    """SHA-256 over the files' syntax trees; paths count relative to `root`, their order does not.

    Comments, docstrings and formatting leave it unchanged; everything else changes it.
    """
    digest = hashlib.sha256()
    for file in sorted({file.resolve() for file in files}):
        name = (
            file.relative_to(root.resolve()) if file.is_relative_to(root.resolve()) else file.name
        )
        digest.update(f"{name}\0{_behaviour(file.read_text(encoding='utf-8'))}\0".encode())
    return digest.hexdigest()


def source_digest(source: str) -> str:
    """SHA-256 of one piece of source's syntax tree."""
    return hashlib.sha256(_behaviour(source).encode()).hexdigest()


def _behaviour(source: str) -> str:
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            match node.body:
                case [ast.Expr(value=ast.Constant(value=str())), *rest]:
                    node.body = rest
    return ast.dump(tree)
