"""The lines that a view works on, and the rows that come out of it.

A view decides about whole lines where it can, and about a part of a line only where code and what is left out
share one. Nothing here knows what a view is.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from snippetlock.model import Region
from snippetlock.records import dataclass, field
from snippetlock.text import NEWLINE, is_blank, line_at, line_end, line_of, line_starts, split_lines

PLAIN, FROZEN = 0, -1  # groups of rows; from 1 on the lines inside one docstring


class Row(NamedTuple):
    """A line of the snippet: its number in the file (None for a mark), its text, how it may be dedented.

    `own` characters before its line end are a mark behind what the file has. Of a line that is a mark all is.
    """

    number: int | None
    text: str
    group: int = PLAIN
    own: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """Whole lines of a file. `start` is the offset of the first, `first` its number; `lines` keep their ends."""

    text: str
    start: int
    first: int
    lines: tuple[str, ...]
    starts: tuple[int, ...]

    @property
    def last(self) -> int:
        return self.first + len(self.lines) - 1

    def number(self, offset: int) -> int:
        """The line of the file that holds the character at `offset`."""
        return self.first - 1 + line_of(self.starts, offset - self.start)

    def span(self, region: Region) -> range:
        """The lines of the file that `region` touches; the line that only begins where it ends is not one."""
        return range(self.number(region.start), self.number(max(region.start, region.end - 1)) + 1)

    def line(self, number: int) -> str:
        return self.lines[number - self.first]

    def before(self, offset: int) -> str:
        """What stands on the line of `offset` before it."""
        number = self.number(offset)
        return self.line(number)[: offset - self.start - self.starts[number - self.first]]

    def after(self, offset: int) -> str:
        """What stands on the line of `offset` from it on, the line's end included."""
        return self.line(self.number(offset))[len(self.before(offset)) :]


def sheet_of(text: str, region: Region) -> Sheet:
    """The whole lines that `region` touches."""
    start = max(text.rfind("\n", 0, region.start), text.rfind("\r", 0, region.start)) + 1
    end = max(start, region.end)
    if end and text[end - 1 : end] not in ("\n", "\r"):
        found = NEWLINE.search(text, end)
        end = found.end() if found else len(text)
    part = text[start:end]
    return Sheet(text=text, start=start, first=line_at(text, start), lines=split_lines(part), starts=line_starts(part))


@dataclass(frozen=True, slots=True, kw_only=True)
class Cuts:
    """What is left out: `lines` maps a line to the indentation of its mark, `rows` one to what stands there instead."""

    lines: dict[int, str] = field(default_factory=dict)
    rows: dict[int, tuple[Row, ...]] = field(default_factory=dict)

    def over(self, other: Cuts) -> Cuts:
        """Both; where they disagree about a line, this one."""
        lines = {n: m for n, m in other.lines.items() if n not in self.rows}
        rows = {n: r for n, r in other.rows.items() if n not in self.lines}
        return Cuts(lines=lines | self.lines, rows=rows | self.rows)


def joined(cuts: Iterable[Cuts]) -> Cuts:
    """All of them, none of which speaks of the lines of another."""
    lines: dict[int, str] = {}
    rows: dict[int, tuple[Row, ...]] = {}
    for one in cuts:
        lines |= one.lines
        rows |= one.rows
    return Cuts(lines=lines, rows=rows)


def assemble(
    sheet: Sheet, window: range, cuts: Cuts, headers: Collection[int], groups: Mapping[int, int], mark: str
) -> tuple[Row, ...]:
    """The rows of the lines in `window`, a mark for every run of lines left out.

    Blank lines between two lines left out go with them; those around a run stay, except between a header
    and the mark for all that follows it. A run ends where what is left out is indented less: one mark
    would then claim less than is missing.
    """
    if not cuts.lines and not cuts.rows:
        return tuple(Row(number, sheet.line(number), groups.get(number, PLAIN)) for number in window)
    rows: list[Row] = []
    blanks: list[Row] = []
    run: str | None = None  # the indentation of the mark that the last line left out belongs to
    header = False
    for number in window:
        line, group = sheet.line(number), groups.get(number, PLAIN)
        if number in cuts.rows:
            if new := cuts.rows[number]:
                rows += [*blanks, *new]
                blanks, run, header = [], None, number in headers
        elif is_blank(line) and (group == PLAIN or number in cuts.lines):
            blanks += [Row(number, line)] if group == PLAIN else []
        elif number in cuts.lines:
            indent = cuts.lines[number]
            if run is not None and len(indent) >= len(run):
                rows[-1] = Row(None, run + mark + line_end(line))
            else:
                rows += [*([] if header else blanks), Row(None, indent + mark + line_end(line))]
                run = indent
            blanks, header = [], False
        else:
            rows += [*blanks, Row(number, line, group)]
            blanks, run, header = [], None, number in headers
    return tuple(rows if run is not None else [*rows, *blanks])
