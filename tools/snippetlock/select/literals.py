"""String literals without the choices that change no value: quotes, the case of escapes, splits of one string.

A normal form is `prefix'content`: the prefix in lower case and in one order, the content with no quote escaped.
What stands in a replacement field is compared by its tokens, except where `=` shows the field's own text.
"""

from __future__ import annotations

import re

from snippetlock.errors import SourceError
from snippetlock.text import late, normalise
from snippetlock.tokens import tokenize

__all__ = ["computes", "joined", "literal"]

_QUOTED = late(r"([a-zA-Z]*)(\"\"\"|'''|\"|')(.*)\2", re.DOTALL)
_HEX = r"x[0-9a-fA-F]{2}"
_ESCAPE = late(rf"\\(?:{_HEX}|u[0-9a-fA-F]{{4}}|U[0-9a-fA-F]{{8}}|N\{{[^{{}}]*\}}|\n|.)", re.DOTALL)
_BYTES_ESCAPE = late(rf"\\(?:{_HEX}|\n|.)", re.DOTALL)
_FIELD = late(r"\{\{|\}\}|\\N\{[^{}]*\}|\{")
_BRACE = late(r"\\N\{[^{}]*\}|[{}]")
_OPEN_OCTAL = late(r"(?<!\\)(?:\\\\)*\\[0-7]{1,2}\Z")
_DEEPEST = 8  # strings in fields of strings; beyond, the field's text is compared as it is


def literal(piece: str, depth: int = 0) -> str:
    """The normal form of one string literal."""
    found = _QUOTED.fullmatch(piece)
    assert found is not None  # the lexer says that it is one
    prefix = "".join(sorted(found[1].lower().replace("u", "")))
    inside, raw = normalise(found[3]), "r" in prefix
    if not _has_fields(prefix):
        return f"{prefix}'{_plain(inside, prefix)}"
    try:
        return f"{prefix}'{_with_fields(inside, raw, depth)}"
    except SourceError:
        return f"{prefix}'{_plain(inside, prefix)}"


def joined(first: str, second: str) -> str | None:
    """Two normal forms that stand side by side as the one string they make; None where they are kept apart."""
    left, right = first.partition("'"), second.partition("'")
    if left[0] != right[0]:
        if {left[0], right[0]} != {"", "f"}:
            return None
        left, right = _as_fields(left), _as_fields(right)
    if "r" not in left[0] and right[2][:1].isdecimal() and _OPEN_OCTAL.search(left[2]):
        return None  # `"\1" "2"` is not `"\12"`
    return f"{left[0]}'{left[2]}{right[2]}"


def computes(form: str) -> bool:
    """Whether a string of this normal form runs code when it is evaluated."""
    return _has_fields(form.partition("'")[0])


def _has_fields(prefix: str) -> bool:
    return "f" in prefix or "t" in prefix


def _as_fields(parts: tuple[str, str, str]) -> tuple[str, str, str]:
    if parts[0] == "f":
        return parts
    return "f", "'", _BRACE.sub(lambda found: found[0] * 2 if len(found[0]) == 1 else found[0], parts[2])


def _plain(inside: str, prefix: str) -> str:
    if "\\" not in inside or "r" in prefix:
        return inside
    return (_BYTES_ESCAPE if "b" in prefix else _ESCAPE).sub(_unescaped, inside)


def _unescaped(escape: re.Match[str]) -> str:
    whole = escape[0]
    if whole in ("\\\n", "\\'", '\\"'):
        return whole[1:].strip("\n")
    if len(whole) == 2:
        return whole
    return whole.upper() if whole[1] == "N" else whole[:2] + whole[2:].lower()


def _with_fields(inside: str, raw: bool, depth: int) -> str:
    """The content of a string with fields; raises `SourceError` for one that cannot be taken apart."""
    out: list[str] = []
    at = 0
    while found := _FIELD.search(inside, at):
        if len(found[0]) > 1 and not (raw and found[0][0] == "\\"):
            out.append(_plain(inside[at : found.end()], "r" * raw))
            at = found.end()
            continue
        start = found.end() if found[0] == "{" else found.start() + 3
        out.append(_plain(inside[at : start - 1], "r" * raw))
        field, at = _field(inside, start, raw, depth)
        out.append(field)
    out.append(_plain(inside[at:], "r" * raw))
    return "".join(out)


def _field(inside: str, start: int, raw: bool, depth: int) -> tuple[str, int]:
    """The normal form of the field whose text begins at `start`, and where it ends."""
    if depth > _DEEPEST:
        raise SourceError("fields in fields in fields")
    words: list[str] = []
    level = 0
    for kind, begin, end in tokenize(inside, start):
        piece = inside[begin:end]
        if kind in ("newline", "comment"):
            continue
        if not level and piece in ("!", ":", "}") and kind == "op":
            text = inside[start:begin] if words[-1:] == ["="] else "\x1d".join(words)
            return _field_end(inside, begin, text, raw, depth)
        level += (piece in ("(", "[", "{")) - (piece in (")", "]", "}"))
        words.append(literal(piece, depth + 1) if kind == "string" else piece)
    raise SourceError("a field that does not end")


def _field_end(inside: str, at: int, text: str, raw: bool, depth: int) -> tuple[str, int]:
    """The conversion and the format of a field, and its closing brace, from `at` on."""
    stop = at
    while inside[stop] not in ":}":
        stop += 1
        if stop == len(inside):
            raise SourceError("a field that does not end")
    text += inside[at:stop].strip()
    if inside[stop] == "}":
        return f"{{{text}}}", stop + 1
    level, end = 1, stop + 1
    while level:
        if end == len(inside):
            raise SourceError("a format that does not end")
        level += (inside[end] == "{") - (inside[end] == "}")
        end += 1
    return f"{{{text}:{_with_fields(inside[stop + 1 : end - 1], raw, depth + 1)}}}", end
