"""Find the inline code of a Markdown page, and the headings it stands under. Pure; linear in the text.

On top of the one scanner: what `outline` and `nesting` take for a fence, a comment, raw HTML or indented code holds
no inline code. A code span may run over the lines of its paragraph and no further, in runs of any length. Where a
paragraph ends is decided by its rows alone, so a span across two items of a list is none.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from snippetlock.references.lines import TAB, prefix_of, spans
from snippetlock.references.marks import (
    admonition,
    definition,
    details,
    footnote,
    heading,
    item,
    reference,
    rule_line,
    tab,
)
from snippetlock.references.nesting import nest
from snippetlock.references.outline import OPAQUE, Row, outline
from snippetlock.text import split_lines

__all__ = ["Flow", "Inline", "Prose", "column_of", "flow", "inline_code", "paragraphs"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Inline:
    """One code span: its text without the backticks, where it begins, and its section.

    `column` is that of the first backtick in the page's own line. A section is what stands between two headings:
    it has the number of the heading's line, 0 before the first one.
    """

    text: str
    line: int
    column: int
    section: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Prose:
    """The code spans of a page, in order, and the lines of its headings."""

    spans: tuple[Inline, ...]
    headings: tuple[int, ...]

    def section(self, line: int) -> int:
        """The section that a line stands in."""
        at = bisect_right(self.headings, line)
        return self.headings[at - 1] if at else 0


def inline_code(text: str) -> Prose:
    """Every code span of a page. Raises nothing."""
    raw = tuple(line.rstrip("\r\n") for line in split_lines(text))
    out = outline(raw, front=True)
    nesting = nest(out)
    code = {row.line for _, rows in nesting.code for row in rows}
    runs = list(paragraphs(out.rows, code, nesting.table))
    headings = tuple(sorted(line for rows, line in runs if line))
    prose = Prose(spans=(), headings=headings)
    found = [
        Inline(text=said, line=line + 1, column=column_of(raw[line], column), section=prose.section(line + 1))
        for rows, _ in runs
        for said, line, column in _spans(rows)
    ]
    return Prose(spans=tuple(sorted(found, key=lambda one: (one.line, one.column))), headings=headings)


def paragraphs(rows: list[Row], code: set[int], table: set[int]) -> Iterator[tuple[list[Row], int]]:
    """The rows of each run of text, and the line (from 1) of its heading where it is one, else 0."""
    open_: list[Row] = []
    for row in rows:
        text = row.text.lstrip("> ")
        if not text or row.line in code or text == OPAQUE:
            yield open_, 0
            open_ = []
        elif len(open_) == 1 and _is_rule(text):  # a line of `=` or `-` below one of text makes that a heading
            yield open_, open_[0].line + 1
            open_ = []
        elif heading(text) or _alone(text) or row.line in table:
            yield open_, 0
            yield [row], row.line + 1 if heading(text) else 0
            open_ = []
        elif _starts(text) or (open_ and row.line != open_[-1].line + 1):
            yield open_, 0
            open_ = [row]
        else:
            open_.append(row)
    yield open_, 0


def _is_rule(text: str) -> bool:
    bare = text.rstrip(" ")
    return not bare.strip("=") or not bare.strip("-")


def _alone(text: str) -> bool:
    return bool(rule_line(text) or admonition(text) or details(text) or tab(text))


def _starts(text: str) -> bool:
    return bool(item(text) or definition(text) or footnote(text) or reference(text))


@dataclass(frozen=True, slots=True, kw_only=True)
class Flow:
    """The text of a paragraph, its rows joined by line feeds, without their prefixes.

    `bare` is as long, with code spans and comments blanked. `starts` are offset, line and column (both from 0) of
    each row.
    """

    text: str
    bare: str
    spans: tuple[tuple[int, int], ...]
    starts: tuple[tuple[int, int, int], ...]

    def place(self, offset: int) -> tuple[int, int]:
        """The line and the column (both from 0, tabs expanded) of an offset into the text."""
        at, line, lead = self.starts[bisect_right(self.starts, offset, key=lambda start: start[0]) - 1]
        return line, offset - at + lead


def flow(rows: list[Row]) -> Flow:
    """Join the rows of a paragraph. Its `spans` are those that no comment hides."""
    starts, parts, length = [], [], 0
    for row in rows:
        lead = len(prefix_of(row.text))
        starts.append((length, row.line, lead))
        parts.append(row.text[lead:])
        length += len(parts[-1]) + 1
    text = "\n".join(parts)
    found = spans(text)
    bare = _blanked(text, found)
    hidden = list(_comments(bare)) if "<!--" in text else []
    return Flow(text=text, bare=_blanked(bare, hidden), spans=tuple(_seen(found, hidden)), starts=tuple(starts))


def _blanked(text: str, hidden: list[tuple[int, int]]) -> str:
    parts, at = [], 0
    for first, end in hidden:
        parts.append(text[at:first] + " " * (end - first))
        at = end
    return "".join(parts) + text[at:]


def _seen(found: list[tuple[int, int]], hidden: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    for first, end in found:
        before = bisect_right(hidden, first, key=lambda one: one[0]) - 1
        if before < 0 or first >= hidden[before][1]:
            yield first, end


def _spans(rows: list[Row]) -> Iterator[tuple[str, int, int]]:
    """The text, the line (from 0) and the column (from 0, tabs expanded) of each span of a paragraph."""
    joined = flow(rows)
    for first, end in joined.spans:
        run = len(joined.text[first:end]) - len(joined.text[first:end].lstrip("`"))
        said = joined.text[first + run : end - run].replace("\n", " ")
        yield said.strip(" "), *joined.place(first)


def _comments(text: str) -> Iterator[tuple[int, int]]:
    """Where comments stand in a paragraph without its spans: `outline` put marks in place of their further lines."""
    at = text.find("<!--")
    while at >= 0:
        end, line = text.find("-->", at), text.find("\n", at)
        if line >= 0 and text.startswith(OPAQUE, line + 1) and not at <= end < line:
            end = len(text) - len(text[line:].lstrip("\n" + OPAQUE))
        elif end < 0:
            return
        else:
            end += len("-->")
        yield at, end
        at = text.find("<!--", end)


def column_of(raw: str, column: int) -> int:
    """The place (from 1) in a line as it is written of a column (from 0) of it with tabs expanded."""
    if "\t" not in raw and "\x02" not in raw and "\x03" not in raw:
        return min(column, len(raw)) + 1
    at = 0
    for index, char in enumerate(raw):
        if char in "\x02\x03":
            continue
        if at >= column:
            return index + 1
        at += TAB - at % TAB if char == "\t" else 1
    return len(raw) + 1
