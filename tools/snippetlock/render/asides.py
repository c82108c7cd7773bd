"""Comments and docstrings: where they are left out or shortened, whatever the view."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping

from snippetlock.errors import ViewError
from snippetlock.model import Part, Region
from snippetlock.render.sheet import FROZEN, Cuts, Row, Sheet, joined
from snippetlock.render.views import members, replaced
from snippetlock.text import is_blank, late, line_end, margin
from snippetlock.tokens import STRING

_ONE_STRING = late(rf"[rRuU]?(?:{STRING})")
_CONTINUED = late(r"[uU]?(?:\"\"\"|''')(?:\\(?:\r\n|\r|\n))?(?:[^\\]|\\[^\r\n])*", re.DOTALL)


def docstrings(part: Part) -> tuple[Region, ...]:
    """Every docstring of the part and of what is defined in it, in order."""
    found = (p.docstring for p in members(part) if p.docstring is not None)
    return tuple(sorted(found, key=lambda region: region.start))


def grouped(part: Part, sheet: Sheet) -> dict[int, int]:
    """For each line that begins inside a string: the docstring that may be dedented, or `FROZEN`."""
    docs = docstrings(part)
    starts = [doc.start for doc in docs]
    groups: dict[int, int] = {}
    for group, literal in enumerate(part.literals, start=1):
        doc = docs[bisect_right(starts, literal.start) - 1] if docs and starts[0] <= literal.start else None
        movable = doc is not None and literal.end <= doc.end and _may_move(sheet.text[literal.start : literal.end])
        for number in sheet.span(literal)[1:]:
            groups[number] = group if movable else FROZEN
    return groups


def _may_move(literal: str) -> bool:
    """Whether each line of a docstring is a line of its value: not so after a backslash at a line's end.

    Right after the opening quotes one is usual and harmless, because `cleandoc` strips the first line.
    """
    return literal[:1] in "rR" or _CONTINUED.fullmatch(literal) is not None


def without_comments(comments: Iterable[Region], sheet: Sheet, mark: str, groups: Mapping[int, int]) -> Cuts:
    """The cuts that leave no comment: a line of its own goes, one behind code gives way to a mark."""
    cuts: list[Cuts] = []
    for comment in comments:
        before = sheet.before(comment.start)
        if is_blank(before):
            cuts.append(Cuts(lines={sheet.number(comment.start): margin(before)}))
        else:
            cuts.append(replaced(sheet, comment, mark, groups))
    return joined(cuts)


def without_docstring(doc: Region, sheet: Sheet, path: str, mark: str, groups: Mapping[int, int]) -> Cuts:
    """The cuts that leave out one docstring, with the comment behind it.

    Raises `ViewError` where code follows on the docstring's line: a mark there would hide the code.
    """
    before, after = sheet.before(doc.start), sheet.after(doc.end)
    if not is_blank(after) and not after.lstrip(" \t\f").startswith("#"):
        raise ViewError(
            "a docstring that shares its line with code cannot be dropped",
            path=path,
            line=sheet.number(doc.start),
            evidence=[sheet.line(sheet.number(doc.end)).strip()],
            mend="use `docstrings: keep`",
        )
    if is_blank(before):
        return Cuts(lines={number: margin(before) for number in sheet.span(doc)})
    return replaced(sheet, doc, mark, groups)


def shortened(doc: Region, sheet: Sheet, below: Cuts) -> Cuts:
    """The cuts that leave a docstring's first paragraph, `…` where more was, and the closing quotes.

    A docstring that is not one string in triple quotes is left whole. `below` says what stands behind the
    closing quotes where that is not what the file has.
    """
    text, span = sheet.text, sheet.span(doc)
    quotes = text[doc.end - 3 : doc.end]
    inside = doc.start + len(text[doc.start : doc.end]) - len(text[doc.start : doc.end].lstrip("rRuU")) + 3
    if text[inside - 3 : inside] != quotes or not _ONE_STRING.fullmatch(text, doc.start, doc.end):
        return Cuts()
    texts = {n: sheet.line(n) for n in span}
    texts[span[-1]] = sheet.before(doc.end - 3)
    texts[span[0]] = text[inside : doc.end - 3] if len(span) == 1 else sheet.after(inside).strip("\\\r\n")
    filled = [n for n in span if not is_blank(texts[n])]
    gap = next((n for n in span if filled[:1] < [n] and n not in filled), span[-1])
    if not filled or filled[-1] < gap or gap == span[-1]:
        return Cuts()
    indent, tail = margin(sheet.line(span[0])), len(sheet.before(doc.end - 3))
    last = below.rows[span[-1]][0] if span[-1] in below.rows else Row(span[-1], sheet.line(span[-1]))
    rows: dict[int, tuple[Row, ...]] = {n: () for n in span if n > gap}
    rows[gap] = (Row(None, indent + "…" + line_end(sheet.line(gap))),)
    rows[span[-1]] = (Row(span[-1], indent + last.text[tail:], own=last.own),)
    return Cuts(rows=rows)
