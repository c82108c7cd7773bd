"""The keys of a YAML file with their lines, from parser events: for who looks up many and cuts none of them out."""

from __future__ import annotations

from snippetlock.select.stream import whole
from snippetlock.text import decode

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
    for kind, line, value, *_ in whole(text, path):
        if kind is None:
            open_ones.pop()
            continue
        below: int | None = -1
        if open_ones:
            below = _placed(open_ones[-1], value, line, found)
        if kind in ("mapping", "sequence"):
            open_ones.append([kind == "mapping", below, None, 0])
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
