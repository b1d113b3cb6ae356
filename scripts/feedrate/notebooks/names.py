"""Which earlier code cells a code cell needs, from the names in its source.

A code cell needs the earlier ones that bound a name it reads, and those that changed it since:
by an assignment to an item or attribute, or by a method call. Methods of what was imported
(`sns.barplot(...)`) count as a change only where their result is thrown away. A function that is
only called hides what it does to its arguments and to global state: return values instead.
"""

import ast
import symtable
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

# A star import binds no name to look for: every later code cell is taken to read it.
_STAR = "*"


@dataclass(frozen=True)
class Names:
    """The names in one code cell's source, by what it does to them."""

    reads: frozenset[str]
    """Read before the code cell itself has certainly bound them."""
    binds: frozenset[str]
    """Certainly bound anew."""
    changes: frozenset[str]
    """Bound, if only under a condition, or changed in place."""
    read_later: frozenset[str]
    """Read inside functions, so whenever a later cell calls one."""


def needed_cells(sources: Sequence[str]) -> list[list[int]]:
    """For each code cell, the indexes of the earlier ones it needs directly, ascending.

    Raises SyntaxError for a source that is not plain Python.
    """
    trees = [ast.parse(source) for source in sources]
    imported = {name for tree in trees for name in _imported(tree)}
    cells = [_names(tree, imported) for tree in trees]
    return [_needed(cells, index) for index in range(len(cells))]


def with_needed(indexes: Sequence[int], needed: Sequence[Sequence[int]]) -> list[int]:
    """`indexes` and every earlier code cell that these need, directly or not, ascending."""
    wanted = set(indexes)
    for index in reversed(range(len(needed))):
        if index in wanted:
            wanted.update(needed[index])
    return sorted(wanted)


def _needed(cells: Sequence[Names], index: int) -> list[int]:
    waiting, seen, found = [*cells[index].reads, _STAR], set[str](), set[int]()
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        for earlier in reversed(range(index)):
            cell = cells[earlier]
            if name in cell.binds | cell.changes:
                found.add(earlier)
                waiting.extend(cell.read_later)
            if name in cell.binds:
                break
    return sorted(found)


def _names(tree: ast.Module, imported: set[str]) -> Names:
    reads, binds, changes, later = set[str](), set[str](), set[str](), set[str]()
    for position, statement in enumerate(tree.body):
        shown = position == len(tree.body) - 1
        table = symtable.symtable(ast.unparse(statement), "cell", "exec")
        changed = set(_changed(statement, imported, shown))
        in_functions = {name for child in table.get_children() for name in _globals(child)}
        read = _referenced(table) | in_functions | changed | set(_updated(statement))
        reads |= read - binds
        changes |= changed | _bound(table) | ({_STAR} & set(_imported(statement)))
        later |= in_functions
        # What is not certain to be bound stays a change, so that earlier cells keep counting.
        binds |= set(_certainly_bound(statement)) - {_STAR}
    return Names(*map(frozenset, (reads, binds, changes, later)))


def _certainly_bound(statement: ast.stmt) -> Iterator[str]:
    match statement:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            yield statement.name
        case ast.Import() | ast.ImportFrom():
            yield from _imported(statement)
        case ast.Assign(targets=targets):
            for node in (node for target in targets for node in ast.walk(target)):
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                    yield node.id


def _bound(table: symtable.SymbolTable) -> set[str]:
    return {
        symbol.get_name()
        for symbol in table.get_symbols()
        if symbol.is_assigned() or symbol.is_imported()
    }


def _referenced(table: symtable.SymbolTable) -> set[str]:
    return {symbol.get_name() for symbol in table.get_symbols() if symbol.is_referenced()}


def _globals(table: symtable.SymbolTable) -> Iterator[str]:
    """Names that a function, class or comprehension takes from outside."""
    yield from (symbol.get_name() for symbol in table.get_symbols() if symbol.is_global())
    for child in table.get_children():
        yield from _globals(child)


def _imported(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield from (alias.asname or alias.name.partition(".")[0] for alias in node.names)


def _updated(statement: ast.stmt) -> Iterator[str]:
    """Names that `x += 1` and `del x` need although they only store them."""
    for node in ast.walk(statement):
        if isinstance(node, ast.AugAssign | ast.Delete):
            targets = node.targets if isinstance(node, ast.Delete) else [node.target]
            yield from (target.id for target in targets if isinstance(target, ast.Name))


def _changed(statement: ast.stmt, imported: set[str], shown: bool) -> Iterator[str]:
    """Names of objects that the statement changes in place, or may change."""
    thrown_away = statement.value if isinstance(statement, ast.Expr) and not shown else None
    for node in ast.walk(statement):
        match node:
            case (
                ast.Attribute(ctx=ast.Store() | ast.Del())
                | ast.Subscript(ctx=ast.Store() | ast.Del())
            ):
                yield from _owner(node)
            case ast.Call(func=ast.Attribute() as method):
                yield from (
                    name for name in _owner(method) if name not in imported or node is thrown_away
                )


def _owner(node: ast.expr) -> Iterator[str]:
    """The name at the left end of `name.attribute[item]`; none after a call."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    if isinstance(node, ast.Name):
        yield node.id
