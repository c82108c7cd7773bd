"""Where the keys and the tables of a TOML file stand, by its tokens. Only for texts that `tomllib` accepts.

That judges the file, and says nothing of places.
"""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import count
from typing import NamedTuple

__all__ = ["TOKEN", "Entry", "Key", "Token", "entries", "spots", "tokens"]

TOKEN = re.compile(
    r"(?P<skip>[ \t]+)"
    r"|(?P<newline>\r?\n)"
    r"|(?P<comment>\#[^\r\n]*)"
    r'|(?P<block>"""(?:[^"\\]|\\[\s\S]|"(?!""))*+"{3,5}|\'\'\'(?:[^\']|\'(?!\'\'))*+\'{3,5})'
    r'|(?P<string>"(?:[^"\\\r\n]|\\.)*+"|\'[^\'\r\n]*+\')'
    r"|(?P<op>[\[\]{}=,.])"
    r"|(?P<bare>[^\s\"'#\[\]{}=,.]+)"
)
_DEEPEST = 50  # levels of arrays and inline tables in which a key can be selected

Key = tuple[str, ...]


class Token(NamedTuple):
    """A piece of the text; `kind` is the group of `TOKEN` that it is."""

    kind: str
    text: str
    start: int
    end: int


class Entry(NamedTuple):
    """A key with its value, an item of an array, or a table's header. `header` says the last."""

    key: Key
    start: int
    end: int
    header: bool = False


def tokens(text: str) -> list[Token]:
    """What stands in a text, white space aside; ends of lines are tokens too."""
    found = TOKEN.finditer(text)
    return [Token(one.lastgroup or "", one.group(), *one.span()) for one in found if one.lastgroup != "skip"]


def entries(tokens: Sequence[Token]) -> Iterator[Entry]:
    """Every header, key and item, in the order in which they begin."""
    return _Skim(tokens).entries()


def spots(text: str) -> Iterator[tuple[Key, str]]:
    """Every comment of a text that `tomllib` accepts, with the key of the last entry that begins before it."""
    every = tokens(text)
    begun = sorted((entry.start, entry.key) for entry in entries(every))
    starts = [start for start, _ in begun]
    for token in every:
        if token.kind == "comment":
            before = bisect_left(starts, token.start)
            yield begun[before - 1][1] if before else (), token.text


class _Skim:
    """A walk over the tokens of a file that `tomllib` has accepted."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.tokens = tokens
        self.at = 0
        self.arrays: dict[Key, int] = {}  # the number of the last element of an array of tables

    def entries(self) -> Iterator[Entry]:
        table: Key = ()
        while self._pass_blank():
            start = self.tokens[self.at].start
            if self._op("["):
                array = self._op("[")
                table = self._table(self._key(), array)
                self.at += 1 + array
                yield Entry(table, start, self.tokens[self.at - 1].end, header=True)
            else:
                yield from self._pair(table, 0)

    def _pass_blank(self) -> bool:
        """Pass ends of lines and comments; whether anything is left."""
        while self.at < len(self.tokens) and self.tokens[self.at].kind in ("newline", "comment"):
            self.at += 1
        return self.at < len(self.tokens)

    def _op(self, text: str) -> bool:
        token = self.tokens[self.at]
        if token.kind == "op" and token.text == text:
            self.at += 1
            return True
        return False

    def _key(self) -> Key:
        parts = [_key_of(self.tokens[self.at])]
        self.at += 1
        while self._op("."):
            parts.append(_key_of(self.tokens[self.at]))
            self.at += 1
        return tuple(parts)

    def _table(self, key: Key, array: bool) -> Key:
        """The key of a header with the numbers of the array elements on its way."""
        full: Key = ()
        for i, part in enumerate(key):
            full = (*full, part)
            if array and i == len(key) - 1:
                self.arrays[full] = self.arrays.get(full, -1) + 1
            if full in self.arrays:
                full = (*full, str(self.arrays[full]))
        return full

    def _pair(self, table: Key, depth: int) -> Iterator[Entry]:
        start = self.tokens[self.at].start
        key = (*table, *self._key())
        self.at += 1  # the equal sign
        yield from self._entry(key, start, depth)

    def _entry(self, key: Key, start: int, depth: int) -> Iterator[Entry]:
        inside = list(self._value(key, depth))
        yield Entry(key, start, self.tokens[self.at - 1].end)
        yield from inside if depth < _DEEPEST else ()

    def _value(self, key: Key, depth: int) -> Iterator[Entry]:
        """Pass a value; the entries of what is inside an array or an inline table."""
        if self._op("["):
            for number in count():
                if not self._pass_blank() or self._op("]"):
                    return
                yield from self._entry((*key, str(number)), self.tokens[self.at].start, depth + 1)
                self._pass_blank()
                self._op(",")
        elif self._op("{"):
            while self._pass_blank() and not self._op("}"):
                yield from self._pair(key, depth + 1)
                self._pass_blank()
                self._op(",")
        else:
            self.at += 1
            while self.at < len(self.tokens) and not self._ends():
                self.at += 1  # `1.5` and `1979-05-27 07:32:00` are several tokens

    def _ends(self) -> bool:
        token = self.tokens[self.at]
        return token.kind in ("newline", "comment") or (token.kind == "op" and token.text in ",]}")


def _key_of(token: Token) -> str:
    """A key as it is meant: without quotes and escapes."""
    if token.kind == "bare":
        return token.text
    (key,) = tomllib.loads(f"{token.text} = 0")
    return key
