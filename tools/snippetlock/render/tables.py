"""TOML text with everything taken out that does not change what it says.

Line breaks and the last comma of an array, spaces, and how a string or a key is quoted are layout. Works on a part
of a file; where it cannot read all of that, it says so.
"""

from __future__ import annotations

import json
import re
import tomllib

from snippetlock.select.toml import TOKEN

__all__ = ["said"]

_PLAIN = re.compile(r"[A-Za-z0-9_-]+")


def said(text: str) -> list[tuple[str, bool]] | None:
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
