"""The four digests of what is shown, each blind to one thing more than the one before it.

They are of our own reading of the text, never of the interpreter's, so every Python computes the same. What
changes them changes every lock: then the lock's format number must change with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from snippetlock.config.selector import split_keys
from snippetlock.model import Digests, Found, Part
from snippetlock.render.imports import in_order
from snippetlock.render.normal import Statement, statements
from snippetlock.render.views import Plan
from snippetlock.text import sha256

__all__ = ["digests", "has_fields", "head", "is_inside"]

_FIELD_DECORATORS = frozenset(("attrs", "dataclass", "define", "frozen", "mutable"))
_FIELD_BASES = frozenset(("BaseModel", "NamedTuple", "Struct", "TypedDict"))


def digests(found: Found, planned: Plan, text: str, comments: Sequence[tuple[int, str]]) -> Digests:
    """The digests of what is shown, without the marks for what is not.

    `comments` are (line counted from 0, text), where Python's lexer is no help.
    """
    if found.language == "python":
        tokens_of, code_of = _python(text)
        signature = _of(_signature(found, planned))
        return Digests(text=sha256(text), tokens=tokens_of, code=code_of, signature=signature)
    from snippetlock.render.data import said  # with the readers of every other language

    key = split_keys(found.selector.name) if found.language == "toml" and found.part.name else ()
    tokens, code, heads = said(found.language, text, key, comments)
    return Digests(text=sha256(text), tokens=_of(tokens), code=_of(code), signature=_of(heads))


@lru_cache(
    maxsize=4096
)  # of the text alone; between two states, and along a history, most of what is shown is the same
def _python(text: str) -> tuple[str, str]:
    """The digests of a text's tokens and of its code."""
    every = list(in_order(statements(text)))
    return _of(_line(s) for s in every), _of(_line(s) for s in _code(every))


def _of(lines: Iterable[str]) -> str:
    return sha256("\x1e".join(lines))


def _line(statement: Statement) -> str:
    return f"{statement.depth} " + "\x1f".join(statement.pieces)


def _code(every: Sequence[Statement]) -> Iterator[Statement]:
    """What runs. A `pass` that is alone in its block fills the place that a docstring fills as well."""
    left = [s for s in every if s.depth >= 0 and not s.inert]
    for i, statement in enumerate(left):
        first = i > 0 and left[i - 1].depth < statement.depth
        last = i + 1 == len(left) or left[i + 1].depth < statement.depth
        if not (statement.pieces == ("pass",) and first and last):
            yield statement


def _signature(found: Found, planned: Plan) -> Iterator[str]:
    """The heads that are shown: the part's own, and those of the members of a class or a module.

    The order of methods says nothing to a caller, that of fields does. Private members are the inside of what
    is shown whole; where a view names them they count.
    """
    part = found.part
    if planned.header and part.kind != "module":
        yield head(found.text, part)
    if part.kind == "function":
        return
    waiting = [(part, [m for m in planned.shown if planned.named or not is_inside(m)])]
    while waiting:
        owner, members = waiting.pop()
        fields = has_fields(found.text, owner)
        heads = [_member(found.text, member, fields) for member in members]
        yield from (line for ordered, line in heads if ordered)
        yield from sorted(line for ordered, line in heads if not ordered)
        if planned.full:
            inner = [m for m in members if m.kind == "class"]
            waiting += [(m, [n for n in m.members if not is_inside(n)]) for m in reversed(inner)]


def is_inside(member: Part) -> bool:
    """Whether a member's name says that it is no caller's business."""
    return member.name.startswith("_") and not (member.name.startswith("__") and member.name.endswith("__"))


def _member(text: str, member: Part, fields: bool) -> tuple[bool, str]:
    pieces = _pieces(text, member)
    if member.kind != "attribute":
        return False, "\x1f".join(pieces)
    value = _value_at(pieces)
    if fields and ":" in pieces[:value]:
        return True, "\x1f".join(pieces)
    return False, "\x1f".join(pieces[:value])


def has_fields(text: str, part: Part) -> bool:
    """Whether the annotated attributes of a class are parameters of its constructor, values their defaults."""
    if part.kind != "class":
        return False
    words = {"@": _FIELD_DECORATORS, "class": _FIELD_BASES}
    for statement in statements(text[part.head.start : part.head.end]):
        if not words.get(statement.pieces[0], frozenset()).isdisjoint(statement.pieces):
            return True
    return False


def head(text: str, part: Part) -> str:
    """A header's tokens, decorators included; of an attribute its name and annotation, not its value."""
    pieces = _pieces(text, part)
    return "\x1f".join(pieces[: _value_at(pieces)] if part.kind == "attribute" else pieces)


def _pieces(text: str, part: Part) -> tuple[str, ...]:
    return _said(text[part.head.start : part.head.end])


@lru_cache(maxsize=4096)
def _said(header: str) -> tuple[str, ...]:
    """The tokens of a header, which most versions of a file have in common."""
    return tuple(p for s in statements(header) if s.depth >= 0 for p in (*s.pieces, "\n"))


def _value_at(pieces: Sequence[str]) -> int:
    """Where the `=` before an attribute's value stands; past the end when it has none."""
    depth = 0
    for i, piece in enumerate(pieces):
        depth += (piece in ("(", "[", "{")) - (piece in (")", "]", "}"))
        if piece == "=" and not depth:
            return i
    return len(pieces)
