"""What mkdocstrings is told about the library's docstrings before it renders them. An extension of Griffe.

They are Google's style and Markdown, but for two habits of reStructuredText, and for what is returned: a sentence over
several lines, not an item a line.
"""

from __future__ import annotations

import re
from typing import Any

import griffe

_LITERAL = re.compile(r"(?<=\S)::$", re.M)  # a paragraph that says that code follows: Markdown sees that by itself
_ROLE = re.compile(r":(?:attr|class|exc|func|meth|mod|obj):(?=`)")  # what Sphinx would make a link of
_RETURNS = re.compile(r"^Returns:\n((?:[ ]+\S.*(?:\n|$))+)", re.M)
# `name: what it is` or `name (type): what it is`, which begins another of several results
_ITEM = re.compile(r"[A-Za-z_]\w*(?:\s*\((?:[^()]|\([^()]*\))*\))?:\s")


class Docstrings(griffe.Extension):
    """Takes off the second colon before a literal block and the role before a name; keeps a result in one piece."""

    def on_instance(self, *, obj: griffe.Object, **_: Any) -> None:
        if obj.docstring is not None:
            obj.docstring.value = whole_results(_ROLE.sub("", _LITERAL.sub(":", obj.docstring.value)))


def whole_results(docstring: str) -> str:
    """`docstring` with the later lines of a returned value indented, which makes them a part of the first."""
    return _RETURNS.sub(lambda found: f"Returns:\n{_continued(found[1])}", docstring)


def _continued(block: str) -> str:
    first, *rest = block.split("\n")
    margin = len(first) - len(first.lstrip(" "))

    def goes_on(line: str) -> bool:
        return line[margin : margin + 1] not in ("", " ") and _ITEM.match(line[margin:]) is None

    return "\n".join([first, *(f"    {line}" if goes_on(line) else line for line in rest)])
