"""The commands that a block shows to be typed: a twin has the same, while its comments are translated. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from snippetlock.references.blocks import Block

__all__ = ["commands"]

SHELLS = frozenset(["bash", "bat", "cmd", "fish", "ksh", "powershell", "ps1", "pwsh", "sh", "shell", "zsh"])
SESSIONS = frozenset(["bash-session", "console", "ps1con", "sh-session", "shell-session", "shellsession", "terminal"])

# `$ `, `% ` or `PS C:\> `, with the name of an environment before it.
_PROMPT = re.compile(r"[ \t]*+(?:\([^()]*\)[ ]?)?(?:[$%]|PS [^>]*>)[ \t]++(?P<typed>.*)")
_PLACEHOLDER = re.compile(r"<(?=[^\s<>])[^<>]*(?<=[^\s<>])>")


def commands(block: Block) -> tuple[str, ...]:
    """Each command, without comments, and `<…>` for each placeholder; nothing for a block of anything else.

    Of a session only what stands behind a prompt was typed. A line that goes on behind a `\\` is one with the next.
    """
    if block.language.lower() not in SHELLS | SESSIONS:
        return ()
    typed = list(_typed(block.content))
    lines = typed or ([] if block.language.lower() in SESSIONS else list(block.content))
    plain = "".join(_without_comments("\n".join(lines))).replace("\\\n", " ")
    said = (" ".join(_PLACEHOLDER.sub("<…>", line).split()) for line in plain.split("\n"))
    return tuple(line for line in said if line)


def _typed(lines: tuple[str, ...]) -> Iterator[str]:
    """What stands behind a prompt, and the lines that it goes on in."""
    more = False
    for line in lines:
        found = _PROMPT.fullmatch(line)
        if found or more:
            text = found["typed"] if found else line.strip().removeprefix("> ")
            yield text
            more = text.endswith("\\")


def _without_comments(text: str) -> Iterator[str]:
    """A text without what stands behind a `#` that begins a word outside of quotes."""
    quote, comment, before = "", False, "\n"
    for char in text:
        if char == "\n":
            comment = False
        elif comment:
            continue
        elif quote:
            quote = "" if char == quote and before != "\\" else quote
        elif char in "'\"" and before != "\\":
            quote = char
        elif char == "#" and before.isspace():
            comment = True
            continue
        before = char
        yield char
