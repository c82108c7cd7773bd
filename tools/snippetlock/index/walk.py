"""Walk a syntax tree with a stack of its own, so that what nests deep does not exhaust Python's.

Bodies wait until the one around them is read: definitions of a body are met before those inside them.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from snippetlock.index import rows
from snippetlock.index.rows import Row, Sheet
from snippetlock.index.slices import Slicer

Role = tuple[str, str]
"""What a string is there for, and for whom: see `said.Text`."""
NONE: Role = ("", "")
Caught = tuple[list[str], list[str]]
"""Exceptions as they are written, and the functions that are called where they are caught."""
How = Callable[[Any, Any], None] | tuple[str, ...]
"""What to do with a node: a method of the walk, or the fields to go on with."""

_LEAVES = frozenset(
    [
        "ctx",
        "op",
        "ops",
        "type_comment",
        "id",
        "kind",
        "conversion",
        "returns",
        "annotation",
        "type_params",
        "type_ignores",
        "attr",
        "arg",
        "name",
        "names",
        "rest",
        "module",
        "level",
        "asname",
        "format_spec",
    ]
)


class Scope:
    """A body that is being read: of a module, class or function. Functions know the class they are a method of."""

    __slots__ = ("body", "caught", "cls", "first", "globals", "grown", "kind", "made", "number", "raised")

    def __init__(self, kind: str, number: int, body: list[ast.stmt], cls: int = -1, first: str = "") -> None:
        self.kind = kind
        self.number = number
        self.body = body
        self.cls = cls
        self.first = first
        self.globals: set[str] = set()
        self.raised: dict[str, str] = {}
        self.grown: set[str] = set()
        self.made: set[str] = set()  # what is called to make what is returned, empty for what is not made so
        self.caught: dict[str, Caught] = {}  # what is caught or given as an exception, by the name it has here


class Walk:
    """Collects one file's rows. What is mutable here never leaves it: the sheet is the result."""

    how: Mapping[type, How] = {}

    def __init__(self, text: str) -> None:
        self.slicer = Slicer(text)
        self.sheet = rows.empty()
        self.defs: list[Row] = self.sheet["defs"]
        self.texts: list[Row] = self.sheet["texts"]
        self.words: dict[str, int] = self.sheet["words"]
        self.waiting: list[Scope] = []
        self.stack: list[Any] = []
        self.known = dict(self.how)
        self.role: Role = NONE
        self.scope = Scope("m", -1, [])
        self.instance: set[tuple[int, str]] = set()

    def read(self, tree: ast.Module) -> Sheet:
        self.waiting.append(Scope("m", -1, tree.body))
        at = 0
        while at < len(self.waiting):
            self._body(self.waiting[at])
            at += 1
        self.finish()
        self.texts.sort(key=lambda row: row[rows.TEXT_LINE])
        return self.sheet

    def _body(self, scope: Scope) -> None:
        self.scope = scope
        begin = len(self.texts)
        stack, name, constant, known = self.stack, ast.Name, ast.Constant, self.known
        pop, push = stack.pop, stack.append
        stack += scope.body[::-1]
        while stack:
            node = pop()
            kind = node.__class__
            if kind is name:
                continue
            if kind is constant:
                if node.value.__class__ is str:
                    self._say([node.value], node.lineno)
                continue
            if kind is tuple:
                self.role = node
                continue
            how = known.get(kind)
            if how is None:
                how = known[kind] = tuple(field for field in getattr(kind, "_fields", ()) if field not in _LEAVES)
            if how.__class__ is tuple:
                for field in how:
                    value = getattr(node, field)
                    if value.__class__ is list:
                        stack += value[::-1]
                    elif value.__class__ is not name:
                        push(value)
            else:
                how(self, node)  # type: ignore[operator]
        self.settle(scope, begin)

    def settle(self, scope: Scope, begin: int) -> None:
        """A body has been read; its texts are those from number `begin` on."""

    def finish(self) -> None:
        """All bodies have been read."""

    def _push(self, value: Any) -> None:
        """Have a node, or those of a list, read next."""
        if value.__class__ is list:
            self.stack += value[::-1]
        elif value is not None and value.__class__ is not ast.Name:
            self.stack.append(value)

    def _under(self, role: Role, nodes: Iterable[Any]) -> None:
        """Have nodes read as what they are there for; afterwards all is as before."""
        self.stack.append(self.role)
        for node in nodes:
            self._push(node)
        self.stack.append(role)

    def _say(self, parts: list[str], line: int, held: list[Row] | None = None) -> None:
        """Note a text; `held` are its placeholders that show an exception."""
        if any(parts):
            row: Row = [parts, line, self.scope.number, *self.role]
            self.texts.append([*row, held] if held else row)

    def _word(self, name: str, how: int) -> None:
        self.words[name] = self.words.get(name, 0) | how
