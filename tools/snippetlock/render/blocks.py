"""The blocks of statements that a kept member stands in: an `else:` without its `if` would not be understood."""

from __future__ import annotations

from collections.abc import Container, Iterator

from snippetlock.render.sheet import Sheet
from snippetlock.text import is_blank, late, margin, width
from snippetlock.tokens import tokenize

_WORD = late(r"[ \t\f]*(\w*)")
_FOLLOW = frozenset({"elif", "else", "except", "finally"})
_LEAD = _FOLLOW | {"for", "if", "try", "while"}  # what those can follow


def headers_above(sheet: Sheet, number: int, floor: int, literals: Container[int]) -> Iterator[int]:
    """The lines, below line `floor`, of the headers of the blocks that hold line `number`.

    For an `else` and its like also the headers before it, back to its `if`, `for`, `while` or `try`.
    """
    limit, follows = width(margin(sheet.line(number))), False
    for n in range(number - 1, floor, -1):
        line = sheet.line(n)
        if n in literals or is_blank(line) or line.lstrip(" \t\f")[0] in "#)]}":
            continue
        found = _WORD.match(line)
        word = found[1] if found else ""
        indent = width(margin(line))
        if indent < limit or (follows and indent == limit and word in _LEAD):
            limit, follows = indent, word in _FOLLOW
            yield from range(n, logical_end(sheet, n) + 1)


def logical_end(sheet: Sheet, number: int) -> int:
    """The last line of the logical line that begins on this one."""
    depth = 0
    start = sheet.start + sheet.starts[number - sheet.first]
    for kind, begin, _ in tokenize(sheet.text, start):
        if kind == "op":
            depth += (sheet.text[begin] in "([{") - (sheet.text[begin] in ")]}")
        elif kind == "newline" and not depth:
            return sheet.number(begin)
    return sheet.last


def indents(sheet: Sheet, lines: range, base: str, blocks: Container[int], literals: Container[int]) -> dict[int, str]:
    """For each of these lines the indentation that its mark has, were it left out.

    That is `base`, the one of the statements around it; below the header of a block that stays, the block's own.
    """
    found: dict[int, str] = {}
    inside: str | None = None  # the indentation of the block, "" until its first line is seen
    for n in lines:
        if n in blocks:
            inside = ""
        elif inside is not None and n not in literals and not is_blank(sheet.line(n)):
            own = margin(sheet.line(n))
            inside = None if len(own) <= len(base) else own if not inside or len(own) < len(inside) else inside
        found[n] = inside or base
    return found
