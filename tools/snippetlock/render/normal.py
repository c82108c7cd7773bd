"""Python text with everything taken out that does not change what it says.

Two texts with the same statements differ in layout at most: line breaks, the width of the indentation, spaces,
quotes, how a string is split, parentheses and commas that change nothing, a backslash at a line's end, `;`, and a
body on its header's line. Works on text with lines left out, so it judges no grammar. Where it cannot be sure that
two forms mean the same, it keeps them apart: a layout change that is reported costs a look, a change taken for
layout is lost.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from snippetlock.render.brackets import COMPOUND, KEYWORDS, bare
from snippetlock.select.literals import computes, joined, literal
from snippetlock.text import is_blank, late, margin, width
from snippetlock.tokens import PLAIN_LINE, PLAIN_TOKENS, tokenize

_CLOSERS = {"(": ")", "[": "]", "{": "}"}
_DECIMAL = late(r"(\d*)(\.?)(\d*)(?:e([+-]?)0*(\d+))?(j?)")


class Statement(NamedTuple):
    """A simple statement, a header, or a comment (`depth` -1). `inert` says it is a string and nothing else."""

    depth: int
    pieces: tuple[str, ...]
    inert: bool = False


class _Line(NamedTuple):
    """A logical line: its tokens, and where at bracket depth 0 stand the `:`, `;`, `lambda` that divide it."""

    pieces: list[str]
    kinds: list[str]
    dividers: list[int]
    comments: list[str]


class _Read(NamedTuple):
    """A logical line as it was read from `text`; `said` are its statements, by the depth that they were asked for."""

    text: str
    column: int
    line: _Line
    said: dict[int, tuple[Statement, ...]]


_MOST_READ, _MOST_ALIKE = 8192, 8
_READ: dict[str, tuple[_Read, ...]] = {}  # by their first physical lines


def statements(text: str) -> Iterator[Statement]:
    """The statements of a text. Comments follow the statement that they are in or behind."""
    indents = [0]
    at = 0
    while at < len(text):
        read = _line_at(text, at)
        at += len(read.text)
        if read.line.pieces:
            while read.column < indents[-1]:
                indents.pop()
            if read.column > indents[-1]:
                indents.append(read.column)
            depth = len(indents) - 1
            if depth not in read.said:
                read.said[depth] = tuple(_simple(read.line, depth))
            yield from read.said[depth]
        for comment in read.line.comments:
            yield Statement(-1, (comment,))


def _line_at(text: str, start: int) -> _Read:
    """The logical line that begins at `start`; a blank one has no tokens.

    A line says what its own text says, wherever it stands, and most lines of a text stood in the version before it.
    """
    first = text[start : text.find("\n", start) + 1 or len(text)]
    for read in _READ.get(first, ()):
        if text.startswith(read.text, start):
            return read
    plain = _plain(first)
    read, ended = (plain, True) if plain else _read(text, start)
    if ended and read.text.endswith("\n"):  # behind `\r` a `\n` can follow
        if len(_READ) >= _MOST_READ:
            _READ.clear()
        _READ[first] = (read, *_READ.get(first, ()))[:_MOST_ALIKE]
    return read


def _plain(first: str) -> _Read | None:
    """What `_read` finds in most lines, at once; None for a line that says more than names, numbers and operators do.

    Also for one that goes on in the next, and for one with a comma that may say nothing.
    """
    if not PLAIN_LINE.fullmatch(first):
        return None
    pieces = PLAIN_TOKENS.findall(first)
    line, open_ = _Line(pieces, [], [], []), list[str]()
    kinds, dividers = line.kinds, line.dividers
    for i, piece in enumerate(pieces):
        if piece.isidentifier():
            kinds.append("name")
            if piece == "lambda" and not open_:
                dividers.append(i)
        elif piece[0].isdigit() or (piece[0] == "." and piece[1:2].isdigit()):
            kinds.append("number")
            pieces[i] = _number(piece.lower().replace("_", ""))
        else:
            kinds.append("op")
            if piece in _CLOSERS:
                open_.append(_CLOSERS[piece])
            elif open_:
                if piece == open_[-1]:
                    if pieces[i - 1] == ",":
                        return None
                    del open_[-1]
            elif piece in (":", ";"):
                dividers.append(i)
    if open_:
        return None
    column = len(first) - len(first.lstrip(" ")) if pieces else 0
    return _Read(first, column, line, {})


def _read(text: str, begin: int) -> tuple[_Read, bool]:
    """A logical line, and whether an end of line ended it, and not the end of the text."""
    line, column, stop = _Line([], [], [], []), 0, -1
    open_: list[tuple[str, int]] = []  # the closing bracket waited for, where its opening one is
    commas: list[int] = []  # how many are directly inside each
    pieces = line.pieces
    for kind, start, end in tokenize(text, begin):
        if kind == "newline":
            if not open_:
                stop = end
                break
            continue
        piece = text[start:end]
        if kind == "comment":
            line.comments.append(_comment(piece.rstrip()))
            continue
        if not pieces:
            column = width(margin(text[begin:start])) if start > begin else 0
        if kind == "op":
            if piece in _CLOSERS:
                open_.append((_CLOSERS[piece], len(pieces)))
                commas.append(0)
            elif open_ and piece == open_[-1][0]:
                opening, count = open_.pop()[1], commas.pop()
                if pieces[-1] == "," and _may_drop(line, opening, count):
                    del pieces[-1], line.kinds[-1]
            elif open_ and piece == ",":
                commas[-1] += 1
            elif not open_ and piece in ":;":
                line.dividers.append(len(pieces))
        elif kind == "string":
            piece = literal(piece)
            if line.kinds[-1:] == ["string"] and (both := joined(pieces[-1], piece)) is not None:
                pieces[-1] = both
                continue
        elif kind == "number":
            piece = _number(piece.lower().replace("_", ""))
        elif piece == "lambda" and not open_:
            line.dividers.append(len(pieces))
        pieces.append(piece)
        line.kinds.append(kind)
    return _Read(text[begin:] if stop < 0 else text[begin:stop], column, line, {}), stop >= 0


def _number(piece: str) -> str:
    """A number as formatters spell it: `5.` is `5.0`, `.5` is `0.5`, and `1e+05` is `1e5`."""
    found = _DECIMAL.fullmatch(piece)
    if found is None or piece.isdecimal():
        return piece
    whole, dot, rest, sign, power, unit = found.groups(default="")
    exponent = f"e{sign.strip('+')}{power}" if power else ""
    return f"{whole or '0'}{dot and f'.{rest or 0}'}{exponent}{unit}"


def _comment(piece: str) -> str:
    """A comment with the blank that formatters put behind its `#`."""
    return piece if piece[1:2] in ("", " ", "!", ":", "#", "'") else f"# {piece[1:]}"


def _cleaned(form: str) -> str:
    """A docstring's normal form without what every reader of one takes away: the indentation, blanks at ends."""
    prefix, quote, inside = form.partition("'")
    first, *rest = inside.split("\n")
    low = min((width(margin(line)) for line in rest if not is_blank(line)), default=0)
    rows = [" " * (width(margin(line)) - low) + line.strip(" \t\f") if not is_blank(line) else "" for line in rest]
    return f"{prefix}{quote}" + "\n".join((first.strip(" \t\f"), *rows)).strip("\n")


def _may_drop(line: _Line, opening: int, commas: int) -> bool:
    """Whether the comma before the closing bracket says nothing: it makes the tuple of `(x,)` and `a[x,]`."""
    if line.pieces[opening] == "{" or commas > 1:
        return True
    before = line.pieces[opening - 1] if opening else ""
    kind = line.kinds[opening - 1] if opening else ""
    after_value = kind == "string" or before in (")", "]", "}") or (kind == "name" and before not in KEYWORDS)
    return after_value != (line.pieces[opening] == "[") or before == "import"


def _simple(line: _Line, depth: int) -> Iterator[Statement]:
    """The statements of a logical line: a body on the header's line is one level deeper, as on its own."""
    pieces, kinds = line.pieces, line.kinds
    header = _header(line)
    if header:
        yield Statement(depth, bare(pieces[:header], kinds[:header]))
        depth += header < len(pieces)
    ends = [i for i in line.dividers if i >= header and pieces[i] == ";"]
    start = header
    for end in (*ends, len(pieces)):
        if start < end:
            words = bare(pieces[start:end], kinds[start:end])
            inert = all("'" in word and not computes(word) for word in words)  # only a string's form has a quote
            yield Statement(depth, tuple(map(_cleaned, words)) if inert else words, inert)
        start = end + 1


def _header(line: _Line) -> int:
    """How many tokens the header of a compound statement has, its colon included; 0 for a simple one."""
    lambdas = 0
    for i in line.dividers if line.pieces[0] in COMPOUND else ():
        if line.pieces[i] == "lambda":
            lambdas += 1
        elif line.pieces[i] == ":" and lambdas:
            lambdas -= 1
        elif line.pieces[i] == ":":
            return 0 if line.pieces[0] == "case" and i == 1 else i + 1
    return 0
