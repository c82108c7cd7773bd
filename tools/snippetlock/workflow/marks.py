"""Where a file's text can define, import or list a name: lines that are cheap to find. Pure, and no proof of anything.

A commit that takes none of the marks of a name away did nothing to what the name means; of one that does, the index
has to say.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache

__all__ = ["defines", "marks", "words_of"]

_SEPARATORS = bytes(
    number if (chr(number).isalnum() and number < 128) or number in (0x5F, *range(128, 256)) else 0x20
    for number in range(256)
)
_HEADER = 4000  # bytes of a header that are read at most
_FIELD = rb"^[ \t]+[^\W\d]\w*+[ \t]*+:(?!=)"
_BUILDING = frozenset([b"__init__", b"__new__"])
_OPENING, _CLOSING = b"([{", b")]}"


def words_of(data: bytes, wanted: Collection[bytes]) -> frozenset[bytes]:
    """Those of the words that the text has."""
    return frozenset(wanted).intersection(data.translate(_SEPARATORS).split())


def marks(data: bytes, word: bytes, methods: Collection[bytes] = ()) -> Mapping[bytes, int]:
    """The lines that may say what a name is, headers of functions whole, and how often each is there.

    Where the name is a class's, also the headers of these `methods` in it, and with `__init__` among them its fields.
    """
    found: dict[bytes, int] = {}
    for line in _lines(data, word):
        found[line] = found.get(line, 0) + 1
    if methods:
        for first, last in _blocks(data, word):
            for match in _methods(frozenset(methods)).finditer(data, first, last):
                line = _header(data, match.start())
                found[line] = found.get(line, 0) + 1
    return found


@lru_cache(maxsize=256)
def _methods(names: frozenset[bytes]) -> re.Pattern[bytes]:
    """How a line begins that is the header of one of these methods."""
    listed = b"|".join(re.escape(name) for name in sorted(names))
    head = rb"^[ \t]+(?:async[ \t]+)?def[ \t]+(?:%b)\b" % listed
    return re.compile(head if _BUILDING.isdisjoint(names) else rb"%b|%b" % (head, _FIELD), re.M)


def _blocks(data: bytes, word: bytes) -> Iterator[tuple[int, int]]:
    """Where the bodies of classes of this name are, as far as their indentation tells."""
    for match in re.finditer(rb"^([ \t]*)class[ \t]+%b\b[^\n]*\n" % re.escape(word), data, re.M):
        end = re.compile(rb"^[ \t]{0,%d}[^\s#)]" % len(match[1]), re.M).search(data, match.end())
        yield match.end(), end.start() if end else len(data)


def defines(data: bytes, word: bytes) -> bool:
    """Whether a line of the text defines or sets a name."""
    return any(not line.startswith((b"from ", b"import ", b'"', b"'", word + b",")) for line in _lines(data, word))


def _lines(data: bytes, word: bytes) -> Iterator[bytes]:
    for match in _pattern(word).finditer(data):
        start = data.rfind(b"\n", 0, match.start()) + 1
        yield _header(data, start)


@lru_cache(maxsize=4096)
def _pattern(word: bytes) -> re.Pattern[bytes]:
    name = re.escape(word)
    return re.compile(
        rb"\b(?:def|class)[ \t]+%b\b"  # a definition
        rb"|(?<![\w.])(?:self\.|cls\.)?%b[ \t]*(?::|=(?!=))"  # an assignment, or a keyword
        rb"|[(,][ \t]*\*{0,2}%b[ \t]*[,)]"  # a parameter, or an argument
        rb"|\bimport\b[^\n]*\b%b\b|^[ \t]*%b(?:[ \t]+as[ \t]+\w+)?,?[ \t]*$"  # an import, in one line or several
        rb"|[\"']%b[\"']" % ((name,) * 6),  # listed, or a key
        re.M,
    )


def _header(data: bytes, start: int) -> bytes:
    """The line that begins there; of a function up to where its brackets close."""
    end = data.find(b"\n", start)
    end = len(data) if end < 0 else end
    line = data[start:end].strip()
    if not line.startswith((b"def ", b"async def ")):
        return line
    depth = 0
    for at in range(start, min(len(data), start + _HEADER)):
        char = data[at]
        if char in _OPENING:
            depth += 1
        elif char in _CLOSING:
            depth -= 1
            if depth == 0:
                return b" ".join(data[start : at + 1].split())
    return line
