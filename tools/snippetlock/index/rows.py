"""How a file's facts are kept: plain lists that JSON can say, one sheet a file. Their layout is told here alone.

A sheet is path-free: a file that is moved, or is the same in two states of a library, is read once. Numbers of
definitions count from 0 in the order they are met; -1 is the module.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

Row = list["Any"]
Sheet = dict[str, "Any"]

LAYOUT = 3
"""Raised whenever what a sheet or a table says changes, so that no older one is read."""

# A definition: [kind, name, owner, line, last, flags, decorators, a, b, c]
#   c class      a bases, b keywords as [name, text], c -
#   f function   a parameters as [name, kind, default, annotation], b returns, c [raises, passes], and of a property
#                without an annotation what each `return` of it makes, where that is one class or function
#   a attribute  a annotation, b value or None, c keys as [names, complete] or None
#   i attribute set on `self` or `cls` by a method: the same, and d the number of the method
KIND, NAME, OWNER, LINE, LAST, FLAGS, DECORATORS, A, B, C, D = range(11)
ASYNC = 1

# A text: [parts, line, definition, role, name], and where a placeholder shows an exception that was caught:
#   [[number of the placeholder, [exceptions as written], [what is called where they are caught]], ...]
PARTS, TEXT_LINE, SCOPE, ROLE, CALLED, HELD = range(6)

# An import: [name, module, attribute, level, definition]. A star import has the name and the attribute `*`.
BOUND, SOURCE, ATTRIBUTE, LEVEL, INSIDE = range(5)

# How a word that is no definition occurs, added up.
PARAMETER, LOCAL, KEYWORD, READ, SET = 1, 2, 4, 8, 16


def empty() -> Sheet:
    """The sheet of a file that says nothing."""
    return {"defs": [], "imports": [], "all": None, "texts": [], "words": {}, "open": [], "keys": []}
