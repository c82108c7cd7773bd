"""What the text of a definition says beside its words: its role, its value, whether its body is any evidence at all."""

from __future__ import annotations

import re

from snippetlock.drift.listing import File, Listed
from snippetlock.text import late

__all__ = ["alias", "is_trivial", "role", "value"]

_ROLE = late(r"\s*(?:@[^\n]*\n\s*)*?@[ \t]*[\w.]+\.(setter|deleter)\b")
_HEAD = late(
    r"(?:async[ \t]+)?(?:def|class)\b.*?:(?:[ \t]*(?:#[^\n]*)?\n|[ \t]*(?=pass\b|\.\.\.|return\b|raise\b))", re.DOTALL
)
_ASSIGNED = late(r"\s*\w+[ \t]*(?::[^=\n]*)?=(?!=)(.*)\Z", re.DOTALL)
_COMMENT = late(r"[ \t]+#[^'\"\n]*$", re.MULTILINE)
_ALIAS = late(r"[A-Za-z_][\w.]*")
_EMPTY = frozenset(("0", "1", "cls", "false", "none", "notimplementederror", "pass", "raise", "return", "self", "true"))
_WORD = late(r"\w+")


def role(file: File, one: Listed) -> str:
    """`setter` or `deleter` for a function that a decorator makes one; else nothing."""
    found = _ROLE.match(file.text, one.start, one.end) if one.kind == "function" else None
    return found[1] if found else ""


def value(file: File, one: Listed) -> str:
    """What a Python name is assigned, layout, quotes and comments aside; empty for what is no assignment."""
    if one.kind != "attribute" or not file.path.endswith(".py"):
        return ""
    found = _ASSIGNED.match(file.text[one.start : one.end])
    return re.sub(r"\s+", "", _COMMENT.sub("", found[1])).replace("'", '"') if found else ""


def alias(file: File, one: Listed) -> str:
    """The name that is all a Python name is assigned: `NewName` of `OldName = NewName`; empty for anything else."""
    found = value(file, one)
    return found if _ALIAS.fullmatch(found) else ""


def is_trivial(file: File, one: Listed) -> bool:
    """Whether a Python body or value says nothing: `pass`, `return None`, `x = 0`. Those of any two are alike."""
    if not file.path.endswith(".py"):
        return False
    text = file.text[one.start : one.end]
    head = _HEAD.search(text) if one.kind in ("class", "function") else None
    body = text[head.end() :] if head else value(file, one) or text
    return all(word in _EMPTY for word in _WORD.findall(body.lower()))
