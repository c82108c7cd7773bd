"""TOML text with everything taken out that does not change what it says.

Line breaks and the last comma of an array, spaces, how a string or a key is quoted, how a number is spelt, and
whether a table is inline, has a header, or is a dotted key are layout. A part of a file that is no TOML by itself goes
by its tokens; where it cannot read all of that, it says so.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Sequence
from typing import Any

from snippetlock.select.entries import TOKEN, spots

__all__ = ["said"]

_DEEPEST = 50  # levels of a value; beyond, its tokens are compared
_PLAIN = re.compile(r"[A-Za-z0-9_-]+")


def said(text: str, key: Sequence[str] = ()) -> list[tuple[str, bool]] | None:
    """What a text says, piece by piece, each with whether it is a comment. None where that cannot be told.

    `key` is the one that is selected: under a header of its own it is written whole, among its siblings not.
    """
    try:
        value = tomllib.loads(text)
        under = _above(value, tuple(key))
        leaves = list(_leaves(value, under, 0))
    except (tomllib.TOMLDecodeError, RecursionError):
        return _tokens(text)
    if not value:
        return _tokens(text)
    comments: dict[tuple[str, ...], list[str]] = {}
    places = dict.fromkeys(where for where, _ in leaves)
    for path, comment in spots(text):
        full = (*under, *path)
        while full and full not in places:
            full = full[:-1]
        comments.setdefault(full, []).append(comment.rstrip())
    every = [(comment, True) for comment in comments.get((), ())]
    for where, piece in leaves:
        every.append((f"{json.dumps(where)} {piece}", False))
        every += [(comment, True) for comment in comments.pop(where, ())] if where else []
    return every


def _above(value: dict[str, Any], key: tuple[str, ...]) -> tuple[str, ...]:
    """What of the key is not written, because the text stands below the header of what holds it."""
    for i in range(len(key)):
        inner: Any = value
        for part in key[i:]:
            inner = inner.get(part) if isinstance(inner, dict) and len(inner) == 1 else None
        if inner is not None:
            return key[:i]
    return ()


def _leaves(value: Any, where: tuple[str, ...], depth: int) -> Iterator[tuple[tuple[str, ...], str]]:
    """Everything that holds no more, in order, by where it is, and every array and empty table."""
    if depth > _DEEPEST:
        raise RecursionError
    if isinstance(value, dict) and value:
        for name, inner in value.items():
            yield from _leaves(inner, (*where, name), depth + 1)
    elif isinstance(value, list):
        yield where, f"[{len(value)}]"
        for number, inner in enumerate(value):
            yield from _leaves(inner, (*where, str(number)), depth + 1)
    else:
        yield where, f"{type(value).__name__} {json.dumps(value) if isinstance(value, str) else value!s}"


def _tokens(text: str) -> list[tuple[str, bool]] | None:
    """What a text says, piece by piece, each with whether it is a comment. None where that cannot be told."""
    code: list[str] = []
    comments: list[tuple[int, str]] = []  # with how many pieces stand before each
    comma, at = False, 0
    for found in TOKEN.finditer(text):
        kind, piece = found.lastgroup, found[0]
        if found.start() != at:
            return None
        at = found.end()
        if kind == "comment":
            comments.append((len(code), piece.rstrip()))
        elif piece == ",":
            comma = True  # it counts when something follows
        elif kind not in ("skip", "newline"):
            code += [","] * (comma and piece not in ("]", "}"))
            code.append(piece)
            comma = False
    if at != len(text):
        return None
    try:
        read = [(i, False, _read(code, i)) for i in range(len(code))]
    except tomllib.TOMLDecodeError:
        return None
    every = [*read, *((i, True, piece) for i, piece in comments)]
    every.sort(key=lambda one: (one[0], not one[1]))
    return [(piece, is_comment) for _, is_comment, piece in every]


def _read(code: list[str], i: int) -> str:
    """A piece as it is meant: a string without its escapes, a key without quotes that it does not need."""
    piece = code[i]
    if piece[0] not in "\"'":
        return piece
    value = str(tomllib.loads(f"x = {piece}")["x"])
    is_key = code[i + 1 : i + 2] in (["."], ["="]) or code[max(0, i - 1)] == "."
    return value if is_key and _PLAIN.fullmatch(value) else json.dumps(value)
