"""What libcst reads in a statement, asked after Python's own parser. The only place that imports it, and slow to load.

It knows newer grammar than the Python that runs us, and says where it stopped.
"""

from __future__ import annotations

import gc
import re
from collections.abc import Iterator, Sequence
from typing import Any

import libcst as cst

from snippetlock.errors import ELSEWHERE, SourceError
from snippetlock.select.native import Shape
from snippetlock.select.outline import normal
from snippetlock.text import line_of, line_starts, slice_lines
from snippetlock.tokens import tokenize

__all__ = ["shapes"]

_STOPPED = re.compile(r"error at (\d+):(\d+)")


def shapes(source: str, text: str, line: int, path: str) -> tuple[tuple[Shape, ...], ...]:
    """The definitions in each statement of `source`, in order.

    `source` begins at line `line` of the file's `text`, which is what the `SourceError` shows where it cannot be read.
    """
    return tuple(tuple(_shapes((node,), inside_function=False)) for node in _parse(source, text, line, path))


def _parse(source: str, text: str, line: int, path: str) -> Sequence[cst.CSTNode]:
    """The statements of `source`, whose first line is line `line` of the file's `text`."""
    collecting = gc.isenabled()
    gc.disable()  # a parse makes many objects and no garbage
    try:
        return cst.parse_module(source).body
    except (cst.ParserSyntaxError, cst.CSTValidationError, UnicodeError, RecursionError) as error:
        stopped = _STOPPED.search(str(error))
        line += _last_token_line(source, int(stopped[1]), int(stopped[2])) - 1 if stopped else 0
        shown = slice_lines(text, line, line).strip()[:120]
        raise SourceError(
            "the grammar of this statement is not understood",
            path=path,
            line=line,
            evidence=(shown,),
            mend=f"update libcst if a newer Python reads it; else {ELSEWHERE}",
        ) from error
    finally:
        if collecting:
            gc.enable()


def _last_token_line(source: str, line: int, column: int) -> int:
    """The line of the last token before `line:column` (from 1, from 0): libcst names the place one token late."""
    starts = line_starts(source)
    stop = starts[line - 1] + column if line <= len(starts) else len(source)
    last = 0
    for token in tokenize(source):
        if token.start >= stop:
            break
        if token.kind not in ("newline", "comment"):
            last = token.start
    return line_of(starts, last)


def _shapes(body: Sequence[cst.CSTNode], inside_function: bool) -> Iterator[Shape]:
    """The definitions among these statements, those in their blocks included."""
    for node in body:
        if isinstance(node, cst.ClassDef | cst.FunctionDef):
            kind = "class" if isinstance(node, cst.ClassDef) else "function"
            inner = _block(node.body)
            inside = tuple(_shapes(inner, inside_function=kind == "function"))
            yield kind, normal(node.name.value), _has_docstring(inner), inside
        elif isinstance(node, cst.SimpleStatementLine | cst.SimpleStatementSuite):
            if not inside_function:
                names = (normal(name) for small in node.body for name in _bound(small))
                yield from (("attribute", name, False, ()) for name in dict.fromkeys(names))
        else:
            for block in _blocks(node):
                yield from _shapes(block, inside_function)


def _blocks(node: cst.CSTNode) -> Iterator[Sequence[cst.CSTNode]]:
    """The blocks of a compound statement in order; a chain of `elif` is walked, not climbed."""
    waiting: list[Any] = [node]
    while waiting:
        part = waiting.pop()
        if hasattr(part, "body"):
            yield _block(part.body)
        after = (
            *getattr(part, "cases", ()),
            *getattr(part, "handlers", ()),
            getattr(part, "orelse", None),
            getattr(part, "finalbody", None),
        )
        waiting.extend(p for p in reversed(after) if p is not None)


def _block(suite: Any) -> Sequence[cst.CSTNode]:
    return (suite,) if isinstance(suite, cst.SimpleStatementSuite) else suite.body


def _bound(node: cst.CSTNode) -> Iterator[str]:
    """The names that a small statement binds as definitions."""
    waiting: list[cst.CSTNode] = []
    if isinstance(node, cst.Assign):
        waiting = [target.target for target in reversed(node.targets)]
    elif isinstance(node, cst.AnnAssign):
        waiting = [node.target]
    elif isinstance(node, cst.TypeAlias):
        waiting = [node.name]
    while waiting:
        target = waiting.pop()
        if isinstance(target, cst.Name):
            yield target.value
        elif isinstance(target, cst.Tuple | cst.List):
            waiting.extend(element.value for element in reversed(target.elements))


def _has_docstring(body: Sequence[Any]) -> bool:
    first: Any = body[0] if body else None
    if not isinstance(first, cst.SimpleStatementLine | cst.SimpleStatementSuite) or not first.body:
        return False
    small = first.body[0]
    waiting: list[Any] = [small.value if isinstance(small, cst.Expr) else None]
    while waiting:
        node = waiting.pop()
        if isinstance(node, cst.ConcatenatedString):
            waiting.extend((node.left, node.right))
        elif not isinstance(node, cst.SimpleString) or "b" in node.prefix.lower():
            return False
    return True
