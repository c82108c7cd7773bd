"""What one scope of a program holds, and which names it sets. Pure: reads syntax trees, judges nothing."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Sequence

__all__ = ["arguments", "ordered", "set_on_receivers", "stored", "within"]

_DEFINES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.ExceptHandler, ast.MatchAs, ast.MatchStar)


def stored(nodes: Sequence[ast.AST]) -> Counter[str]:
    """How often each name is set in the statements of one scope: by assignment, and by a definition."""
    found: Counter[str] = Counter()
    for node in within(nodes):
        name: str | None = None
        if isinstance(node, ast.Name):
            name = None if isinstance(node.ctx, ast.Load) else node.id
        elif isinstance(node, _DEFINES):
            name = node.name
        if name:
            found[name] += 1
    return found


def within(nodes: Sequence[ast.AST]) -> Iterator[ast.AST]:
    """All nodes of a scope; those of functions and classes in it are theirs, but for what is worked out here."""
    pending = list(nodes)
    while pending:
        node = pending.pop()
        yield node
        if isinstance(node, ast.ClassDef):
            pending += [*node.decorator_list, *node.bases, *node.keywords]
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            pending += [*node.decorator_list, node.args, *([node.returns] if node.returns else [])]
        elif isinstance(node, ast.Lambda):
            pending.append(node.args)
        else:
            pending += ast.iter_child_nodes(node)


def ordered(nodes: Sequence[ast.AST]) -> list[ast.AST]:
    """The nodes of a scope in the order of its lines."""
    return sorted(within(nodes), key=lambda node: (getattr(node, "lineno", 0), getattr(node, "col_offset", 0)))


def arguments(arguments: ast.arguments) -> Iterator[ast.arg]:
    yield from (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
    yield from (each for each in (arguments.vararg, arguments.kwarg) if each is not None)


def set_on_receivers(node: ast.ClassDef) -> set[str]:
    """The attributes that the methods of a class set on their first parameter."""
    found: set[str] = set()
    for method in node.body:
        if isinstance(method, ast.FunctionDef | ast.AsyncFunctionDef) and (method.args.posonlyargs or method.args.args):
            receiver = (method.args.posonlyargs or method.args.args)[0].arg
            found.update(
                each.attr
                for each in ast.walk(method)
                if isinstance(each, ast.Attribute)
                and not isinstance(each.ctx, ast.Load)
                and isinstance(each.value, ast.Name)
                and each.value.id == receiver
            )
    return found
