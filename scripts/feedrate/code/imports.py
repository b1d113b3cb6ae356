"""Which files of a project a Python file imports, read without importing any of them."""

import ast
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path


def first_party_closure(entries: Iterable[Path], root: Path) -> list[Path]:
    """Every first-party file that `entries` import, directly or not, and the entries themselves.

    First-party means that the imported name resolves to a file below `root`, the folder that is
    on the import path. Imports inside functions count. Sorted by path.
    """
    root = root.resolve()
    seen: set[Path] = set()
    waiting = [entry.resolve() for entry in entries]
    while waiting:
        file = waiting.pop()
        if file not in seen:
            seen.add(file)
            waiting.extend(_imported_by(file, root))
    return sorted(seen)


def imported_files(source: str, root: Path, package: tuple[str, ...] = ()) -> frozenset[Path]:
    """The first-party files that `source` imports directly, with their parent packages."""
    return _files_of(imported_names(ast.parse(source), package), root.resolve())


def _imported_by(file: Path, root: Path) -> frozenset[Path]:
    return _files_of(_names_in(file.read_bytes(), str(file), package_of(file, root)), root)


@cache
def _names_in(source: bytes, name: str, package: tuple[str, ...]) -> frozenset[str]:
    """Cached, as closures overlap, and parsing is what takes time."""
    return frozenset(imported_names(ast.parse(source, name), package))


def _files_of(names: Iterable[str], root: Path) -> frozenset[Path]:
    return frozenset(file for name in names for file in _files_on_the_way(name, root))


def _files_on_the_way(name: str, root: Path) -> tuple[Path, ...]:
    parts = name.split(".")
    stems = (root.joinpath(*parts[:length]) for length in range(1, len(parts) + 1))
    candidates = (
        file for stem in stems for file in (stem.with_suffix(".py"), stem / "__init__.py")
    )
    return tuple(filter(Path.is_file, candidates))


@cache
def package_of(file: Path, root: Path) -> tuple[str, ...]:
    """The dotted package, as parts, against which relative imports in `file` are resolved."""
    file, root = file.resolve(), root.resolve()
    return file.relative_to(root).parent.parts if file.is_relative_to(root) else ()


def imported_names(tree: ast.AST, package: tuple[str, ...]) -> Iterator[str]:
    """Every dotted name that `tree`, a module in `package`, imports anywhere."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = absolute_base(node, package)
            # `from package import name`: the name may be a module of the package.
            yield from (f"{base}.{alias.name}".lstrip(".") for alias in node.names)


def absolute_base(node: ast.ImportFrom, package: tuple[str, ...]) -> str:
    """The dotted name of what `node`, in a module of `package`, imports from."""
    kept = package[: len(package) - node.level + 1] if node.level else ()
    return ".".join((*kept, *([node.module] if node.module else [])))
