"""The definitions of a Python file, found on its logical lines without parsing it.

A scope is a module, a class or a function; its statements are the logical lines that belong to it, those
inside its `if`, `try`, `with`, `for`, `while` and `match` blocks included. A definition is a class, a
function or an assignment (plain, annotated, an annotation alone, `type`). Imports, loop variables and the
local variables of a function are none.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from snippetlock.records import dataclass, field
from snippetlock.select.skim import Skim
from snippetlock.select.statements import bound, header_colon, small_statements, targets
from snippetlock.text import late
from snippetlock.tokens import NAME, NEWLINE

if TYPE_CHECKING:
    from snippetlock.model import Part

__all__ = ["Definition", "Outline", "Scope", "Statement", "normal"]

_GAP = rf"(?:[ \t\f]|\\(?:{NEWLINE}))"
_HEAD = late(
    rf"(?P<at>@)|(?:async{_GAP}+)?def{_GAP}+(?P<function>{NAME})|class{_GAP}+(?P<class>{NAME})|(?P<import>import|from)\b"
    rf"|(?P<block>(?:async{_GAP}+)?(?:if|elif|else|for|while|try|except|finally|with|match|case)\b)"
)

ScopeKind = Literal["module", "class", "function"]


class Scope(NamedTuple):
    """The statements on logical lines `start` up to `stop`; or those of that one line from offset `inline` on."""

    start: int
    stop: int
    kind: ScopeKind
    inline: int = -1


class Statement(NamedTuple):
    """One statement of a scope: logical lines `first` (a decorator's, if any) up to `stop`; `line` has the header.

    `start` is where its own text starts on `line`: after `else:` for a statement that shares that line.
    """

    kind: Literal["class", "function", "import", "simple"]
    name: str
    first: int
    line: int
    stop: int
    start: int


class Definition(NamedTuple):
    """A name that a statement binds: the statement's own for a class or function, else one of its targets."""

    name: str
    kind: Literal["class", "function", "attribute"]
    statement: Statement


@dataclass(frozen=True, slots=True, eq=False)
class Outline:
    """A skim, and the scopes of it looked at so far.

    `labels` fills `labelled`, by scope and name; `python` fills `parts`, by the way to a definition.
    """

    skim: Skim
    memo: dict[Scope, tuple[Statement, ...]] = field(default_factory=dict)
    labelled: dict[tuple[Scope, str], dict[Definition, str]] = field(default_factory=dict)
    parts: dict[tuple[Definition, ...], Part] = field(default_factory=dict)

    @property
    def module(self) -> Scope:
        return Scope(0, len(self.skim.starts), "module")

    def inside(self, statement: Statement) -> Scope:
        """The scope that a class or function opens."""
        kind: ScopeKind = "class" if statement.kind == "class" else "function"
        if statement.stop > statement.line + 1:
            return Scope(statement.line + 1, statement.stop, kind)
        colon = header_colon(self.skim.text, statement.start, self.skim.ends[statement.line])
        return Scope(statement.line, statement.stop, kind, inline=colon + 1)

    def around(self, way: Sequence[Definition]) -> Scope:
        """The scope that holds the last definition of a way from the module on."""
        return self.inside(way[-2].statement) if len(way) > 1 else self.module

    def statements(self, scope: Scope) -> tuple[Statement, ...]:
        """The statements of a scope, in order, without the headers of its blocks."""
        found = self.memo.get(scope)
        if found is None:
            found = self.memo[scope] = tuple(_statements(self.skim, scope))
        return found

    def definitions(self, scope: Scope, name: str = "") -> tuple[Definition, ...]:
        """What a scope defines, in order; only what has this name where one is given."""
        return tuple(self._definitions(scope, name))

    def _definitions(self, scope: Scope, name: str) -> Iterator[Definition]:
        text, ends = self.skim.text, self.skim.ends
        if scope.kind == "function" and not self._may_define(scope):
            return
        ascii_name = name if name.isascii() else ""
        for statement in self.statements(scope):
            if statement.kind == "class" or statement.kind == "function":
                if not name or statement.name == name:
                    yield Definition(statement.name, statement.kind, statement)
            elif scope.kind != "function":
                end = ends[statement.line]
                if statement.kind == "import" and text.find(";", statement.start, end) < 0:
                    continue
                if text.find(ascii_name, statement.start, end) < 0 and text[statement.start : end].isascii():
                    continue
                for target in dict.fromkeys(map(normal, bound(text, statement.start, end))):
                    if not name or target == name:
                        yield Definition(target, "attribute", statement)

    def _may_define(self, scope: Scope) -> bool:
        """Whether there can be a `def` or `class` in a function: most have none, and none on the header's own line."""
        if scope.inline >= 0 or scope.start >= scope.stop:
            return False
        start, end = self.skim.codes[scope.start], self.skim.ends[scope.stop - 1]
        return any(self.skim.text.find(word, start, end) >= 0 for word in ("def", "class"))


def _statements(skim: Skim, scope: Scope) -> Iterator[Statement]:
    text, codes, ends, columns = skim.text, skim.codes, skim.ends, skim.columns
    head = _HEAD.match
    at, first, stop = scope.start, -1, scope.stop
    if scope.inline >= 0:
        yield _simple(text, at, scope.inline, ends[at])
        at = stop
    while at < stop:
        found = head(text, codes[at])
        word = found.lastgroup if found else ""
        begin = at if first < 0 else first
        first = begin if word == "at" else -1
        after = at + 1
        if found is None or word == "import":
            yield Statement("import" if found else "simple", "", at, at, after, codes[at])
        elif word == "function" or word == "class":
            while after < stop and columns[after] > columns[at]:
                after += 1
            kind: Literal["class", "function"] = "class" if word == "class" else "function"
            yield Statement(kind, normal(found[word]), begin, at, after, codes[at])
        elif word == "block":
            yield from _block(skim, at, stop)
        at = after


def _block(skim: Skim, line: int, stop: int) -> Iterator[Statement]:
    """What stands on the header's own line; or the line itself where its first word is a mere name (`match = 1`)."""
    text, code, end = skim.text, skim.codes[line], skim.ends[line]
    soft = text.startswith(("match", "case"), code)
    opens = line + 1 < stop and skim.columns[line + 1] > skim.columns[line]
    if opens:
        return
    colon = header_colon(text, code, end)
    if soft and any(targets(text, s) for s in small_statements(text, code, end)):
        yield Statement("simple", "", line, line, line + 1, code)
    elif colon >= 0:
        yield _simple(text, line, colon + 1, end)


def _simple(text: str, line: int, start: int, end: int) -> Statement:
    """The statements from `start` to the end of a logical line; they are imports if the first one is."""
    while start < end and text[start] in " \t\f":
        start += 1
    found = _HEAD.match(text, start)
    return Statement("import" if found and found["import"] else "simple", "", line, line, line + 1, start)


def normal(name: str) -> str:
    """The name as Python compares it."""
    return name if name.isascii() else unicodedata.normalize("NFKC", name)
