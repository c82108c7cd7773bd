"""Take a document apart: known keys, wanted types. Every refusal says what was found and what is wanted."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import TypeVar

from snippetlock.config.document import LIST, MAPPING, NOTHING, TEXT, Node
from snippetlock.errors import nearest

Word = TypeVar("Word", bound=str)


def fields(
    node: Node, known: Collection[str], what: str, required: Collection[str] = ()
) -> dict[str, tuple[Node, Node]]:
    """The (key, value) nodes of a mapping by key; unknown, repeated and missing keys are refused.

    `what` names the mapping in messages ("the pin").
    """
    found: dict[str, tuple[Node, Node]] = {}
    for key, value in mapping(node, what):
        name = key.value
        if name not in known:
            raise key.error(f"unknown key {name!r} in {what}", unknown_mend(name, known))
        if name in found:
            first = found[name][0]
            where = f"first at {first.path}:{first.line}:{first.column}"
            raise key.error(f"the key {name!r} stands twice in {what} ({where})", "keep one of the two")
        found[name] = key, value
    for name in required:
        if name not in found:
            raise node.error(f"{what} has no {name!r}", f"add `{name}:`")
    return found


def unknown_mend(name: str, known: Collection[str]) -> str:
    """What to say about a key nobody knows."""
    near = nearest(name, known)
    asked = f"did you mean {' or '.join(repr(n) for n in near)}? " if near else ""
    return f"{asked}known keys: {', '.join(sorted(known))}"


def mapping(node: Node, what: str) -> tuple[tuple[Node, Node], ...]:
    """The pairs of a mapping, repeated keys included."""
    if node.kind != MAPPING:
        raise node.error(f"{what} is {node.found}, not a mapping", "write `key: value` lines")
    pairs: tuple[tuple[Node, Node], ...] = node.value
    return pairs


def text(node: Node, what: str) -> str:
    """A text that is not empty. A number, a date or a yes/no is refused: YAML would rewrite it (1.10 is 1.1)."""
    if node.kind != TEXT:
        quote = f'quote it: "{node.value}"' if node.kind not in (MAPPING, LIST, NOTHING) else "write one text"
        raise node.error(f"{what} is {node.found}, not text", quote)
    value: str = node.value
    if not value.strip():
        raise node.error(f"{what} is empty", "write a text, or leave the key out")
    return value


def texts(node: Node, what: str) -> tuple[Node, ...]:
    """The items of a list of texts that has at least one and repeats none."""
    if node.kind != LIST:
        mend = f"write a list: [{node.value}]" if node.kind == TEXT else "write a list of texts: [one, two]"
        raise node.error(f"{what} is {node.found}, not a list", mend)
    items: tuple[Node, ...] = node.value
    if not items:
        raise node.error(f"{what} is an empty list", "name at least one, or leave the key out")
    seen: dict[str, Node] = {}
    for item in items:
        value = text(item, f"an item of {what}")
        if value in seen:
            raise item.error(f"{what} says {value!r} twice (first at line {seen[value].line})", "keep one of the two")
        seen[value] = item
    return items


def number(node: Node, what: str) -> int:
    """A whole number from 1 on."""
    if node.kind != "a number" or not re.fullmatch(r"[1-9][0-9]{0,5}", node.value):
        raise node.error(f"{what} is {node.found}, not a whole number from 1 on", "write it in digits: 3")
    return int(node.value)


def yes(node: Node, what: str) -> bool:
    """`true` or `false`, and no other word for them."""
    if node.kind != "a true/false value" or node.value not in ("true", "false"):
        raise node.error(f"{what} is {node.found}, not true or false", "write `true`, or leave the key out")
    return bool(node.value == "true")


def choice(node: Node, allowed: tuple[Word, ...], what: str) -> Word:
    """One of a few words."""
    value = text(node, what)
    for word in allowed:
        if word == value:
            return word
    near = nearest(value, allowed)
    mend = f"did you mean {near[0]!r}? " if near else ""
    raise node.error(f"{what} is {value!r}", f"{mend}it is one of: {', '.join(allowed)}")
