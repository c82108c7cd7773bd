"""What else two pages in two languages have in common: commands in code marks, and tables with their rows. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator

from snippetlock.records import dataclass
from snippetlock.references.known import is_command
from snippetlock.references.paragraphs import Run, column_of

__all__ = ["Table", "Typed", "is_typed", "tables", "typed"]

_LONGEST = 500  # characters of a command
_PROGRAM = re.compile(r"[a-z][\w.-]+")
_OPTION = re.compile(r"[ ]--?[A-Za-z][\w-]*+(?!\()")
_PLACEHOLDER = re.compile(r"<(?=[^\s<>])[^<>]*(?<=[^\s<>])>")


@dataclass(frozen=True, slots=True, kw_only=True)
class Typed:
    """A code span that may be a command: a word and more behind it. `text` has `<…>` for each placeholder."""

    line: int
    column: int
    text: str

    @property
    def program(self) -> str:
        """The word that it begins with."""
        return self.text.partition(" ")[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table by its first line, 1-based, and the number of its rows, those of its head aside."""

    line: int
    rows: int


def typed(runs: Iterable[Run], raw: tuple[str, ...]) -> Iterator[Typed]:
    """The code spans that may be commands, in the order of the runs."""
    for run in runs:
        if not any("`" in row.text for row in run.rows):
            continue
        flow = run.flow
        for first, end in flow.spans:
            text = " ".join(flow.text[first:end].strip("`").split()).removeprefix("$ ")
            if " " not in text or len(text) > _LONGEST or not _PROGRAM.fullmatch(text.partition(" ")[0]):
                continue
            line, column = flow.place(first)
            said = _PLACEHOLDER.sub("<…>", text)
            yield Typed(line=line + 1, column=column_of(raw[line], column), text=said)


def is_typed(one: Typed, programs: Collection[str]) -> bool:
    """Whether a span is a command: of a known program, of one that the pages run, or with an option."""
    return one.program in programs or is_command(one.program) or _OPTION.search(one.text) is not None


def tables(lines: Collection[int]) -> Iterator[Table]:
    """The tables of a page, of which these are the lines, counted from 0."""
    first = last = -2
    for line in sorted(lines):
        if line != last + 1:
            if first >= 0:
                yield Table(line=first + 1, rows=last - first - 1)
            first = line
        last = line
    if first >= 0:
        yield Table(line=first + 1, rows=last - first - 1)
