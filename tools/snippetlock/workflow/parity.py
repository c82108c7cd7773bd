"""Hold the twins of a page against it: headings, blocks, links, and whether it changed since they were made from it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import zip_longest
from typing import NamedTuple

from snippetlock.model import Finding
from snippetlock.references.headings import Heading, attributes
from snippetlock.references.structure import TOP
from snippetlock.report.text import quantity
from snippetlock.text import split_lines
from snippetlock.workflow.alike import command_findings, table_findings
from snippetlock.workflow.claiming import claim_differences
from snippetlock.workflow.commands import commands
from snippetlock.workflow.copied import copied_findings, drawn_findings
from snippetlock.workflow.front import NONE
from snippetlock.workflow.lagging import lagging_findings
from snippetlock.workflow.leading import link_findings
from snippetlock.workflow.likening import Step, steps
from snippetlock.workflow.project import Project
from snippetlock.workflow.sheets import Group, Sheet, groups, one_file, twin_path

__all__ = ["shape_findings", "twin_findings"]

_LONGEST = 200  # characters of a command in a message
_lines = lru_cache(maxsize=2)(split_lines)  # of a page with many findings they are asked for often


def twin_findings(project: Project) -> Iterator[Finding]:
    """Every finding about twins, in no order. Nothing where the project has one language, or wants none of it."""
    if project.config.twins == "off" or len(project.config.languages) < 2:
        return
    found = groups(project)
    for group in found:
        yield from shape_findings(project, group)
    if project.config.twins == "sections":
        yield from lagging_findings(project, found)


def shape_findings(project: Project, group: Group) -> Iterator[Finding]:
    """What is wrong with a page and its twins at this moment."""
    yield from _missing(project, group)
    doubled: set[str] = set()
    for language in project.config.languages:
        if sheet := group.sheets.get(language):
            yield from _unclear(sheet)
            yield from _twice(sheet, doubled)
    first = group.sheets.get(project.config.languages[0])
    others = [group.sheets[name] for name in project.config.languages[1:] if name in group.sheets]
    for second in others if first else ():
        if first and not one_file(project, first, second) and not (first.front.problems or second.front.problems):
            yield from _headings(first, second)
            yield from _blocks(project, first, second)
            yield from command_findings(first, second)
            yield from table_findings(first, second)
            yield from link_findings(project, first, second)
            yield from claim_differences(first, second)
            yield from copied_findings(first, second)
            yield from drawn_findings(project, first, second)


# Whether there is one


def _missing(project: Project, group: Group) -> Iterator[Finding]:
    languages = project.config.languages
    sheets = [group.sheets[name] for name in languages if name in group.sheets]
    for sheet in sheets:
        said = sheet.front.untranslated
        if said and len(sheets) > 1:
            other = next(one for one in sheets if one is not sheet)
            message = f"this page says that it has no twin, but there is {other.page.path}"
            mend = f"take `{NONE}:` out, or that page"
            yield Finding(rule="SL401", place=sheet.page.place(said.line), message=message, mend=mend)
    if any(sheet.front.untranslated for sheet in sheets):
        return
    unread = {finding.place.path for finding in project.unreadable}
    for name in languages:
        path = twin_path(sheets[0].page.path, name, languages)
        if name not in group.sheets and path not in unread:
            message = f"there is no {path}: this page has no twin in {name!r}"
            mend = f"write it, or say in the front matter why there is none: `{NONE}: reason`"
            yield Finding(rule="SL401", place=sheets[0].page.place(1), message=message, mend=mend)
    for second in sheets[1:]:
        if one_file(project, sheets[0], second):
            where = sheets[0].page.path
            message = f"this is the same file as {where}, by a link: no twin of it"
            mend = f"put a page in its place, or take it out and say why in {where}: `{NONE}: reason`"
            yield Finding(rule="SL401", place=second.page.place(1), message=message, mend=mend)


def _unclear(sheet: Sheet) -> Iterator[Finding]:
    """What is wrong with a page's front matter."""
    for problem in sheet.front.problems:
        place = sheet.page.place(problem.line, problem.column)
        yield Finding(rule="SL407", place=place, message=problem.message, mend=problem.mend)


def _twice(sheet: Sheet, known: set[str]) -> Iterator[Finding]:
    """Anchors that two headings state. `known` are those that a twin is told of; they are told of once."""
    stated: dict[str, Heading] = {}
    for heading in sheet.shape.headings:
        earlier = stated.setdefault(heading.stated, heading)
        if not heading.stated or earlier is heading or heading.stated in known:
            continue
        known.add(heading.stated)
        yield Finding(
            rule="SL408",
            place=sheet.page.place(heading.line),
            message=f"two headings of this page have the anchor {heading.stated!r}",
            evidence=(f"{sheet.page.place(earlier.line)}  {earlier.title}",),
            mend="give one of them another anchor, in every language",
        )


# Headings


def _headings(first: Sheet, second: Sheet) -> Iterator[Finding]:
    for full, bare in ((first, second), (second, first)):
        tops = [[section for section in sheet.shape.sections[:1] if section.anchor == TOP] for sheet in (full, bare)]
        if tops[0] and not tops[1]:
            message = f"{full.page.path} has words above its first heading, and this page has not"
            mend = "write them in both, or in none"
            yield Finding(rule="SL402", place=bare.page.place(1), message=message, mend=mend)
    ours, theirs = first.shape.headings, second.shape.headings
    for step in steps([one.anchor for one in ours], [one.anchor for one in theirs]):
        left, right = ours[step.first : step.end], theirs[step.other : step.other_end]
        if step.same or [one.level for one in left] == [one.level for one in right]:
            for one, other in zip(left, right, strict=True):
                yield from _heading(first, second, one, other)
        else:
            yield _rows(first, second, left, right, step)


def _heading(first: Sheet, second: Sheet, one: Heading, other: Heading) -> Iterator[Finding]:
    where = first.page.place(one.line)
    if one.anchor != other.anchor:
        made = "" if other.stated else ", made from its words,"
        message = f"{other.title!r} has the anchor {other.anchor!r}{made} and its twin has {one.anchor!r}"
        mend = f"write `{_with_anchor(second, other, one.anchor)}`"
    elif one.level != other.level:
        message = f"{other.title!r} is a heading of level {other.level}, and its twin one of level {one.level}"
        mend = "give both the same level"
    else:
        return
    yield Finding(
        rule="SL402",
        place=second.page.place(other.line),
        message=message,
        evidence=(f"{where}  {one.title}",),
        mend=mend,
    )


def _with_anchor(sheet: Sheet, heading: Heading, anchor: str) -> str:
    """The heading's line as it would be with an anchor."""
    line = _lines(sheet.page.text)[heading.line - 1].strip()
    return f"{attributes(line)[0]} {{ #{anchor} }}"


def _rows(first: Sheet, second: Sheet, left: tuple[Heading, ...], right: tuple[Heading, ...], step: Step) -> Finding:
    """Headings that have no counterpart one by one."""
    if not right:
        after = second.shape.headings[step.other - 1].line if step.other else 1
        what = quantity(len(left), "headings")
        message = f"{first.page.path} has {what} here that this page has not"
        mend = "translate what stands under each, or take it out there"
    elif not left:
        after = right[0].line
        message = (
            f"{first.page.path} has no such heading" if len(right) == 1 else f"{first.page.path} has none of these"
        )
        mend = "write it there, or take it out here"
    else:
        after = right[0].line
        message = f"other headings than in {first.page.path}"
        mend = "give both the same headings, in the same order and of the same levels"
    evidence = [f"{first.page.place(one.line)}  {'#' * one.level} {one.title} (#{one.anchor})" for one in left]
    evidence += [f"{second.page.place(one.line)}  {'#' * one.level} {one.title} (#{one.anchor})" for one in right]
    return Finding(rule="SL402", place=second.page.place(after), message=message, evidence=tuple(evidence), mend=mend)


# Blocks


def _blocks(project: Project, first: Sheet, second: Sheet) -> Iterator[Finding]:
    ours, theirs = _shown(project, first), _shown(project, second)
    names, others = [one.key for one in ours], [one.key for one in theirs]
    order = "" if Counter(names) != Counter(others) else " (both pages have the same blocks, in another order)"
    for step in steps(names, others):
        pairs = zip_longest(ours[step.first : step.end], theirs[step.other : step.other_end])
        before = theirs[step.other - 1].line if step.other else 1
        for one, other in pairs if not step.same else ():
            if "" in (shown.what for shown in (one, other) if shown):
                continue
            if one and other and one.what == other.what:
                before = other.line
                yield _typed(first, second, one, other)
                continue
            if one and other:
                message = (
                    f"{first.page.place(one.line)} has {one.what} in this place, and this page {other.what}{order}"
                )
            elif one:
                where = first.page.place(one.line)
                message = f"{where} has {one.what}, and this page does not have it in that place{order}"
            else:
                message = f"{first.page.path} does not have {other.what if other else ''} in this place{order}"
            before = other.line if other else before
            mend = "give both pages the same blocks in the same order: copy the directive or the block as it stands"
            yield Finding(rule="SL403", place=second.page.place(before), message=message, mend=mend)


def _typed(first: Sheet, second: Sheet, one: _Shown, other: _Shown) -> Finding:
    """Two blocks of one language that show other commands."""
    where, ours, theirs = first.page.place(one.line), one.commands, other.commands
    at = next((at for at, pair in enumerate(zip(ours, theirs, strict=False)) if pair[0] != pair[1]), -1)
    at = min(len(ours), len(theirs)) if at < 0 else at
    said, here = (_told(every[at : at + 1]) for every in (ours, theirs))
    return Finding(
        rule="SL403",
        place=second.page.place(other.line),
        message=f"the block at {where} has {said}, and this one {here}",
        mend="give both the same commands; comments are translated",
    )


def _told(commands: tuple[str, ...]) -> str:
    """A command in words, a long one by its beginning."""
    if not commands:
        return "no further command"
    return f"the command {commands[0] if len(commands[0]) <= _LONGEST else f'{commands[0][:_LONGEST]} …'!r}"


class _Shown(NamedTuple):
    line: int
    what: str  # empty for a block that is a finding itself: what it is to be cannot be told
    commands: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """What is the same in both languages."""
        return "\n".join((self.what, *self.commands))


def _shown(project: Project, sheet: Sheet) -> list[_Shown]:
    """What a page shows beside its words, in order."""
    found = [_Shown(marker.first, f"<!-- snippetlock: {marker.name} -->") for marker in sheet.page.scan.markers]
    loose = project.config.unheld != 0  # a block without a source may be there, and is one in both languages
    for block in sheet.page.scan.blocks:
        if block.snippet is not None:
            options = " ".join(f'{name}="{value}"' for name, value in block.options.items())
            found.append(_Shown(block.first, options if block.snippet in project.defined else ""))
        elif block.run is not None:
            found.append(_Shown(block.first, f'run="{block.run}"' if block.run in project.runs else ""))
        else:
            what = f"a block of {block.language}" if block.language else "a block without a language"
            found.append(_Shown(block.first, what if block.typed or block.diagram or loose else "", commands(block)))
    return sorted(found)
