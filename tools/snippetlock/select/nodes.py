"""A YAML file as nested entries with their places, built from parser events: no value is made, nothing recurses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from snippetlock.records import dataclass, field
from snippetlock.select.stream import Kind, stream
from snippetlock.text import decode, sha256

__all__ = ["Document", "Entry", "Node", "load"]

_TO_DASH = re.compile(r"(?:[ \t\r\n]|(?<![^ \t\r\n])(?:#[^\r\n]*|[&!][^ \t\r\n]*))*-")
_COMMENT = re.compile(r"(?<![^ \t\r\n])#[^\r\n]*")
_BREAK = re.compile(r"[\r\n]")
_Key = tuple[str | None, int, int] | None  # name, start and end


@dataclass(slots=True, eq=False)
class Node:
    """A value from `start` up to `end`, after its last character; `entries` are what it holds, in order."""

    kind: Kind
    start: int
    end: int
    style: str = ""  # of a scalar: | > ' " or nothing; of a collection: "flow" or nothing
    anchor: str = ""  # of an alias: what it repeats; else the node's own
    entries: list[Entry] = field(default_factory=list)

    @property
    def opens(self) -> bool:
        """Whether the value stands on the lines below its key."""
        return self.style in ("|", ">") or (self.kind in ("mapping", "sequence") and self.style != "flow")


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """A key with its value, or an item of a sequence, whose name is its number from 0.

    `start` is the first character of the key or of the item's dash, `after` what follows it.
    """

    name: str
    start: int
    after: int
    node: Node


@dataclass(frozen=True, slots=True, eq=False)
class Document:
    """The text of a file, what its documents hold together, its comments and its scalars of several lines."""

    text: str
    digest: str
    root: Node
    comments: tuple[tuple[int, int], ...]
    literals: tuple[tuple[int, int], ...]


@lru_cache(maxsize=16)
def load(data: bytes, path: str) -> Document:
    """Read a YAML file. Raises `SourceError` with its line for what YAML does not allow."""
    text = decode(data, path, python=False)
    root, leaves = _build(text, path)
    literals = tuple((n.start, n.end) for n in leaves if _BREAK.search(text, n.start, n.end))
    return Document(text, sha256(data), root, tuple(_comments(text, leaves)), literals)


def _build(text: str, path: str) -> tuple[Node, list[Node]]:
    """The root, which holds the entries of all documents, and every scalar and alias in order."""
    root = Node("mapping", 0, 0)
    open_nodes: list[Node] = [root]
    keys: list[_Key] = [None]  # of each open node: the key just read, whose value comes next
    leaves: list[Node] = []
    end = 0  # of what was read last
    for kind, event, _ in stream(text, path):
        if kind is None:
            node = open_nodes.pop()
            keys.pop()
            end = node.end = event.end_mark.index if node.style == "flow" else max(end, node.start)
            continue
        node = _node(text, event, kind)
        parent = open_nodes[-1]
        if parent is root:
            node.entries, root.kind = root.entries, node.kind
        else:
            keys[-1] = _add(text, parent, keys[-1], node, getattr(event, "value", ""), end)
        if kind in ("scalar", "alias"):
            leaves.append(node)
            end = node.end
        else:
            open_nodes.append(node)
            keys.append(None)
    return root, leaves


def _node(text: str, event: Any, kind: Kind) -> Node:
    node = Node(kind, event.start_mark.index, event.end_mark.index, anchor=event.anchor or "")
    if kind == "scalar":
        node.style = event.style or ""
    elif kind != "alias":
        node.style = "flow" if event.flow_style else ""
    if node.style in ("|", ">"):
        node.end = node.start + len(text[node.start : node.end].rstrip(" \t\r\n"))
    return node


def _add(text: str, parent: Node, key: _Key, node: Node, value: str, end: int) -> _Key:
    """Hang a node into its parent, or return it as the key of the value that comes next."""
    if parent.kind == "sequence":
        start = after = node.start
        dash = _TO_DASH.match(text, max(end, parent.start)) if parent.style != "flow" else None
        if dash:
            start, after = dash.end() - 1, dash.end()
        parent.entries.append(Entry(str(len(parent.entries)), start, after, node))
    elif key is None:
        return value if node.kind == "scalar" else None, node.start, node.end
    elif key[0] is not None:  # a key that is a collection has no name to select it by
        parent.entries.append(Entry(key[0], key[1], key[2], node))
    return None


def _comments(text: str, leaves: Sequence[Node]) -> Iterator[tuple[int, int]]:
    """The comments: what looks like one between two scalars, or behind the mark of a block scalar."""
    at = 0
    for node in (*leaves, None):
        stop = node.start if node else len(text)
        yield from (found.span() for found in _COMMENT.finditer(text, at, stop))
        at = node.end if node else stop
        if node and node.style in ("|", ">"):
            header = _BREAK.search(text, node.start)
            stop = header.start() if header else len(text)
            yield from (found.span() for found in _COMMENT.finditer(text, node.start, stop))
