"""The runs of text of a page: paragraphs, headings, rows of tables, and where their code spans are. Pure.

A code span may run over the lines of its paragraph and no further, in runs of any length. Where a paragraph ends is
decided by its rows alone, so a span across two items of a list is none.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cached_property

from snippetlock.records import dataclass
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
from snippetlock.references.outline import OPAQUE, Row

__all__ = ["Flow", "Run", "column_of", "columns", "flow", "paragraphs"]

_MARKS = frozenset("#!?=-_*+:[")  # what begins a row that may be more than the next line of a paragraph; a digit too


class Run:
    """Rows that are read as one text. `heading` is the line (from 1) of the heading that it is, else 0."""

    def __init__(self, rows: Sequence[Row], heading: int = 0) -> None:
        self.rows = rows
        self.heading = heading

    @cached_property
    def flow(self) -> Flow:
        """Its text."""
        return flow(self.rows)


def paragraphs(rows: Sequence[Row], code: Collection[int], table: Collection[int]) -> Iterator[Run]:
    """Each run of text, in order. `code` and `table` are the lines (from 0) of indented code, and of tables."""
    open_: list[Row] = []
    for row in rows:
        text = row.text.lstrip("> ")
        line, ended = row.line, None
        if not text or line in code or text == OPAQUE:
            ended, begun = Run(open_), []
        elif line not in table and text[0] not in _MARKS and not text[0].isdigit():
            if open_ and line != open_[-1].line + 1:
                ended, begun = Run(open_), [row]
        elif len(open_) == 1 and _is_rule(text):  # a line of `=` or `-` below one of text makes that a heading
            ended, begun = Run(open_, open_[0].line + 1), []
        elif line in table or heading(text) or _alone(text):
            if open_:
                yield Run(open_)
            ended, begun = Run([row], line + 1 if heading(text) else 0), []
        elif _starts(text) or (open_ and line != open_[-1].line + 1):
            ended, begun = Run(open_), [row]
        if ended is None:
            open_.append(row)
            continue
        if ended.rows:
            yield ended
        open_ = begun
    if open_:
        yield Run(open_)


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
        starts = self.starts
        at, line, lead = starts[bisect_right(starts, offset, key=_first) - 1] if len(starts) > 1 else starts[0]
        return line, offset - at + lead


def _first(start: tuple[int, ...]) -> int:
    return start[0]


def flow(rows: Sequence[Row]) -> Flow:
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
    if "<!--" not in text:
        return Flow(text=text, bare=bare, spans=tuple(found), starts=tuple(starts))
    hidden = list(_comments(bare))
    return Flow(text=text, bare=_blanked(bare, hidden), spans=tuple(_seen(found, hidden)), starts=tuple(starts))


def _blanked(text: str, hidden: list[tuple[int, int]]) -> str:
    parts, at = [], 0
    for first, end in hidden:
        parts += [text[at:first], " " * (end - first)]
        at = end
    parts.append(text[at:])
    return "".join(parts)


def _seen(found: list[tuple[int, int]], hidden: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    for first, end in found:
        before = bisect_right(hidden, first, key=_first) - 1
        if before < 0 or first >= hidden[before][1]:
            yield first, end


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
    return columns(raw)(column)


def columns(raw: str) -> Callable[[int], int]:
    """As `column_of`, for many columns of one line: the line is read once."""
    if "\t" not in raw and "\x02" not in raw and "\x03" not in raw:
        end = len(raw)
        return lambda column: min(column, end) + 1
    at, starts, places = 0, [], []
    for index, char in enumerate(raw):
        if char not in "\x02\x03":
            starts.append(at)
            places.append(index + 1)
            at += TAB - at % TAB if char == "\t" else 1
    places.append(len(raw) + 1)
    return lambda column: places[bisect_left(starts, column)]
