"""What trees are made of: the tokens of Python that say something, in the form that is compared, and nodes."""

from __future__ import annotations

from typing import NamedTuple

from snippetlock.select.literals import joined, literal
from snippetlock.tokens import tokenize

__all__ = ["KEYWORDS", "NONE", "Node", "Odd", "Word", "words"]

KEYWORDS = frozenset(
    {
        *(
            "and",
            "as",
            "assert",
            "async",
            "await",
            "break",
            "class",
            "continue",
            "def",
            "del",
            "elif",
            "else",
            "except",
        ),
        *("finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal", "not", "or", "pass"),
        *("raise", "return", "try", "while", "with", "yield"),
    }
)


class Node(NamedTuple):
    """A piece of a tree. `start` and `end` are offsets of the text; they do not make two nodes different.

    Names are `name x` where they are expressions and `id x` where they are not (an attribute, a parameter, a
    keyword). The holes of a pattern are `$x` and `$_` for one, `$*x` and `$*_` for several.
    """

    label: str
    parts: tuple[Node, ...]
    start: int
    end: int


NONE = Node("none", (), 0, 0)
"""Stands where a tree has room for something that is not there."""


class Word(NamedTuple):
    """A token: `kind` as the lexer has it, or `hole`; `text` in the form that is compared."""

    kind: str
    text: str
    start: int
    end: int


class Odd(Exception):
    """At `offset` stands what no expression or statement can have there, as far as we know."""

    def __init__(self, what: str, offset: int) -> None:
        super().__init__(what)
        self.what = what
        self.offset = offset


def words(text: str, start: int, end: int, holes: bool) -> list[Word]:
    """The tokens of `text[start:end]` that say something. Raises `SourceError` for a string that is not closed."""
    found: list[Word] = []
    for kind, begin, stop in tokenize(text, start, end):
        if kind in ("comment", "newline"):
            continue
        piece = text[begin:stop]
        last = found[-1] if found else None
        if kind == "string":
            piece = literal(piece)
            if last and last.kind == "string" and (both := joined(last.text, piece)) is not None:
                found[-1] = Word("string", both, last.start, stop)
                continue
        elif kind == "number":
            piece = piece.lower().replace("_", "")
        elif holes and last and last.end == begin and last.text == "$" and last.kind == "op" and piece == "*":
            found[-1] = Word("op", "$*", last.start, stop)
            continue
        elif holes and last and last.end == begin and last.text in ("$", "$*") and kind == "name":
            found[-1] = Word("hole", last.text + piece, last.start, stop)
            continue
        found.append(Word(kind, piece, begin, stop))
    return found
