"""Write into a page's front matter what it was made from, and change nothing else of the page. Pure.

What comes of it is read again: the page itself and every other key must be what they were.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from snippetlock.config.document import LIST, MAPPING, Node, parse_document
from snippetlock.errors import ConfigError
from snippetlock.text import NEWLINE, split_lines
from snippetlock.workflow.front import TRANSLATED, read_front

__all__ = ["stamped"]

_PLAIN = re.compile(r"[A-Za-z(][\w().-]*")
_WORDS = frozenset(["y", "yes", "n", "no", "true", "false", "on", "off", "null"])
_BY_HAND = "write the front matter as keys below each other, each on a line of its own"


def stamped(text: str, lines: int, digests: Mapping[str, str], name: str) -> str:
    """The text of a page (without byte order mark) whose `translated` says exactly `digests`, in their order.

    `lines` is how many lines its front matter has, 0 for none. Raises `ConfigError` where it cannot be edited so.
    """
    found = NEWLINE.search(text)
    end = found[0] if found else "\n"
    rows = split_lines(text)
    if not lines:
        gap = [] if not text or NEWLINE.match(text) else [end]
        head = ["---" + end, *_block("", digests, end), "---" + end, *gap]
        edited, above = "".join([*head, text]), len(head) - len(gap)
    else:
        new = _edited(list(rows[1 : lines - 1]), digests, end, name)
        edited, above = "".join([rows[0], *new, *rows[lines - 1 :]]), len(new) + 2
    _verify(text, lines, edited, above, digests, name)
    return edited


def _block(indent: str, digests: Mapping[str, str], end: str) -> list[str]:
    return [f"{indent}{TRANSLATED}:{end}", *(_entry(indent + "  ", *pair, end) for pair in digests.items())]


def _entry(indent: str, anchor: str, digest: str, end: str) -> str:
    plain = _PLAIN.fullmatch(anchor) and anchor.lower() not in _WORDS
    key = anchor if plain else "'" + anchor.replace("'", "''") + "'"
    return f"{indent}{key}: {digest}{end}"


def _edited(rows: list[str], digests: Mapping[str, str], end: str, name: str) -> list[str]:
    """The rows between the marks of a front matter."""
    document = parse_document("".join(rows), name)
    pairs = document.value if document.kind == MAPPING else ()
    indent = " " * (pairs[0][0].column - 1) if pairs else ""
    at = next((number for number, (key, _) in enumerate(pairs) if key.value == TRANSLATED), -1)
    if at < 0:
        return [*rows, *_block(indent, digests, end)]
    key, value = pairs[at]
    first = key.line - 1
    last = pairs[at + 1][0].line - 1 if at + 1 < len(pairs) else len(rows)
    while last > first + 1 and (not rows[last - 1].strip() or rows[last - 1].startswith("#")):
        last -= 1
    own = value.value if value.kind == MAPPING else ()
    alone = [one.line - 1 for one, _ in own]
    if not own or min(alone) == first or len(set(alone)) < len(alone):
        return [*rows[:first], *_block(indent, digests, end), *rows[last:]]
    return [*rows[: first + 1], *_entries(rows[first + 1 : last], own, first + 2, digests, end), *rows[last:]]


def _entries(
    rows: list[str], own: tuple[tuple[Node, Node], ...], start: int, digests: Mapping[str, str], end: str
) -> list[str]:
    """The rows of the mapping: values replaced where they stand, what is gone taken out, what is new put in."""
    at = {key.line - start: (key, value) for key, value in own}
    found: list[tuple[str, str]] = []
    for number, row in enumerate(rows):
        if number not in at:
            found.append(("", row))
            continue
        key, value = at[number]
        if key.value in digests:
            column = value.column - 1 + (value.inset or 0)
            found.append((key.value, row[:column] + digests[key.value] + row[column + len(value.value) :]))
    there, before = {name for name, _ in found}, ""
    for anchor, digest in digests.items():
        if anchor not in there:
            place = next((number + 1 for number, (name, _) in enumerate(found) if before and name == before), 0)
            found.insert(place, (anchor, _entry(" " * (own[0][0].column - 1), anchor, digest, end)))
        before = anchor
    return [row for _, row in found]


def _verify(text: str, lines: int, edited: str, above: int, digests: Mapping[str, str], name: str) -> None:
    before, after = split_lines(text), split_lines(edited)
    said = read_front(edited, above)
    same = "".join(before[lines:]) == "".join(after[above:]).removeprefix("" if lines else _gap(text, after, above))
    written = {anchor: one.text for anchor, one in said.translated.items()} == dict(digests) and not said.problems
    if same and written and _others(before[:lines], name) == _others(after[:above], name):
        return
    raise ConfigError(f"`{TRANSLATED}` cannot be written into its front matter", path=name, mend=_BY_HAND)


def _gap(text: str, after: tuple[str, ...], above: int) -> str:
    """The blank line that was put between a new front matter and the page."""
    return after[above] if text and not NEWLINE.match(text) else ""


def _others(rows: tuple[str, ...], name: str) -> Any:
    """What a front matter says beside `translated`."""
    node = parse_document("".join(rows[1:-1]), name) if rows else None
    pairs = node.value if node and node.kind == MAPPING else ()
    return [(key.value, _said(value)) for key, value in pairs if key.value != TRANSLATED]


def _said(node: Node) -> Any:
    if node.kind == MAPPING:
        return [(_said(key), _said(value)) for key, value in node.value]
    if node.kind == LIST:
        return [_said(item) for item in node.value]
    return node.kind, node.value
