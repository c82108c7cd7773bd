"""A YAML text as the parser's events, which are flat: whoever reads them recurses on nothing that the file says."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Literal, NamedTuple

from snippetlock.errors import OTHER_FILE, SourceError
from snippetlock.text import line_at, line_of, line_starts

__all__ = ["DEEPEST", "Event", "Kind", "stream", "whole"]

DEEPEST = 200
"""How many collections may be inside one another."""
_SMALL = 100_000  # characters of a file of which the events are kept: two megabytes of them
Kind = Literal["mapping", "sequence", "scalar", "alias"]
_KINDS: dict[str, Kind] = {
    "MappingStartEvent": "mapping",
    "SequenceStartEvent": "sequence",
    "ScalarEvent": "scalar",
    "AliasEvent": "alias",
}


def stream(text: str, path: str) -> Iterator[tuple[Kind | None, Any, int]]:
    """Each value as it begins, and None where a mapping or a sequence ends: with the parser's event, and its line.

    Raises `SourceError` with its line for what YAML does not allow, and for what is nested too deep.
    """
    odd = any(end in text for end in ("\x85", "\u2028", "\u2029"))  # lines to YAML, and to nobody else
    starts = line_starts(text) if odd else ()
    depth = 0
    for event in _events(text, path):
        name = type(event).__name__
        kind = _KINDS.get(name)
        if kind is None and name not in ("MappingEndEvent", "SequenceEndEvent"):
            continue  # of a document, or of the text
        line = line_of(starts, event.start_mark.index) if odd else event.start_mark.line + 1
        if kind is None:
            depth -= 1
        elif kind in ("mapping", "sequence"):
            depth += 1
        if depth > DEEPEST:
            raise SourceError(f"this is nested more than {DEEPEST} levels deep", path=path, line=line, mend=OTHER_FILE)
        yield kind, event, line


class Event(NamedTuple):
    """What readers of keys and values ask of a parser's event. `value` is a scalar's, `plain` says it has no quotes."""

    kind: Kind | None
    line: int
    value: str | None
    plain: bool
    tag: str | None
    anchor: str | None


def whole(text: str, path: str) -> tuple[Event, ...]:
    """All of `stream` at once. Of a small file it is kept: an index asks it for its keys, and claims for its values."""
    return _kept(text, path) if len(text) <= _SMALL else _whole(text, path)


def _whole(text: str, path: str) -> tuple[Event, ...]:
    return tuple(
        Event(kind, line, event.value, event.implicit[0], event.tag, event.anchor)
        if kind == "scalar"
        else Event(kind, line, None, False, None, event.anchor if kind else None)
        for kind, event, line in stream(text, path)
    )


_kept = lru_cache(maxsize=32)(_whole)


def _events(text: str, path: str) -> Iterator[Any]:
    import yaml

    try:
        yield from yaml.parse(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise SourceError(
            f"this is not YAML: {error.problem or error.context}",
            path=path,
            line=line_at(text, min(mark.index, len(text))) if mark else None,
            mend=OTHER_FILE,
        ) from error
    except yaml.reader.ReaderError as error:
        code = error.character if isinstance(error.character, int) else ord(error.character[0])
        raise SourceError(
            f"this is not YAML: {error.reason} (U+{code:04X})",
            path=path,
            line=line_at(text, max(0, text.find(chr(code)))),
            mend=OTHER_FILE,
        ) from error
