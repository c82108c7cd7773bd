"""Python files of the library read for what their names are set to: which statement sets a name, and what changes it.

Only statements are looked at; nothing is imported or run. What another module does to a value cannot be seen here.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache, cached_property
from typing import Any

from snippetlock.index.slices import Slicer
from snippetlock.records import dataclass
from snippetlock.references.claims.answers import Stop

__all__ = ["Written", "dotted", "read_written"]

_CHANGE = frozenset(
    [
        *("append", "extend", "insert", "remove", "pop", "clear", "sort", "reverse", "add", "discard"),
        *("update", "setdefault", "popitem", "move_to_end", "__setitem__", "__delitem__"),
        *("difference_update", "intersection_update", "symmetric_difference_update"),
    ]
)
_OWN = ("self", "cls")
# A file has a hundred thousand nodes. What these hold is no statement and no call, and changes nothing.
_BARE: frozenset[type] = frozenset(
    [
        *(ast.Constant, ast.Load, ast.Store, ast.Del, ast.alias, ast.Pass, ast.Break, ast.Continue),
        *ast.operator.__subclasses__(),
        *ast.unaryop.__subclasses__(),
        *ast.boolop.__subclasses__(),
        *ast.cmpop.__subclasses__(),
        *map(type, (None, True, 0, "")),
    ]
)
_WORDS = frozenset(("ctx", "op", "ops", "attr", "arg", "id", "kind", "type_comment", "conversion"))  # fields of these
_LEAVES = _BARE | {ast.Name}
_TOLD = frozenset([ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Delete, ast.Call])
_SCOPES = frozenset([ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef])
_Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """One file: the values of its assignments by line and name, the lines that change a name later, and its text."""

    values: dict[tuple[int, str], ast.expr]
    changed: dict[str, int]
    slicer: Slicer


class _Scope:
    """Where statements stand: within which class, in which function, and in what scope that stands."""

    def __init__(self, cls: str = "", function: _Function | None = None, around: _Scope | None = None) -> None:
        self.cls = cls
        self.function = function
        self.around = around

    @cached_property
    def own(self) -> frozenset[str]:
        """The names that functions around the statements own: asked for where one of them changes something."""
        above = self.around.own if self.around is not None else frozenset()
        return above | _locals(self.function) if self.function is not None else above

    @property
    def inside(self) -> bool:
        """Whether they stand in a function."""
        return self.function is not None or (self.around is not None and self.around.inside)


def read_written(text: str, path: str) -> Written:
    """Read a file. Raises `Stop` where it cannot be."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise Stop("unknown", f"{path} cannot be read", evidence=(f"{path}  {type(error).__name__}",)) from error
    values: dict[tuple[int, str], ast.expr] = {}
    changed: dict[str, int] = {}
    waiting: list[tuple[ast.AST, _Scope]] = [(tree, _Scope())]
    while waiting:
        node, scope = waiting.pop()
        kind = node.__class__
        if kind in _TOLD:
            if isinstance(node, ast.Assign):
                for target in node.targets:
                    values[node.lineno, dotted(target)] = node.value
            elif isinstance(node, ast.AnnAssign) and node.value is not None:
                values[node.lineno, dotted(node.target)] = node.value
            for name in _changes(node):
                _note(changed, name, scope, getattr(node, "lineno", 1))
        inner = _inner(node, scope) if kind in _SCOPES else scope
        waiting += [(child, inner) for child in _below(node, _LEAVES)]
    return Written(values=values, changed=changed, slicer=Slicer(text))


def _below(node: ast.AST, without: frozenset[type]) -> list[ast.AST]:
    """What stands in a node, in order, but for nodes of some kinds."""
    found: list[ast.AST] = []
    kind: Any = node.__class__
    for field in _fields(kind):
        value: Any = getattr(node, field, None)
        if value.__class__ is list:
            found += [each for each in value if each.__class__ not in without]
        elif value.__class__ not in without:
            found.append(value)
    return found


@cache
def _fields(kind: type[ast.AST]) -> tuple[str, ...]:
    """The fields of a kind of node that can hold others that are looked at."""
    return tuple(field for field in kind._fields if field not in _WORDS)


def _inner(node: ast.AST, scope: _Scope) -> _Scope:
    """The scope of what stands in a node."""
    if isinstance(node, ast.ClassDef):
        return _Scope(cls=f"{scope.cls}.{node.name}".lstrip("."), around=scope)
    if isinstance(node, _Function):
        return _Scope(cls=scope.cls, function=node, around=scope)
    return scope


def _locals(function: _Function) -> frozenset[str]:
    """The names that a function binds itself, and those of functions in it."""
    found: set[str] = set()
    shared: set[str] = set()
    waiting: list[ast.AST] = [function]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Name):
            if isinstance(node.ctx, ast.Store):
                found.add(node.id)
            continue
        if isinstance(node, ast.arg):
            found.add(node.arg)
        elif isinstance(node, ast.Global):
            shared.update(node.names)
        waiting += _below(node, _BARE)
    return frozenset(found - shared)


def _changes(node: ast.AST) -> Iterator[str]:
    """The dotted names of what a statement or call changes in place."""
    targets: list[ast.expr] = []
    if isinstance(node, ast.Assign):
        targets = node.targets
    elif isinstance(node, ast.AnnAssign | ast.AugAssign):
        targets = [node.target]
    elif isinstance(node, ast.Delete):
        targets = node.targets
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _CHANGE:
        yield dotted(node.func.value)
    for target in targets:
        if isinstance(target, ast.Subscript):
            yield dotted(target.value)
        elif isinstance(node, ast.AugAssign | ast.Delete):
            yield dotted(target)


def _note(changed: dict[str, int], name: str, scope: _Scope, line: int) -> None:
    first, dot, rest = name.partition(".")
    if first in _OWN and dot and scope.cls:
        name = f"{scope.cls}.{rest}"
    elif not name or first in scope.own:
        return
    elif scope.cls and not scope.inside:
        changed.setdefault(f"{scope.cls}.{name}", line)  # or the module's, where the class has none
    changed.setdefault(name, line)


def dotted(node: ast.expr) -> str:
    """`a.b.c` for names and attributes of names; else nothing."""
    words: list[str] = []
    while isinstance(node, ast.Attribute):
        words.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return ""
    return ".".join([node.id, *reversed(words)])
