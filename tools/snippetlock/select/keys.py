"""The keys of a YAML file with their lines, from parser events: for who looks up many and cuts none of them out."""

from __future__ import annotations

from snippetlock.errors import OTHER_FILE, SourceError
from snippetlock.select.nodes import DEEPEST, stream
from snippetlock.text import decode, line_at

__all__ = ["keys"]

Row = tuple[int, str, int]


def keys(data: bytes, path: str) -> list[Row]:
    """Each key of a YAML file as (number of the key it is below, or -1; key; line), in order.

    An item of a sequence is a key called by its number from 0; a key that is no text is left out with all below it.
    Raises `SourceError` with its line for what YAML does not allow.
    """
    text = decode(data, path, python=False)
    found: list[Row] = []
    # Of each open collection: whether it is a mapping, the key it is below (None below a key that has no name), the
    # key whose value comes next (None where a key comes next), and how many items there were.
    open_ones: list[list[int | bool | None]] = []
    odd = any(end in text for end in ("\x85", "\u2028", "\u2029"))  # lines to YAML, and to nobody else
    for event in stream(text, path):
        kind = type(event).__name__
        if kind in ("MappingEndEvent", "SequenceEndEvent"):
            open_ones.pop()
            continue
        begins = kind in ("MappingStartEvent", "SequenceStartEvent")
        if not begins and kind not in ("ScalarEvent", "AliasEvent"):
            continue
        below: int | None = -1
        if open_ones:
            name = event.value if kind == "ScalarEvent" else None
            line = line_at(text, event.start_mark.index) if odd else event.start_mark.line + 1
            below = _placed(open_ones[-1], name, line, found)
        if begins:
            if len(open_ones) == DEEPEST:
                what = f"this is nested more than {DEEPEST} levels deep"
                raise SourceError(what, path=path, line=event.start_mark.line + 1, mend=OTHER_FILE)
            open_ones.append([kind == "MappingStartEvent", below, None, 0])
    return found


def _placed(parent: list[int | bool | None], name: str | None, line: int, found: list[Row]) -> int | None:
    """Note a node as a key or an item of the collection it is in; return the key that what it holds is below."""
    mapping, above, key, count = parent
    if not mapping:
        parent[3] = (count or 0) + 1
        if above is None:
            return None
        found.append((above, str(count), line))
        return len(found) - 1
    if key is not None:  # its value
        parent[2] = None
        return key if key >= 0 else None
    if name is None or above is None:
        parent[2] = -1
        return None
    found.append((above, name, line))
    parent[2] = len(found) - 1
    return None
