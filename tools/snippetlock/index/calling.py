"""Calls as prose writes them: `kernel_for(role, inputs, call)`, `f(a, ...)`, `f(*args)`, `x.y(z=1)`, `f(a[, b])`.

Reads tokens and judges no grammar: what is no call is no call, and never an error. Linear, and nothing recurses.
"""

from __future__ import annotations

from keyword import iskeyword
from typing import Literal

from snippetlock.errors import SourceError
from snippetlock.records import dataclass
from snippetlock.tokens import Token, tokenize

__all__ = ["Argument", "Call", "calls"]

ArgumentKind = Literal["positional", "keyword", "star", "stars", "ellipsis", "separator"]
_PAIRS = {")": "(", "]": "[", "}": "{"}
_DOTS = ("...", "…")


@dataclass(frozen=True, slots=True, kw_only=True)
class Argument:
    """One argument. `name` is that of a keyword, or of an argument that is nothing but a name; `text` as written.

    A `separator` is a `*` or `/` alone, an `ellipsis` stands for any arguments. `noted` says that an annotation
    follows the name, which only signatures have.
    """

    kind: ArgumentKind
    text: str
    name: str = ""
    noted: bool = False

    @property
    def bare(self) -> bool:
        """Whether a parameter could be meant: a name, a starred name, a keyword."""
        return bool(self.name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A call. `name` is the dotted name that is called, empty for what another call or a subscript returns.

    `chained` says that the name is looked up in a result; then `text` begins behind that. `declared` says that it is
    written as a signature is. `optional` arguments stood in brackets.
    """

    name: str
    arguments: tuple[Argument, ...]
    text: str
    chained: bool = False
    declared: bool = False
    optional: bool = False

    @property
    def open(self) -> bool:
        """Whether more may be meant than is written."""
        return any(argument.kind in ("star", "stars", "ellipsis") for argument in self.arguments)


def calls(text: str) -> tuple[Call, ...]:
    """The calls in a text, in order; those inside the arguments of another are part of its text."""
    if "(" not in text:
        return ()
    try:
        tokens = [token for token in tokenize(text) if token.kind not in ("newline", "comment")]
    except SourceError:  # a quote that is not closed
        return ()
    return tuple(_Reader(text, tokens).read())


class _Reader:
    def __init__(self, text: str, tokens: list[Token]) -> None:
        self.text = text
        self.tokens = tokens
        self.words = [text[token.start : token.end] for token in tokens]
        self.closing = _matched(self.words)

    def read(self) -> list[Call]:
        found: list[Call] = []
        at = 0
        while at < len(self.words):
            if self.tokens[at].kind == "name" and not iskeyword(self.words[at]) and self.words[at] not in _DOTS:
                at = self._primary(at, found)
            elif self.words[at] in ("[", "{", "("):
                at += 1  # what stands in brackets of its own is read as well
            else:
                at += 1
        return found

    def _primary(self, at: int, found: list[Call]) -> int:
        """Read a name with what hangs on it; return where it ends."""
        declared = at > 0 and self.words[at - 1] == "def"
        names, chained, begin = [self.words[at]], False, at
        at += 1
        while at < len(self.words) and self.tokens[at].start == self.tokens[at - 1].end:
            word = self.words[at]
            if word == "." and at + 1 < len(self.words) and self.tokens[at + 1].kind == "name":
                names.append(self.words[at + 1])
                at += 2
            elif word in ("(", "[") and at in self.closing:
                end = self.closing[at]
                if word == "(":
                    call = self._call(".".join(names), begin, at, end, chained, declared)
                    if call is not None:
                        found.append(call)
                names, chained, at = [], True, end + 1
                begin = at
            else:
                break
        return at

    def _call(self, name: str, begin: int, opening: int, end: int, chained: bool, declared: bool) -> Call | None:
        ranges, optional = self._split(opening + 1, end)
        arguments = []
        for first, last in ranges:
            argument = self._argument(first, last) if first < last else None
            if argument is None:
                return None
            arguments.append(argument)
        noted = any(argument.kind == "separator" or argument.noted for argument in arguments)
        return Call(
            name=name,
            arguments=tuple(arguments),
            text=self.text[self.tokens[begin].start : self.tokens[end].end],
            chained=chained,
            declared=declared or noted or optional,
            optional=optional,
        )

    def _split(self, at: int, end: int) -> tuple[list[tuple[int, int]], bool]:
        """The token ranges between commas, one after the last comma only where something is there."""
        ranges: list[tuple[int, int]] = []
        first, held, optional = at, "", False
        skipped: set[int] = set()
        while at < end:
            word = self.words[at]
            if at in skipped:
                if at == first:
                    first += 1
                elif at + 1 == end or self.words[at + 1] in (",", "]"):
                    ranges.append((first, at))
                    first = at + 1
            elif word == "[" and self.words[at + 1] == "," and at in self.closing:
                optional = True
                skipped.add(self.closing[at])
                if first < at:
                    ranges.append((first, at))
                first, at = at + 2, at + 1
            elif word in ("lambda", "for"):
                held = {"lambda": ":", "for": "in"}[word]
            elif word == held:
                held = ""
            elif word == "," and not held:
                if first < at or not (at > 0 and at - 1 in skipped):
                    ranges.append((first, at))
                first = at + 1
            elif at in self.closing:
                at = self.closing[at]
            at += 1
        if first < end:
            ranges.append((first, end))
        return ranges, optional

    def _argument(self, first: int, last: int) -> Argument | None:
        words = self.words[first:last] if last - first < 3 else self.words[first : first + 3]
        text = self.text[self.tokens[first].start : self.tokens[last - 1].end]
        named = self.tokens[first].kind == "name" and not iskeyword(words[0]) and words[0] not in _DOTS
        if last - first == 1:
            if words[0] in _DOTS:
                return Argument(kind="ellipsis", text=text)
            if words[0] in ("*", "/"):
                return Argument(kind="separator", text=text)
            return Argument(kind="positional", text=text, name=words[0] if named else "")
        if words[0] in ("*", "**"):
            plain = last - first == 2 and self.tokens[first + 1].kind == "name"
            kind: ArgumentKind = "star" if words[0] == "*" else "stars"
            return Argument(kind=kind, text=text, name=words[1] if plain else "")
        if named and words[1] == "=":
            return Argument(kind="keyword", text=text, name=words[0])
        if named and words[1] == ":":
            return Argument(kind="positional", text=text, name=words[0], noted=True)
        return Argument(kind="positional", text=text)


def _matched(words: list[str]) -> dict[int, int]:
    """Where each bracket closes; none for what is not closed, or by another kind."""
    found: dict[int, int] = {}
    waiting: list[int] = []
    for at, word in enumerate(words):
        if word in ("(", "[", "{"):
            waiting.append(at)
        elif word in _PAIRS:
            if waiting and words[waiting[-1]] == _PAIRS[word]:
                found[waiting.pop()] = at
            else:
                waiting.clear()
    return found
