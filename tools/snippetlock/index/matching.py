"""How one text of the source can make a message, piece by piece: what of it is literal, and where placeholders are.

Linear in message and pieces: each piece is looked for from left to right, once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from snippetlock.records import dataclass

__all__ = ["Match", "Range", "fits", "inside", "match", "prose", "spaced", "squeezed"]

_SPACE = re.compile(r"\s+")
_WORD = re.compile(
    r"(?<![\w.'\"`-])(?:[A-Z][a-z]++|[a-z]++)(?:['-][a-z]++)*+(?![\w.(\[=]\w|\w|['\"`(\[=-])"
)  # not of code: no single capital, nothing quoted or called
Range = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Match:
    """How a text makes a message: what is literal as ranges of the message, and the last placeholder that it reaches.

    `whole` says that it makes all of the message. `hole` is the number of that placeholder, -1 where the message goes
    on behind the text; `first` and `end` are its range.
    """

    whole: bool
    literal: tuple[Range, ...]
    hole: int
    first: int
    end: int

    @property
    def covered(self) -> int:
        """How many characters are literal."""
        return sum(end - start for start, end in self.literal)


def spaced(text: str) -> str:
    """A text with one space for each run of white space."""
    return _SPACE.sub(" ", text)


def squeezed(text: str) -> str:
    """The same, with none around it."""
    return spaced(text).strip(" ")


def prose(message: str) -> list[Range]:
    """Where the words of a message are that are prose: not names, values or code."""
    return [found.span() for found in _WORD.finditer(message)]


def inside(word: Range, ranges: Iterable[Range]) -> bool:
    """Whether a word is in one of the ranges."""
    return any(start <= word[0] and word[1] <= end for start, end in ranges)


def fits(parts: Sequence[str], text: str) -> bool:
    """Whether a text is these pieces, one at least, in their order, with anything between two of them."""
    first, last = parts[0], parts[-1]
    if len(parts) == 1:
        return text == first
    at, end = len(first), len(text) - len(last)
    if at > end or not text.startswith(first) or not text.endswith(last):
        return False
    for piece in parts[1:-1]:
        found = text.find(piece, at, end)
        if found < 0:
            return False
        at = found + len(piece)
    return True


def match(parts: Sequence[str], message: str) -> Match | None:
    """Pieces in their order, the first at the beginning; None where the first is not there or nothing literal is."""
    first = parts[0].lstrip(" ")
    if not message.startswith(first):
        if first.startswith(message):
            return _ended(False, [(0, len(message))], -1, len(message), len(message))
        return None
    literal = [(0, len(first))] if first else []
    at = len(first)
    for number, part in enumerate(parts[1:], start=1):
        if number == len(parts) - 1:
            part = part.rstrip(" ")
            if not part or (message.endswith(part) and len(message) - len(part) >= at):
                start = len(message) - len(part)
                return _ended(True, [*literal, (start, len(message))], number - 1, at, start)
        start = message.find(part, at)
        if start < 0:
            end = len(message) - _overlap(message, part, at)
            if end == len(message) and not literal:
                return None
            return _ended(False, [*literal, (end, len(message))], number - 1, at, end)
        if part:
            literal.append((start, start + len(part)))
        at = start + len(part)
    return _ended(False, literal, -1, at, len(message))  # the message goes on where the text ends


def _ended(whole: bool, literal: list[Range], hole: int, first: int, end: int) -> Match | None:
    kept = tuple(each for each in literal if each[0] < each[1])
    return Match(whole, kept, hole, first, end) if kept else None


def _overlap(message: str, part: str, at: int) -> int:
    """How many characters at the end of the message are the beginning of a piece: there it was cut off."""
    most = min(len(part), len(message) - at, 200)
    tail = message[len(message) - most :]
    begin = tail.find(part[:1]) if most > 0 else -1
    while begin >= 0:  # from the longest on, where the first character is the one
        if part.startswith(tail[begin:]):
            return most - begin
        begin = tail.find(part[:1], begin + 1)
    return 0
