"""The four digests of what is shown, each blind to one thing more than the one before it.

They are of our own reading of the text, never of the interpreter's, so every Python computes the same. What
changes them changes every lock: then the lock's format number must change with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from snippetlock.errors import SourceError
from snippetlock.model import Digests, Found, Part
from snippetlock.render.normal import statements
from snippetlock.render.views import Plan
from snippetlock.select.events import events
from snippetlock.text import sha256


def digests(found: Found, planned: Plan, text: str, comments: Sequence[tuple[int, str]]) -> Digests:
    """The digests of the shown `text`. `comments` are (line counted from 0, text), where Python's lexer is no help."""
    if found.language == "python":
        every = list(statements(text))
        tokens = [f"{s.depth} " + "\x1f".join(s.pieces) for s in every]
        code = [line for line, s in zip(tokens, every, strict=True) if s.depth >= 0 and not s.inert]
        signature = list(_signature(found, planned))
    else:
        tokens, code = _data(found.language, text, comments)
        signature = [member.name for member in planned.shown]
    return Digests(text=sha256(text), tokens=_of(tokens), code=_of(code), signature=_of(signature))


def _of(lines: Iterable[str]) -> str:
    return sha256("\x1e".join(lines))


def _signature(found: Found, planned: Plan) -> Iterator[str]:
    """The heads that are shown: the part's own, and those of the members of a class or a module."""
    part = found.part
    if planned.header and part.kind != "module":
        yield _head(found.text, part)
    waiting = list(reversed(planned.shown)) if part.kind != "function" else []
    while waiting:
        member = waiting.pop()
        yield _head(found.text, member)
        if member.kind == "class" and planned.full:
            waiting += reversed(member.members)


def _head(text: str, part: Part) -> str:
    """A header's tokens, decorators included; of an attribute its name and annotation, not its value."""
    pieces = [p for s in statements(text[part.head.start : part.head.end]) if s.depth >= 0 for p in (*s.pieces, "\n")]
    depth = 0
    for i, piece in enumerate(pieces if part.kind == "attribute" else ()):
        depth += (piece in ("(", "[", "{")) - (piece in (")", "]", "}"))
        if piece == "=" and not depth:
            return "\x1f".join(pieces[:i])
    return "\x1f".join(pieces)


def _data(language: str, text: str, comments: Sequence[tuple[int, str]]) -> tuple[list[str], list[str]]:
    """Tokens and code of what is not Python: YAML's structure; of anything else the text, its blanks made equal."""
    if language == "yaml":
        try:
            said = events(text)
        except SourceError:
            said = ()  # a slice need not be YAML by itself; then its words are all there is
        if said:
            both = [*((line, 1, what) for line, what in said), *((line, 0, what) for line, what in comments)]
            return [f"{kind}{what}" for _, kind, what in sorted(both, key=lambda one: one[:2])], [w for _, w in said]
    words = text.split()
    return words, words
