"""What a name of a program stands for: something of the library, a class of the program, an object of one. Pure."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from snippetlock.index import Definition, Index, lookup, signature
from snippetlock.records import dataclass
from snippetlock.references.scopes import within

__all__ = ["Class", "Meaning", "Names", "Object", "class_or_none", "narrowed", "run_by_call", "set_to"]

_HANDED_ON = ("variadic", "keywords")  # the kinds of parameters of a `__call__` that only hands on what it gets
_NARROW = ("isinstance", "issubclass", "hasattr", "getattr", "callable")


@dataclass(frozen=True, slots=True, kw_only=True)
class Class:
    """A class of the program: the dotted names of the library's classes above it, and what it has of its own.

    `open` says that it has a base of which nothing is known.
    """

    name: str
    above: tuple[str, ...] = ()
    members: frozenset[str] = frozenset()
    open: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Object:
    """An object of a class: it has what the class has, and a call of it is none of the class."""

    of: str | Class


Meaning = str | Class | Object
Names = Mapping[str, Meaning]


def class_or_none(meaning: Meaning | None) -> Class | None:
    """A class of the program; None for everything else."""
    return meaning if isinstance(meaning, Class) else None


def run_by_call(index: Index, of: str | Class) -> str:
    """The dotted name of what runs when an object is called; empty where that is the program's own, or is not told.

    A `__call__` that takes anything, or one from outside the library, hands on to `forward`, where there is one: so do
    the modules of PyTorch and all that is made like them.
    """
    if isinstance(of, Class) and (of.open or {"__call__", "forward"} & of.members):
        return ""
    for owner in of.above if isinstance(of, Class) else (of,):
        found = lookup(index, f"{owner}.__call__")
        written = [each for each in found if each.kind == "function"]  # others are put there, which tells nothing more
        if found and not (written and all(_hands_on(index, each) for each in written)):
            return f"{owner}.__call__"
        if lookup(index, f"{owner}.forward"):
            return f"{owner}.forward"
    return ""


def _hands_on(index: Index, definition: Definition) -> bool:
    parameters = signature(index, definition).parameters
    return parameters is not None and bool(parameters) and all(each.kind in _HANDED_ON for each in parameters)


def set_to(node: ast.AST) -> tuple[str, ast.expr | None, ast.expr | None] | None:
    """The name that a node sets, what to, and as what it is annotated; None for what sets several, or none."""
    if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
        return node.targets[0].id, node.value, None
    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        return node.target.id, node.value, node.annotation
    if isinstance(node, ast.NamedExpr) and isinstance(node.target, ast.Name):
        return node.target.id, node.value, None
    return None


def narrowed(nodes: Sequence[ast.AST]) -> frozenset[str]:
    """The names of which a scope asks what they are: they can be more than their annotation says."""
    found = set()
    for node in within(nodes):
        asked: ast.expr | None = None
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _NARROW and node.args:
            asked = node.args[0]
        elif isinstance(node, ast.Match):
            asked = node.subject
        if isinstance(asked, ast.Name):
            found.add(asked.id)
    return frozenset(found)
