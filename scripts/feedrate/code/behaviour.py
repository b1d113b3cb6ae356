"""A digest of what Python code does: its syntax trees without comments, docstrings or layout.

In our own modules, only the definitions that an entry point reaches count. What the plan and the
report need to know about a measurement can thus share a file with its code, and changing it makes
no cell stale.
"""

import ast
import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from feedrate.code.imports import absolute_base, package_of

ALWAYS = ""
"""The name under which a module's other statements are kept: they run on import."""

TYPE_CHECKING = ("TYPE_CHECKING", "typing.TYPE_CHECKING")
"""Conditions that are true only for type checkers."""

Point = tuple[Path, str]
"""A file, and the name of a definition at its top level, or ALWAYS."""

Import = tuple[str, str | None]
"""A module, and a name in it, None for the module as a whole."""


@dataclass(eq=False)
class Module:
    """A module's top level: its statements by the names that they bind, and its imports.

    `imported` maps a name to what it may stand for: a module and a name there, None for a module
    as a whole. Relative imports are resolved against `package`.
    """

    package: tuple[str, ...]
    statements: dict[str, list[ast.stmt]] = field(default_factory=dict)
    imported: dict[str, list[Import]] = field(default_factory=dict)


def reached_digest(entries: Iterable[Point], root: Path) -> str:
    """SHA-256 over all definitions below `root` that `entries` reach, with their files and names.

    Names are followed wherever they are read. Importing a module as a whole reaches all of it, and
    every import reaches the statements that it runs. Names looked up in other ways (`getattr`)
    aren't followed: list them as entries.
    """
    root = root.resolve()
    digest = hashlib.sha256()
    for file, name in sorted(_reached(entries, root)):
        module = _module(file, root)
        place = file.relative_to(root) if file.is_relative_to(root) else file.name
        for statement in module.statements.get(name, ()):
            digest.update(f"{place}\0{name}\0{_dump(statement)}\0".encode())
        if name in module.imported:
            digest.update(f"{place}\0{name}\0{module.imported[name]}\0".encode())
    return digest.hexdigest()


def code_digest(files: Iterable[Path], root: Path) -> str:
    """SHA-256 over whole files; paths count relative to `root`, their order does not.

    Comments, bare strings and formatting leave it unchanged; everything else changes it.
    """
    root = root.resolve()
    digest = hashlib.sha256()
    for file in sorted({file.resolve() for file in files}):
        name = file.relative_to(root) if file.is_relative_to(root) else file.name
        digest.update(f"{name}\0{_file_dump(file)}\0".encode())
    return digest.hexdigest()


def source_digest(source: str) -> str:
    """SHA-256 of the syntax tree of a notebook's cell, where a bare string is what it shows."""
    return hashlib.sha256(ast.dump(ast.parse(source)).encode()).hexdigest()


def _file_dump(file: Path) -> str:
    return _source_dump(file.read_bytes(), str(file))


@cache
def _source_dump(source: bytes, name: str) -> str:
    """Cached, as cells and arms share most of their files, and parsing is what takes time."""
    return _dump(ast.parse(source, name))


def _dump(node: ast.AST) -> str:
    return ast.dump(_WithoutStrings().visit(node))


class _WithoutStrings(ast.NodeTransformer):
    """Drops docstrings, those of attributes included, and any other bare string."""

    def visit_Expr(self, node: ast.Expr) -> ast.Expr | None:
        return None if _is_string(node) else node


def _is_string(statement: ast.stmt) -> bool:
    match statement:
        case ast.Expr(value=ast.Constant(value=str())):
            return True
    return False


# --- what is reached ------------------------------------------------------------------------------


def _reached(entries: Iterable[Point], root: Path) -> set[Point]:
    seen: set[Point] = set()
    waiting = [(file.resolve(), name) for file, name in entries]
    while waiting:
        point = waiting.pop()
        if point not in seen:
            seen.add(point)
            waiting.extend(_reached_from(point, root))
    return seen


def _reached_from(point: Point, root: Path) -> tuple[Point, ...]:
    """What a definition reaches directly: names of its module, and what it imports."""
    file, name = point
    module = _module(file, root)
    found: list[Point] = [(file, ALWAYS)]
    if name == ALWAYS:
        modules = {base for each in module.imported.values() for base, _ in each}
        found += [point for base in modules for point in _points(base, ALWAYS, root)]
        found += [(file, "*")] if "*" in module.imported else []  # which names isn't known
    reads, imports = _used_by(module, name)
    found += [(file, each) for each in reads]
    for base, imported in [*imports, *module.imported.get(name, [])]:
        found += _points(base, imported, root)
    return tuple(found)


@cache
def _used_by(module: Module, name: str) -> tuple[set[str], set[Import]]:
    """The names of its own module that the definition `name` reads, and its own imports."""
    reads: set[str] = set()
    imports: set[Import] = set()
    for statement in module.statements.get(name, ()):
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and node.id in module.statements | module.imported:
                reads.add(node.id)
            elif isinstance(node, ast.Import | ast.ImportFrom):
                imports.update(each for _, each in _bound(node, module.package))
    return reads, imports


def _points(module: str, name: str | None, root: Path) -> Iterator[Point]:
    """What `from module import name` reaches below `root`; without a name, all of the module."""
    parts = module.split(".")
    for length in range(1, len(parts) + 1):
        init = root.joinpath(*parts[:length], "__init__.py")
        if init.is_file():
            yield init, ALWAYS
    target = _file_of(module, root)
    submodule = _file_of(f"{module}.{name}", root) if name else None
    if submodule and not (target and name in _names(target, root)):
        target, name = submodule, None
    if target is None:
        return
    if name is None or name == "*":
        yield from ((target, each) for each in _names(target, root))
    else:
        yield target, name


def _file_of(module: str, root: Path) -> Path | None:
    stem = root.joinpath(*module.split("."))
    files = (stem.with_suffix(".py"), stem / "__init__.py")
    return next((file for file in files if file.is_file()), None)


def _names(file: Path, root: Path) -> list[str]:
    module = _module(file, root)
    return [*module.statements, *module.imported]


def _module(file: Path, root: Path) -> Module:
    return _parsed(file.read_bytes(), str(file), package_of(file, root))


@cache
def _parsed(source: bytes, name: str, package: tuple[str, ...]) -> Module:
    module = Module(package, {ALWAYS: []})
    for statement in _run_on_import(ast.parse(source, name).body):
        if isinstance(statement, ast.Import | ast.ImportFrom):
            for bound, each in _bound(statement, package):
                module.imported.setdefault(bound, []).append(each)
        elif not _is_string(statement):
            for bound in _names_bound_by(statement):
                module.statements.setdefault(bound, []).append(statement)
    return module


def _run_on_import(statements: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """All statements but those for type checkers alone."""
    for statement in statements:
        if isinstance(statement, ast.If) and ast.unparse(statement.test) in TYPE_CHECKING:
            yield from statement.orelse
        else:
            yield statement


def _bound(
    statement: ast.Import | ast.ImportFrom, package: tuple[str, ...]
) -> list[tuple[str, Import]]:
    """The names that an import binds, each with what it stands for."""
    if isinstance(statement, ast.Import):
        return [
            (alias.asname or alias.name.partition(".")[0], (alias.name, None))
            for alias in statement.names
        ]
    base = absolute_base(statement, package)
    return [(alias.asname or alias.name, (base, alias.name)) for alias in statement.names]


def _names_bound_by(statement: ast.stmt) -> list[str]:
    match statement:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return [name]
        case ast.Assign(targets=targets) if all(isinstance(each, ast.Name) for each in targets):
            return [each.id for each in targets if isinstance(each, ast.Name)]
        case ast.AnnAssign(target=ast.Name(id=name)):
            return [name]
    return [ALWAYS]
