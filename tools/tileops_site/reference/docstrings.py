"""What mkdocstrings is told about the library's docstrings before it renders them. An extension of Griffe.

They are Google's style and Markdown, but for two habits of reStructuredText and for mathematics.
"""

from __future__ import annotations

import re
from typing import Any

import griffe

_LITERAL = re.compile(r"(?<=\S)::$", re.M)  # a paragraph that says that code follows: Markdown sees that by itself
_ROLE = re.compile(r":(?:attr|class|exc|func|meth|mod|obj):(?=`)")  # what Sphinx would make a link of


class Docstrings(griffe.Extension):
    """Takes off the second colon before a literal block, and the role before a name."""

    def on_instance(self, *, obj: griffe.Object, **_: Any) -> None:
        if obj.docstring is not None:
            obj.docstring.value = _ROLE.sub("", _LITERAL.sub(":", obj.docstring.value))
