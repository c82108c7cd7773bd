"""A definition's header taken apart: what a caller sees, piece by piece. Reads tokens, judges no grammar."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from snippetlock.model import Part
from snippetlock.records import dataclass
from snippetlock.render.normal import statements
from snippetlock.tokens import Token, tokenize

__all__ = ["Header", "Param", "Words", "read"]

_OPENERS, _CLOSERS = frozenset("([{"), frozenset(")]}")


class Words(NamedTuple):
    """A piece of source: `same` is equal for pieces that differ in layout only, `shown` is for people."""

    same: tuple[str, ...]
    shown: str


_MOST_KNOWN = 4096
_KNOWN: dict[str, Words] = {}  # by their source: most of a header stays as it was


@dataclass(frozen=True, slots=True, kw_only=True)
class Param:
    """One parameter. `kind` is how it can be passed, in words; `name` has its stars."""

    name: str
    kind: str
    annotation: Words | None
    default: Words | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """What the head of a part says; what its kind has no place for is empty."""

    decorators: tuple[Words, ...] = ()
    is_async: bool = False
    generics: Words | None = None
    params: tuple[Param, ...] = ()
    returns: Words | None = None
    bases: tuple[Words, ...] = ()
    keywords: tuple[tuple[str, Words], ...] = ()
    annotation: Words | None = None
    value: Words | None = None


class _Text:
    """Tokens of one text, cut and spelled."""

    def __init__(self, text: str) -> None:
        self.text = text

    def word(self, token: Token) -> str:
        return self.text[token.start : token.end]

    def words(self, tokens: Sequence[Token]) -> Words | None:
        """The tokens as a piece, None for no tokens."""
        if not tokens:
            return None
        source = self.text[tokens[0].start : tokens[-1].end]
        if source not in _KNOWN:
            if len(_KNOWN) >= _MOST_KNOWN:
                _KNOWN.clear()
            _KNOWN[source] = self._words(tokens, source)
        return _KNOWN[source]

    def _words(self, tokens: Sequence[Token], source: str) -> Words:
        shown, end = "", tokens[0].start
        for token in tokens:
            gap, word = self.text[end : token.start], self.word(token)
            tight = ("\n" in gap or "\r" in gap) and (shown[-1:] in _OPENERS or word in _CLOSERS)
            if word in _CLOSERS and shown.endswith(",") and gap.strip(" \t") != "":
                shown = shown[:-1]
            shown += (" " if gap and not tight else "") + " ".join(word.split())
            end = token.end
        same = tuple(piece for s in statements(f"x = ({source})") if s.depth >= 0 for piece in s.pieces)
        return Words(same, shown)

    def split(self, tokens: Sequence[Token], mark: str) -> Iterator[list[Token]]:
        """The runs between `mark` outside of brackets; a lambda's own commas and colon are passed over."""
        depth = lambdas = 0
        run: list[Token] = []
        for token in tokens:
            word = self.word(token) if token.kind != "string" else ""
            depth += (word in _OPENERS and word != "") - (word in _CLOSERS and word != "")
            lambdas += not depth and word == "lambda"
            if word == mark and not depth and not lambdas:
                yield run
                run = []
                continue
            if word == ":" and not depth and lambdas:
                lambdas -= 1
            run.append(token)
        yield run

    def cut(self, tokens: Sequence[Token], mark: str) -> tuple[list[Token], list[Token] | None]:
        """What stands before the first `mark` outside of brackets, and what behind it; None when there is none."""
        first = next(self.split(tokens, mark))
        return first, (list(tokens[len(first) + 1 :]) if len(first) < len(tokens) else None)


def read(text: str, part: Part) -> Header:
    """The header of a class, function or attribute of a file's `text`."""
    own = _Text(text)
    *decorators, line = _lines(own, part)
    if part.kind == "attribute":
        return _attribute(own, line)
    found = tuple(words for d in decorators if (words := own.words(d[1:])))
    is_async = own.word(line[0]) == "async"
    line = line[2 + is_async :]  # past `def` and the name
    generics, line = _bracket(own, line, "[")
    inside, line = _bracket(own, line, "(")
    if part.kind == "function":
        arrow = own.cut(line, ":")[0]
        return Header(
            decorators=found,
            is_async=is_async,
            generics=own.words(generics),
            params=tuple(_params(own, inside)),
            returns=own.words(arrow[1:]),
        )
    clauses = [own.cut(clause, "=") for clause in own.split(inside, ",") if clause]
    named = ((own.word(name[0]), own.words(value or ())) for name, value in clauses if value is not None)
    return Header(
        decorators=found,
        generics=own.words(generics),
        bases=tuple(words for base, value in clauses if value is None and (words := own.words(base))),
        keywords=tuple((name, words) for name, words in named if words),
    )


def _lines(own: _Text, part: Part) -> list[list[Token]]:
    """The logical lines of the head, without comments."""
    lines: list[list[Token]] = [[]]
    depth = 0
    for token in tokenize(own.text, part.head.start, part.head.end):
        if token.kind == "comment":
            continue
        if token.kind == "newline":
            if not depth and lines[-1]:
                lines.append([])
            continue
        word = own.word(token) if token.kind == "op" else " "
        depth += (word in _OPENERS) - (word in _CLOSERS)
        lines[-1].append(token)
    return lines if lines[-1] else lines[:-1]


def _bracket(own: _Text, line: list[Token], opener: str) -> tuple[list[Token], list[Token]]:
    """What is inside the bracket that the line begins with, and what follows it; nothing where it does not."""
    if not line or own.word(line[0]) != opener:
        return [], line
    depth = at = 0
    while not at or depth:
        word = own.word(line[at]) if line[at].kind == "op" else " "
        depth += (word in _OPENERS) - (word in _CLOSERS)
        at += 1
    return line[1 : at - 1], line[at:]


def _params(own: _Text, tokens: Sequence[Token]) -> Iterator[Param]:
    clauses = [clause for clause in own.split(tokens, ",") if clause]
    marks = [own.word(clause[0]) if len(clause) == 1 else "" for clause in clauses]
    slash = marks.index("/") if "/" in marks else -1
    named_only = False
    for i, clause in enumerate(clauses):
        word = own.word(clause[0])
        if marks[i] in ("/", "*"):
            named_only = named_only or marks[i] == "*"
            continue
        star = word if word in ("*", "**") else ""
        left, default = own.cut(clause[bool(star) :], "=")
        name, annotation = own.cut(left, ":")
        if star:
            kind = "the rest of the positional" if star == "*" else "the rest of the named"
        elif named_only:
            kind = "keyword-only"
        else:
            kind = "positional-only" if i < slash else "positional or keyword"
        named_only = named_only or star == "*"
        yield Param(
            name=star + "".join(own.word(token) for token in name),
            kind=kind,
            annotation=own.words(annotation or ()),
            default=own.words(default or ()),
        )


def _attribute(own: _Text, line: list[Token]) -> Header:
    left, value = own.cut(line, "=")
    _, annotation = own.cut(left, ":")
    return Header(annotation=own.words(annotation or ()), value=own.words(value or ()))
