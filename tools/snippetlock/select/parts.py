"""Take what a selector names apart into a `Part`: regions of the file's own text, members included."""

from __future__ import annotations

from bisect import bisect_left

from snippetlock.model import Part, Region
from snippetlock.select.labels import labels
from snippetlock.select.outline import Definition, Outline, Scope
from snippetlock.select.places import file_part, within
from snippetlock.select.skim import Skim, column
from snippetlock.select.statements import code_tokens, header_colon, small_statements
from snippetlock.text import late, line_at
from snippetlock.tokens import NEWLINE

__all__ = ["definition_part", "module_part"]

_BREAK = late(NEWLINE)
_NO_LEAD = late(r"#!|#.*?coding[:=][ \t]*[-\w.]+")
_STRINGS_ALONE = late(r"(\(*)(s+)(\)*)")
_NO_DOCSTRING = frozenset("bBfFtT")
_MAY_START_STRING = frozenset("'\"(rRuU")


def module_part(outline: Outline) -> Part:
    """The whole file as a part; its head is empty."""
    skim = outline.skim
    return file_part(
        len(skim.text),
        docstring=_docstring(outline, outline.module),
        members=_members(outline, outline.module),
        comments=skim.comments,
        literals=skim.literals,
    )


def definition_part(outline: Outline, definition: Definition, selector: str) -> Part:
    """A class, function or attribute as a part; `selector` is what names it among its siblings."""
    skim, statement = outline.skim, definition.statement
    first, line, stop = statement.first, statement.line, statement.stop
    lead = _lead(skim, first)
    opens = definition.kind != "attribute"
    end = _trailing(skim, line, stop) if opens else skim.ends[line]
    start = skim.starts[first]
    whole = Region(start=lead.start if lead else start, end=end)
    scope = outline.inside(statement) if opens else None
    if scope and scope.inline >= 0:
        head_end, body = scope.inline, Region(start=scope.inline, end=end)
    elif scope:
        head_end = 1 + header_colon(skim.text, statement.start, skim.ends[line])
        body = Region(start=skim.ends[line], end=end)
    else:
        head_end, body = _code_end(skim, line), None
    return Part(
        name=definition.name,
        selector=selector,
        kind=definition.kind,
        whole=whole,
        lead=lead,
        head=Region(start=start, end=head_end),
        body=body,
        docstring=_docstring(outline, scope) if scope else None,
        members=_members(outline, scope) if scope else (),
        comments=within(skim.comments, whole),
        literals=within(skim.literals, whole),
    )


def _members(outline: Outline, scope: Scope) -> tuple[Part, ...]:
    found = outline.definitions(scope)
    return tuple(
        definition_part(outline, d, label) for d, label in zip(found, labels(outline.skim, found), strict=True)
    )


def _lead(skim: Skim, first: int) -> Region | None:
    """The comment lines directly above logical line `first`, as far indented as it.

    What the first two lines say to the system (`#!`) or about the encoding is no comment on the code.
    """
    text, start = skim.text, skim.starts[first]
    above = skim.ends[first - 1] if first else 0
    end = start
    at = bisect_left(skim.comments, (start, 0)) - 1
    while at >= 0 and (here := skim.comments[at][0]) >= above:
        comment_end = skim.comments[at][1]
        line_start = _line_start(text, here, above)
        blanks = text[line_start:here]
        direct = _BREAK.fullmatch(text, comment_end, start)
        if not direct or blanks.strip(" \t\f") or column(text, line_start, here) != skim.columns[first]:
            break
        if _NO_LEAD.match(text, here, comment_end) and line_at(text, here) <= 2:
            break
        start, at = line_start, at - 1
    return Region(start=start, end=end) if start < end else None


def _line_start(text: str, at: int, floor: int) -> int:
    """Where the physical line of `at` starts; `floor` is the start of some line before it."""
    return max(text.rfind("\n", floor, at) + 1, text.rfind("\r", floor, at) + 1, floor)


def _trailing(skim: Skim, line: int, stop: int) -> int:
    """The end of a definition: after its last statement, or after the last comment line below it that is indented
    deeper than its header; what stands between belongs to it too, for what is shown has no holes.
    """
    text, end = skim.text, skim.ends[stop - 1]
    limit = skim.starts[stop] if stop < len(skim.starts) else len(text)
    floor = end
    for at in range(bisect_left(skim.comments, (end, 0)), bisect_left(skim.comments, (limit, 0))):
        here, comment_end = skim.comments[at]
        newline = _BREAK.match(text, comment_end)
        after = newline.end() if newline else len(text)
        if column(text, _line_start(text, here, floor), here) > skim.columns[line]:
            end = after
        floor = after
    return end


def _code_end(skim: Skim, line: int) -> int:
    """The end of the last token of a logical line."""
    said = skim.text[skim.codes[line] : skim.ends[line]]
    if "#" not in said and "\\" not in said and not skim.faults:  # then nothing but white space can follow it
        return skim.codes[line] + len(said.rstrip(" \t\f\r\n"))
    return max((token.end for token in code_tokens(skim.text, skim.codes[line], skim.ends[line])), default=0)


def _docstring(outline: Outline, scope: Scope) -> Region | None:
    """The docstring of a scope: a string alone as its first statement, neither bytes nor with fields."""
    skim = outline.skim
    if scope.start == scope.stop:
        return None
    start = scope.inline if scope.inline >= 0 else skim.codes[scope.start]
    if scope.inline < 0 and skim.text[start] not in _MAY_START_STRING:
        return None
    words = next(small_statements(skim.text, start, skim.ends[scope.start]), ())
    kinds = "".join(token.kind[0] if token.kind != "op" else skim.text[token.start] for token in words)
    found = _STRINGS_ALONE.fullmatch(kinds)
    if not found or len(found[1]) != len(found[3]):
        return None
    for token in words:
        prefix = skim.text[token.start : min(token.start + 2, token.end)]
        if token.kind == "string" and _NO_DOCSTRING & set(prefix.partition("'")[0].partition('"')[0]):
            return None
    return Region(start=words[0].start, end=words[-1].end)
