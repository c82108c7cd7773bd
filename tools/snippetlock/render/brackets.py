"""Parentheses that change nothing, found by what stands inside and beside them.

Formatters put them around what they wrap, and take them away again. A pair goes only when the statement means
the same without it: by the binding of the operators next to it, or because it fills a place that takes a tuple
anyway (`return (a, b)`). Where that is not sure the pair stays. Judges no grammar: the text may have gaps.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from snippetlock.records import dataclass

__all__ = ["KEYWORDS", "bare"]

COMPOUND = frozenset(
    ("async", "case", "class", "def", "elif", "else", "except", "finally", "for", "if", "try", "while", "with")
)
KEYWORDS = COMPOUND | {  # a bracket after one of these is no call
    *("and", "as", "assert", "await", "del", "from", "global", "import", "in", "is", "lambda", "not", "or"),
    *("raise", "return", "yield"),
}
_SOFT = ("match", "case")  # keywords as the first word of a header only
_CLOSERS = {"(": ")", "[": "]", "{": "}"}
_ENDS = ("in", "=", ":")  # what a comma can stand before and say nothing
_FREE = -1  # the power of a place that takes any expression
_TRAILER, _NEVER = 16, 99
_POWERS = {
    ":=": 0, "yield": 0, "lambda": 1, "if": 2, "else": 2, "or": 3, "and": 4, "not": 5,
    "in": 6, "is": 6, "<": 6, ">": 6, "<=": 6, ">=": 6, "==": 6, "!=": 6, "<>": 6,
    "|": 7, "^": 8, "&": 9, "<<": 10, ">>": 10, "+": 11, "-": 11, "*": 12, "@": 12, "/": 12, "//": 12, "%": 12,
    "~": 13, "**": 14, "await": 15,
}  # fmt: skip
_UNARY = 13
_LEFT_FIRST = range(7, 13)  # `(a - b) - c` is `a - b - c`
_ASSIGN = frozenset(("=", "+=", "-=", "*=", "/=", "%=", "@=", "&=", "|=", "^=", ">>=", "<<=", "**=", "//="))
_OPENS = frozenset(
    ("return", "assert", "del", "raise", "with", "while", "elif", "import", "except", "from", "as", "for")
)


@dataclass(slots=True)
class _Pair:
    """What is directly inside a pair of brackets, its dropped pairs opened. `power` is that of the loosest operator."""

    open: int
    close: int
    power: int = _NEVER
    commas: int = 0
    loops: bool = False
    yields: bool = False

    def take(self, other: _Pair) -> None:
        self.power = min(self.power, other.power)
        self.commas += other.commas
        self.loops |= other.loops
        self.yields |= other.yields


def bare(pieces: Sequence[str], kinds: Sequence[str]) -> tuple[str, ...]:
    """The tokens of one simple statement, or of one header with its colon, without what changes nothing."""
    if "(" in pieces and not _only_calls(pieces, kinds):
        pieces = _Statement(pieces, kinds).bare()
    if "," in pieces and any(one == "," and other in _ENDS for one, other in pairwise(pieces)):
        pieces = _without_idle_commas(pieces)
    return _without_last_comma(pieces)


def _only_calls(pieces: Sequence[str], kinds: Sequence[str]) -> bool:
    """Whether every parenthesis stands behind what can be called: then none can go. False where that is not sure."""
    if pieces[0] == "class" or pieces[0] in _SOFT or pieces[0] == "(":
        return False
    for i, piece in enumerate(pieces):
        if piece == "(":
            before = pieces[i - 1]
            if before not in (")", "]") and (kinds[i - 1] == "op" or before in KEYWORDS):
                return False
    return True


def _without_idle_commas(pieces: Sequence[str]) -> list[str]:
    """`for a, b, in c`, `a, b, = c` and `lambda a,: b` without the comma that makes no tuple."""
    found: list[str] = []
    places = [("", 0)]  # at each depth of brackets: what began the list, and how many commas are in it
    for i, piece in enumerate(pieces):
        word, commas = places[-1]
        header = pieces[0] in ("for", "async", "match", "case") and i + 1 == len(pieces) and not word
        if found[-1:] == [","] and piece in _ENDS:
            outside = len(places) == 1 and (header if piece == ":" else piece == "=" and not word)
            several = commas > 1 and (outside or (piece == "in" and word == "for"))
            if several or (piece == ":" and word == "lambda"):
                del found[-1]
        found.append(piece)
        if piece in _CLOSERS:
            places.append(("", 0))
        elif piece in (")", "]", "}"):
            places = places[:-1] or [("", 0)]  # the text can have a gap
        elif piece in ("for", "lambda"):
            places[-1] = (piece, 0)
        elif (piece in ("in", "=") and word != "lambda") or (piece == ":" and word == "lambda"):
            places[-1] = ("", 0)
        elif piece == ",":
            places[-1] = (word, commas + 1)
    return found


def _without_last_comma(pieces: Sequence[str]) -> tuple[str, ...]:
    """`1, 2,` is `1, 2`, and `1,` is not `1`."""
    if pieces[-1] != ",":
        return tuple(pieces)
    commas = depth = 0
    for piece in pieces:
        depth += (piece in _CLOSERS) - (piece in (")", "]", "}"))
        if not depth:
            commas = 0 if piece == "=" else commas + (piece == ",")
    return tuple(pieces[:-1] if commas > 1 else pieces)


class _Statement:
    """One statement while its pairs are judged, the inner ones first."""

    def __init__(self, pieces: Sequence[str], kinds: Sequence[str]) -> None:
        self.pieces = pieces
        self.kinds = kinds
        self.partner: dict[int, int] = {}
        self.gone: dict[int, _Pair] = {}  # dropped pairs, by where they open
        self.drop: set[int] = set()
        self.soft = pieces[0] in _SOFT and pieces[-1] == ":" and len(pieces) > 2
        loop = pieces[:2] if pieces[0] == "async" else pieces[:1]
        self.loop = loop[-1] == "for"

    def bare(self) -> tuple[str, ...]:
        waiting: list[int] = []
        for i, piece in enumerate(self.pieces):
            if self.kinds[i] != "op":
                continue
            if piece in _CLOSERS:
                waiting.append(i)
            elif waiting and piece == _CLOSERS[self.pieces[waiting[-1]]]:
                self._judge(waiting.pop(), i, waiting)
            elif piece in (")", "]", "}"):
                waiting.clear()  # the text has a gap here
        return tuple(p for i, p in enumerate(self.pieces) if i not in self.drop)

    def _judge(self, start: int, end: int, around: list[int]) -> None:
        self.partner[start] = end
        if self.pieces[start] != "(":
            return
        if end == start + 1:
            if self.pieces[0] == "class" and self.pieces[end + 1 :] == [":"]:
                self.drop |= {start, end}
            return
        if self._is_value(start - 1):
            return  # a call
        pair = self._inside(start, end)
        if self._fills(pair, around) if pair.commas and not pair.yields else self._binds(pair):
            self.gone[start] = pair
            self.drop |= {start, end}
            if self.pieces[start - 1] == "with" and self.pieces[end - 1] == ",":
                self.drop.add(end - 1)

    def _inside(self, start: int, end: int) -> _Pair:
        pair = _Pair(start, end)
        until = ""  # the word up to which commas are those of loop variables or of a lambda's parameters
        i = start + 1
        while i < end:
            piece = self.pieces[i]
            if i in self.partner:
                if i in self.gone and not until:
                    pair.take(self.gone[i])
                i = self.partner[i] + 1
                continue
            if self.kinds[i] == "op" or piece in KEYWORDS:
                until = "" if piece == until else {"for": "in", "lambda": ":"}.get(piece, until)
                pair.power = min(pair.power, self._power(i))
                pair.commas += piece == "," and not until
                pair.loops |= piece == "for"
                pair.yields |= piece == "yield"
            i += 1
        return pair

    def _power(self, i: int) -> int:
        """How tightly the operator at `i` binds; a sign by what stands before it."""
        piece = self.pieces[i]
        if piece in ("+", "-") and not self._is_value(i - 1):
            return _UNARY
        return _POWERS.get(piece, _NEVER)

    def _is_value(self, i: int) -> bool:
        """Whether the token at `i` can end an expression, so that a bracket behind it calls or subscripts."""
        if i < 0:
            return False
        if self.kinds[i] == "op":
            return self.pieces[i] in (")", "]", "}", "...")
        return self.pieces[i] not in KEYWORDS and not (i == 0 and self.soft)

    def _binds(self, pair: _Pair) -> bool:
        """Whether one expression stays one without its parentheses."""
        before, after = pair.open - 1, pair.close + 1
        left, right = self._left(before), self._right(before, after)
        if pair.loops:  # the generator that is all there is in a pair of its own: `f((x for x in y))`
            return self._is(before, "(") and self._is(after, ")") and self.kinds[before] == "op"
        if pair.yields:
            return left == _FREE and (after == len(self.pieces) or self._is(after, ")"))
        if before < 0 and self._is(after, ":"):
            return False  # `(a): int` declares less than `a: int`
        tighter = pair.power > right or (pair.power == right and right in _LEFT_FIRST)
        return tighter and (pair.power > left or (left == _POWERS["**"] and pair.power >= _UNARY))

    def _left(self, i: int) -> int:
        if i < 0 or (i == 0 and self.soft):
            return _FREE
        piece = self.pieces[i]
        if piece in _OPENS or piece in _ASSIGN or piece in ("(", "[", "{", ",", ":", ";", "->", ":=", "yield"):
            return _FREE
        if i == 0 and piece in ("if", "@"):
            return _FREE
        if piece == "in" and self._heads_loop(i):
            return _FREE
        if piece in ("+", "-", "*", "**") and not self._is_value(i - 1):
            return _UNARY if piece in ("+", "-") else _FREE
        return _POWERS.get(piece, _NEVER)

    def _right(self, before: int, i: int) -> int:
        piece = self.pieces[i] if i < len(self.pieces) else ")"
        if piece in (")", "]", "}", ",", ":", ";", "as", "from", "for", "async") or piece in _ASSIGN:
            return _FREE
        if piece in (".", "(", "["):
            return _TRAILER
        if piece == "in" and self._is(before, "for"):
            return _FREE
        if piece == "not":
            return _POWERS["in"]
        return _POWERS.get(piece, _NEVER) if piece != ":=" else _NEVER

    def _heads_loop(self, i: int) -> bool:
        """Whether the `in` at `i` is the one of a `for` statement."""
        return self.loop and "in" not in self.pieces[:i] and self.pieces[-1] == ":"

    def _fills(self, pair: _Pair, around: list[int]) -> bool:
        """Whether a tuple stands where it is one without parentheses."""
        before, after = pair.open - 1, pair.close + 1
        ends = after == len(self.pieces)
        closes = after == len(self.pieces) - 1 and self.pieces[-1] == ":"
        word = self.pieces[before] if before >= 0 else ""
        if around:
            inner = around[-1] == before and self._is(after, _CLOSERS[self.pieces[before]])
            if word == "[":
                return inner and self._is_value(before - 1)
            if word == "(":
                return inner and not self._is_value(before - 1)
            return (word == "for" and self._is(after, "in")) or (word == "yield" and self._is(after, ")"))
        if word == "" or word in _ASSIGN:
            return ends or self._is(after, "=")
        if word in ("return", "del", "yield", "import"):
            return ends
        if word == "for":
            return self._is(after, "in")
        if word == "in":
            return closes and self._heads_loop(before)
        if before == 0 and self.soft:
            return closes or self._is(after, "if")
        return closes and (word in ("with", "except") or (word == "*" and self._is(before - 1, "except")))

    def _is(self, i: int, piece: str) -> bool:
        return 0 <= i < len(self.pieces) and self.pieces[i] == piece
