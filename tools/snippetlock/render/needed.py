"""The imports that what is shown needs: those statements of the module above it that bind a name it uses.

They are lines of the file like all that is shown, with the headers of the blocks that they stand in, and a mark for
what is left out between; of a list over several lines also lines of names that are not used. A name counts where code
uses it; what a string says is no use, but for fields of f-strings.
"""

from __future__ import annotations

from collections.abc import Iterator

from snippetlock.model import Found, Region
from snippetlock.render.blocks import headers_above, indents
from snippetlock.render.imports import bound
from snippetlock.render.sheet import Cuts, Row, assemble, sheet_of
from snippetlock.select.outline import Outline, normal
from snippetlock.select.skim import skim
from snippetlock.text import late, margin
from snippetlock.tokens import NAME, tokenize

__all__ = ["needed"]

_NAMES = late(NAME)
_FIELDS = late(r"[rR]?[fFtT][rR]?[\"']")


def needed(found: Found, rows: tuple[Row, ...], first: int, mark: str) -> tuple[Row, ...]:
    """The rows that stand before `rows`, of which the file has the first on line `first` or behind it."""
    lines = skim(found.text)
    outline = Outline(lines)
    sheet = sheet_of(found.text, Region(start=0, end=len(found.text)))
    used = set(_used("".join(row.text for row in rows if row.number is not None)))
    stay: set[int] = set()
    blocks: set[int] = set()
    inner: set[int] = set()  # lines of a list
    for statement in reversed(outline.statements(outline.module)):  # what a header uses is imported before it
        start, end = lines.codes[statement.line], lines.ends[statement.line]
        span = sheet.span(Region(start=start, end=end))
        if statement.kind == "import" and span[-1] < first and used & bound(found.text[statement.start : end]):
            stay.update((span[0], span[-1], *(n for n in span if used & set(_words(sheet.line(n))))))
            inner.update(span[1:-1])
            above = set(headers_above(sheet, span[0], 0, ())) if lines.columns[statement.line] else set()
            used.update(word for n in above - blocks for word in _words(sheet.line(n)))
            blocks |= above
    if not stay:
        return ()
    window = range(min(stay | blocks), first)
    marks = indents(sheet, window, "", blocks, ())
    marks |= {n: margin(sheet.line(n)) for n in inner}
    cuts = Cuts(lines={number: indent for number, indent in marks.items() if number not in stay | blocks})
    before = assemble(sheet, window, cuts, frozenset(), {}, mark)
    return before[:-1] if before[-1].number is None and rows[0].number is None else before


def _used(text: str) -> Iterator[str]:
    """The names that code uses, attributes aside."""
    dotted = False
    for kind, start, end in tokenize(text):
        word = text[start:end]
        if kind == "name" and not dotted:
            yield normal(word)
        elif kind == "string" and _FIELDS.match(word):
            yield from _words(word)
        dotted = word == "."


def _words(text: str) -> Iterator[str]:
    return map(normal, _NAMES.findall(text))
