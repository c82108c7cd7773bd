"""What an expression can make of its string literals: literal pieces with a placeholder between two of them.

`"a" "b"`, f-strings, `+`, `%` and `.format`. A placeholder is anything: what goes into it is known when the program
runs, and not here.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping

from snippetlock.index.rows import Row
from snippetlock.index.walk import Caught

_PERCENT = re.compile(r"%(?:\([^)]*\))?[-+ #0]*(?:\d+|\*)?(?:\.(?:\d+|\*))?[hlL]?(.)", re.S)
_FIELD = re.compile(r"\{\{|\}\}|\{[^{}]*+(?:\{[^{}]*+\}[^{}]*+)*+\}")

_DEEPEST = 10
Parts = list[str]


def template(node: ast.expr) -> tuple[Parts, list[ast.expr]] | None:
    """The pieces of a string expression, and the expressions in its placeholders; None for what is no such thing."""
    if isinstance(node, ast.Constant):
        return ([node.value], []) if isinstance(node.value, str) else None
    if isinstance(node, ast.JoinedStr):
        return _joined(node)
    if isinstance(node, ast.BinOp):
        return _added(node) if isinstance(node.op, ast.Add) else _percent(node)
    if isinstance(node, ast.Call):
        return _formatted(node)
    return None


def _joined(node: ast.JoinedStr) -> tuple[Parts, list[ast.expr]]:
    parts, holes = [""], []
    for value in node.values:
        if isinstance(value, ast.FormattedValue):
            parts.append("")
            holes.append(value.value)
        elif isinstance(value, ast.Constant):
            parts[-1] += str(value.value)
    return parts, holes


def _added(node: ast.BinOp) -> tuple[Parts, list[ast.expr]]:
    """A chain of `+`, with no pieces where no part of it is a string. It can be long: nothing recurses along it."""
    chain: list[ast.expr] = []
    while isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        chain.append(node.right)
        node = node.left  # type: ignore[assignment]
    chain.append(node)
    parts, holes, texts = [""], [], 0
    for each in reversed(chain):
        inner = None if isinstance(each, ast.BinOp) and isinstance(each.op, ast.Add) else template(each)
        if inner is None:
            parts.append("")
            holes.append(each)
            continue
        texts += 1
        parts[-1] += inner[0][0]
        parts += inner[0][1:]
        holes += inner[1]
    return (parts, holes) if texts else ([], holes)


def _percent(node: ast.BinOp) -> tuple[Parts, list[ast.expr]] | None:
    left = node.left
    if not isinstance(node.op, ast.Mod) or not isinstance(left, ast.Constant) or not isinstance(left.value, str):
        return None
    parts, at = [""], 0
    for found in _PERCENT.finditer(left.value):
        parts[-1] += left.value[at : found.start()]
        at = found.end()
        if found[1] == "%":
            parts[-1] += "%"
        else:
            parts.append("")
    parts[-1] += left.value[at:]
    return parts, [node.right]


def _formatted(node: ast.Call) -> tuple[Parts, list[ast.expr]] | None:
    """`"…".format(…)` of a constant."""
    func = node.func
    if not isinstance(func, ast.Attribute) or func.attr != "format" or not isinstance(func.value, ast.Constant):
        return None
    text = func.value.value
    if not isinstance(text, str):
        return None
    parts, at = [""], 0
    for found in _FIELD.finditer(text):
        parts[-1] += text[at : found.start()]
        at = found.end()
        if found[0] in ("{{", "}}"):
            parts[-1] += found[0][0]
        else:
            parts.append("")
    parts[-1] += text[at:]
    return parts, [*node.args, *(word.value for word in node.keywords)]


def held_by(made: tuple[Parts, list[ast.expr]], caught: Mapping[str, Caught]) -> list[Row]:
    """The numbers of the placeholders that show an exception, with what is known of it: `caught`, by its name."""
    parts, holes = made
    if not caught:
        return []
    if len(holes) == 1 and isinstance(holes[0], ast.Tuple):
        holes = holes[0].elts
    if len(holes) != len(parts) - 1:
        return []
    return [[number, *found] for number, hole in enumerate(holes) if (found := passed(hole, caught))]


def passed(node: ast.expr, caught: Mapping[str, Caught]) -> Caught | None:
    """What is known of the exception that an expression is, or makes the text of; None for any other expression."""
    for _ in range(_DEEPEST):
        if isinstance(node, ast.Name):
            return caught.get(node.id)
        if isinstance(node, ast.Subscript | ast.Attribute | ast.Starred):  # `exc.args[0]`
            node = node.value
        elif isinstance(node, ast.Call) and node.args and getattr(node.func, "id", "") != "type":
            node = node.args[0]
        else:
            break
    return None
