"""The statements of a piece of Python, which block each is in, and how far it reaches. Parses none of them."""

from __future__ import annotations

import re

from snippetlock.records import dataclass, field
from snippetlock.select.forms import HEADS, head, simple
from snippetlock.select.skim import Skim, skim
from snippetlock.select.statements import code_tokens, header_colon, small_statements
from snippetlock.select.words import NONE, Node, Odd, words

__all__ = ["ODD", "Statement", "full_tree", "own_trees", "statements_of"]

ODD = Node("odd", (), 0, 0)
"""The tree of what we cannot read: it is like nothing."""

_WORD = re.compile(r"(?:async[ \t\f]+)?([^\W\d]\w*)")
_CLAUSES = frozenset(("elif", "else", "except", "finally"))


@dataclass(slots=True, eq=False)
class Statement:
    """One statement, with those in its body.

    Offsets: `first` is where its first decorator or itself begins, `start` up to `end` its own text (of a compound
    statement: the head with its colon). `block` is what stands beside it.

    `line` and `last` are logical lines of the skim: the one it begins on, and the last one of its body, the
    `else` and the like that follow it (its `clauses`) included.
    """

    skim: Skim
    first: int
    start: int
    end: int
    head: bool
    line: int
    last: int
    block: list[Statement]
    above: Statement | None  # what the block belongs to
    body: list[Statement] = field(default_factory=list)
    clauses: list[Statement] = field(default_factory=list)
    decorators: tuple[tuple[int, int], ...] = ()
    leader: Statement | None = None  # of a clause: what it follows


def statements_of(text: str) -> tuple[Statement, ...]:
    """Every statement of `text`, in order, those in bodies included."""
    lines = skim(text)
    found: list[Statement] = []
    open_: list[tuple[int, list[Statement], Statement | None]] = []  # column, block, what it belongs to
    decorators: list[tuple[int, int]] = []
    for i, (code, end, column) in enumerate(zip(lines.codes, lines.ends, lines.columns, strict=True)):
        while open_ and column < open_[-1][0]:
            open_.pop()
        if not open_ or column > open_[-1][0]:
            above = open_[-1][1][-1] if open_ and open_[-1][1] else None
            open_.append((column, above.body if above and above.head and not above.body else [], above))
        _, block, above = open_[-1]
        if text[code] == "@":
            decorators.append((code + 1, end))
            continue
        found += _on_line(lines, i, block, above, tuple(decorators))
        decorators = []
        for last in (around[-1] for _, around, _ in open_ if around):
            last.last = i
            if last.leader:
                last.leader.last = i
    return tuple(found)


def _on_line(
    lines: Skim, i: int, block: list[Statement], above: Statement | None, decorators: tuple[tuple[int, int], ...]
) -> list[Statement]:
    """The statements that begin on a logical line, hung into their blocks."""
    text, code, end = lines.text, lines.codes[i], lines.ends[i]
    first = decorators[0][0] - 1 if decorators else code
    colon = _head_colon(text, code, end, above)
    if colon < 0:
        return _simple(lines, i, code, block, above, first)
    one = Statement(lines, first, code, colon + 1, True, i, i, block, above, decorators=decorators)
    if _first_word(text, code) in _CLAUSES and block and block[-1].head:
        one.leader = block[-1].leader or block[-1]
        one.leader.clauses.append(one)
    block.append(one)
    return [one, *_simple(lines, i, colon + 1, one.body, one, colon + 1)]


def _simple(
    lines: Skim, i: int, start: int, block: list[Statement], above: Statement | None, first: int
) -> list[Statement]:
    found = [
        Statement(lines, tokens[0].start, tokens[0].start, tokens[-1].end, False, i, i, block, above)
        for tokens in small_statements(lines.text, start, lines.ends[i])
    ]
    block += found
    return found


def _first_word(text: str, code: int) -> str:
    found = _WORD.match(text, code)
    return found[1] if found else ""


def _head_colon(text: str, code: int, end: int, above: Statement | None) -> int:
    """Where the colon of a compound statement's head is; -1 for a simple statement."""
    word = _first_word(text, code)
    if word not in HEADS:
        return -1
    colon = header_colon(text, code, end)
    if colon < 0 or word not in ("match", "case"):
        return colon
    between = next(code_tokens(text, code + len(word), end))
    within = above is not None and _first_word(above.skim.text, above.start) == "match"
    rest = next(code_tokens(text, colon + 1, end), None)
    is_head = between.start != colon and (within if word == "case" else rest is None)
    return colon if is_head else -1


def own_trees(statement: Statement) -> tuple[Node, ...]:
    """The trees of its decorators and of its own text, its body aside."""
    return (*(_tree(statement.skim, a, b, False) for a, b in statement.decorators), _own(statement))


def full_tree(statement: Statement) -> Node:
    """The tree of a statement with its body and its clauses."""
    body = Node("body", tuple(full_tree(s) for s in statement.body if s.leader is None), 0, 0)
    clauses = Node("clauses", tuple(map(full_tree, statement.clauses)), 0, 0)
    parts = (_own(statement), body, clauses) if statement.head else (_own(statement), NONE, NONE)
    return Node("statement", parts, statement.start, statement.end)


def _own(statement: Statement) -> Node:
    return _tree(statement.skim, statement.start, statement.end, statement.head)


def _tree(lines: Skim, start: int, end: int, is_head: bool) -> Node:
    try:
        every = words(lines.text, start, end, holes=False)
        return head(every, end, pattern=False) if is_head else simple(every, end)
    except Odd:
        return ODD
