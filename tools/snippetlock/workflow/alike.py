"""Hold the commands and the tables of a page's twin against its own, section by section.

As of links, order and number of commands in sentences are not compared: another language has other sentences.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest

from snippetlock.model import Finding
from snippetlock.references.alike import Table, Typed, is_typed
from snippetlock.references.structure import Section
from snippetlock.workflow.commands import commands
from snippetlock.workflow.sheets import Sheet

__all__ = ["command_findings", "table_findings"]

_LONGEST = 200  # characters of a command in a message


def command_findings(first: Sheet, second: Sheet) -> Iterator[Finding]:
    """The commands in code marks that one of two twins has, and the other has not, not even in a block."""
    if not (first.shape.typed or second.shape.typed):
        return
    blocks = [command for sheet in (first, second) for each in sheet.page.scan.blocks for command in commands(each)]
    programs = frozenset(command.partition(" ")[0] for command in blocks)
    for left, right in _sections(first, second):
        ours, theirs = _typed(first, left, programs), _typed(second, right, programs)
        gone = [one for text, one in ours.items() if text not in theirs and text not in blocks]
        more = [one for text, one in theirs.items() if text not in ours and text not in blocks]
        for one, other in zip_longest(gone, more):
            yield _differing(first, second, one, other, right)


def _sections(first: Sheet, second: Sheet) -> Iterator[tuple[Section | None, Section | None]]:
    """The sections of both side by side; the whole pages, where these have other sections."""
    ours, theirs = first.shape.sections, second.shape.sections
    if [one.anchor for one in ours] == [one.anchor for one in theirs]:
        yield from zip(ours, theirs, strict=True)
    else:
        yield None, None


def _typed(sheet: Sheet, section: Section | None, programs: frozenset[str]) -> dict[str, Typed]:
    found: dict[str, Typed] = {}
    for one in sheet.shape.typed:
        if (section is None or section.first <= one.line <= section.last) and is_typed(one, programs):
            found.setdefault(one.text, one)
    return found


def _differing(first: Sheet, second: Sheet, one: Typed | None, other: Typed | None, section: Section | None) -> Finding:
    """`section` is the second's, None where whole pages were compared."""
    here, there = ("this section", f"that of {first.page.path}") if section else ("this page", first.page.path)
    place = second.page.place(other.line, other.column) if other else second.page.place(section.first if section else 1)
    if one:
        has = _told(other) if other else "does not"
        message = f"{first.page.place(one.line, one.column)} has the command {_told(one)}, and {here} {has}"
    else:
        assert other is not None  # one of the two is there
        message = f"{here} has the command {_told(other)}, and {there} does not"
    mend = "write the same command in both; placeholders in `<…>` are translated"
    return Finding(rule="SL403", place=place, message=message, mend=mend)


def _told(one: Typed) -> str:
    return repr(one.text if len(one.text) <= _LONGEST else f"{one.text[:_LONGEST]} …")


def table_findings(first: Sheet, second: Sheet) -> Iterator[Finding]:
    """The tables that one of two twins has and the other has not, and those that have other rows."""
    for left, right in _sections(first, second):
        ours, theirs = _tables(first, left), _tables(second, right)
        if len(ours) != len(theirs):
            at = theirs[len(ours)].line if len(theirs) > len(ours) else right.first if right else 1
            what = "no table" if not ours else "1 table" if len(ours) == 1 else f"{len(ours)} tables"
            whose = f"the section {left.anchor!r} of {first.page.path}" if left else first.page.path
            message = f"{whose} has {what}, and this one {len(theirs) or 'none'}"
            mend = "give both the same tables"
            yield Finding(rule="SL403", place=second.page.place(at), message=message, mend=mend)
            continue
        for one, other in zip(ours, theirs, strict=True):
            if one.rows != other.rows:
                message = f"the table at {first.page.place(one.line)} has {one.rows} rows, and this one {other.rows}"
                mend = "write the row that one of them lacks, or take it out of the other"
                yield Finding(rule="SL403", place=second.page.place(other.line), message=message, mend=mend)


def _tables(sheet: Sheet, section: Section | None) -> list[Table]:
    found = sheet.shape.tables
    return [one for one in found if section is None or section.first <= one.line <= section.last]
