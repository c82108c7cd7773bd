"""What the parts of a claim come to, as data: values with the lines they are from, and why there is none. Pure."""

from __future__ import annotations

from typing import Any, Literal

from snippetlock.records import dataclass

__all__ = ["Made", "Object", "Stop", "alike", "shown"]

_MOST = 300  # characters of a value in a message
_DEEPEST = 60


@dataclass(frozen=True, slots=True)
class Object:
    """A class, function or module: `key` tells it from others, `label` is how it is called."""

    label: str
    key: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A value, and the lines of the library that it is from, as `path:line`.

    Sequences are tuples, whatever the library has them as.
    """

    value: Any
    places: tuple[str, ...] = ()


class Stop(Exception):
    """There is no value.

    What is named is `missing`, the source does not tell (`unknown`), or it makes no sense (`misfit`).
    """

    def __init__(
        self,
        why: Literal["missing", "unknown", "misfit"],
        message: str,
        *,
        evidence: tuple[str, ...] = (),
        mend: str = "",
    ) -> None:
        super().__init__(message)
        self.why = why
        self.message = message
        self.evidence = evidence
        self.mend = mend


def alike(left: Any, right: Any) -> bool:
    """Whether two values are the same. True is not 1, and a list is no set."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, Object) and isinstance(right, Object):
        return bool(left.key == right.key)
    if isinstance(left, tuple) and isinstance(right, tuple):
        return len(left) == len(right) and all(map(alike, left, right))
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(alike(value, right[key]) for key, value in left.items())
    if isinstance(left, tuple | dict) or isinstance(right, tuple | dict):
        return False
    return bool(left == right)


def shown(value: Any, most: int = _MOST) -> str:
    """A value as a claim writes it, its end left out where it is long."""
    text = "".join(_parts(value, most))
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _parts(value: Any, most: int) -> list[str]:
    """The pieces of a value's text, as many as are needed."""
    found: list[str] = []
    length = 0
    waiting: list[tuple[Any, bool]] = [(value, False)]
    while waiting and length <= most:
        each, plain = waiting.pop()
        pieces = [(each, True)] if plain else _pieces(each)
        if len(pieces) == 1 and pieces[0][1]:
            found.append(pieces[0][0])
            length += len(pieces[0][0])
        else:
            waiting += reversed(pieces)
    return found


def _pieces(value: Any) -> list[tuple[Any, bool]]:
    """A value taken apart by one level: texts that stand as they are, and values."""
    if isinstance(value, Object):
        return [(value.label, True)]
    if isinstance(value, str):
        quote = "'" if '"' in value and "'" not in value else '"'
        quoted = value.replace("\\", "\\\\").replace(quote, f"\\{quote}").replace("\n", "\\n").replace("\t", "\\t")
        return [(f"{quote}{quoted}{quote}", True)]
    if isinstance(value, tuple | frozenset):
        items = value if isinstance(value, tuple) else _ordered(value)
        ends = "[]" if isinstance(value, tuple) else "{}"
        if not value:
            return [("[]" if isinstance(value, tuple) else "set()", True)]
        parts: list[tuple[Any, bool]] = [(ends[0], True)]
        for item in items:
            parts += [(item, False), (", ", True)]
        return [*parts[:-1], (ends[1], True)]
    if isinstance(value, dict):
        parts = [("{", True)]
        for key, item in value.items():
            parts += [(key, False), (": ", True), (item, False), (", ", True)]
        return [*(parts[:-1] if value else parts), ("}", True)]
    return [(repr(value), True)]


def _ordered(value: frozenset[Any]) -> list[Any]:
    return sorted(value, key=lambda item: (type(item).__name__, item.label if isinstance(item, Object) else str(item)))
