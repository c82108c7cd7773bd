"""What Python's own parser reads in a statement: it is asked before libcst, and takes a twentieth of its time.

What it reads as the lines do is so in every Python. What it does not read, or reads otherwise, is for libcst to
judge: the grammar can be newer than the Python that runs us. Parses, and compiles and runs nothing.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator, Sequence
from typing import Any

__all__ = ["Shape", "shapes"]

Shape = tuple[str, str, bool, tuple[Any, ...]]  # kind, name, whether it has a docstring, the shapes inside
_DEFINITIONS = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def shapes(source: str, *, alone: bool = False) -> tuple[Shape, ...] | None:
    """The definitions in a text, in order; None where it cannot be read, or is not one statement where it is to be."""
    try:
        with warnings.catch_warnings():  # about what it reads, which is for its authors
            warnings.simplefilter("ignore")
            body = ast.parse(source).body
        if alone and len(body) != 1:
            return None
        return tuple(_shapes(body, inside_function=False))
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # the last two stand for too many levels
        return None


def _shapes(body: Sequence[ast.stmt], *, inside_function: bool) -> Iterator[Shape]:
    """The definitions among these statements, those in their blocks included."""
    end = 0
    bound: dict[str, None] = {}  # by the statements of one logical line
    for node in body:
        blocks = _blocks(node)
        if bound and (blocks or isinstance(node, _DEFINITIONS) or node.lineno != end):
            yield from (("attribute", name, False, ()) for name in bound)
            bound = {}
        end = node.end_lineno or 0
        if isinstance(node, _DEFINITIONS):
            kind = "class" if isinstance(node, ast.ClassDef) else "function"
            inner = tuple(_shapes(node.body, inside_function=kind == "function"))
            yield kind, node.name, _is_string(node.body[0]), inner
        elif not blocks and not inside_function:
            bound |= dict.fromkeys(_bound(node))
        for block in blocks:
            yield from _shapes(block, inside_function=inside_function)
    yield from (("attribute", name, False, ()) for name in bound)


def _blocks(node: ast.stmt) -> list[list[ast.stmt]]:
    """The blocks of a compound statement that is no definition, in order."""
    if isinstance(node, _DEFINITIONS):
        return []
    parts: list[Any] = [node, *getattr(node, "cases", ()), *getattr(node, "handlers", ())]
    found = [part.body for part in parts if hasattr(part, "body")]
    found += [getattr(node, name, []) for name in ("orelse", "finalbody")]
    return [block for block in found if block]


def _bound(node: ast.stmt) -> Iterator[str]:
    """The names that a simple statement binds as definitions."""
    waiting: list[ast.expr] = []
    if isinstance(node, ast.Assign):
        waiting = node.targets[::-1]
    elif isinstance(node, ast.AnnAssign):
        waiting = [node.target]
    elif type(node).__name__ == "TypeAlias":  # from Python 3.12 on
        waiting = [node.name]  # type: ignore[attr-defined]
    while waiting:
        target = waiting.pop()
        if isinstance(target, ast.Starred):
            waiting.append(target.value)
        elif isinstance(target, ast.Name):
            yield target.id
        elif isinstance(target, ast.Tuple | ast.List):
            waiting.extend(reversed(target.elts))


def _is_string(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
