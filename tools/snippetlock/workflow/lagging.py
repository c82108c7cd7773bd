"""Which sections of a page have changed since their twin was made from them, and which never were accepted.

The twin's front matter has the digest of each section that it was made from. Whether the twin has the same sections
is not asked here: a section that it lacks is a finding about its headings.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from snippetlock.model import Finding
from snippetlock.records import dataclass
from snippetlock.references.structure import Section
from snippetlock.report.text import quantity
from snippetlock.workflow.earlier import Earlier, change
from snippetlock.workflow.front import TRANSLATED, Said
from snippetlock.workflow.project import Project
from snippetlock.workflow.sheets import Group, Sheet, one_file

__all__ = ["Lag", "lagging", "lagging_findings", "since", "twins_of"]

_ACCEPT = "snippetlock translate accept"


@dataclass(frozen=True, slots=True, kw_only=True)
class Lag:
    """A section whose twin was not made from what it says now.

    `own` is the twin's section. `old` is the digest that it was made from, empty where it says none.
    """

    first: Sheet
    second: Sheet
    section: Section
    own: Section
    old: str


def lagging_findings(project: Project, groups: Iterable[Group]) -> Iterator[Finding]:
    """A finding for each section that changed; one a page for those that were never accepted, and for left entries."""
    earlier = Earlier(project)
    for group in groups:
        for first, second in twins_of(project, group):
            if first.front.problems or second.front.problems:
                continue  # what they say is not known
            found = list(lagging(first, second))
            for lag in found:
                if lag.old:
                    yield _changed(lag, earlier)
            yield from _never([lag for lag in found if not lag.old], second)
            yield from _left(first, second)
    project.lasting = project.lasting and not earlier.missed


def lagging(first: Sheet, second: Sheet) -> Iterator[Lag]:
    """The sections that both have and the twin was not made from as they are, in the order of the page."""
    theirs = {section.anchor: section for section in reversed(second.shape.sections)}
    times = Counter(section.anchor for section in first.shape.sections)
    for section in first.shape.sections:
        if times[section.anchor] > 1:
            continue  # which of them is meant is a finding of its own
        said = second.front.translated.get(section.anchor)
        own = theirs.get(section.anchor)
        if own is not None and (said is None or said.text != section.digest):
            yield Lag(first=first, second=second, section=section, own=own, old=_digest(said))


def _digest(said: Said | None) -> str:
    """What an entry says; nothing for what is no digest."""
    return said.text if said and re.fullmatch(r"[0-9a-f]{16}", said.text) else ""


def since(lag: Lag, earlier: Earlier) -> tuple[tuple[str, ...] | None, str]:
    """How a section changed since its twin was made from it, or None and why that cannot be said."""
    if not lag.old:
        return None, "no state of it was ever accepted"
    old = earlier.units(lag.first.page, lag.old)
    if old is None:
        return None, earlier.why[lag.first.page.path]
    return change(old, lag.section.units), ""


def twins_of(project: Project, group: Group) -> Iterator[tuple[Sheet, Sheet]]:
    """A page with each of its twins."""
    languages = project.config.languages
    first = group.sheets.get(languages[0])
    for language in languages[1:]:
        second = group.sheets.get(language)
        if first and second and not one_file(project, first, second):
            yield first, second


def _changed(lag: Lag, earlier: Earlier) -> Finding:
    lines, why = since(lag, earlier)
    section, page = lag.section, lag.second.page
    where = f"{lag.first.page.path}:{section.first}-{section.last}"
    what = lines if lines is not None else (f"what it was made from cannot be shown: {why}",)
    return Finding(
        rule="SL405",
        place=page.place(lag.own.first),
        message=f"{where} has changed since {lag.own.title or 'this'!r} was made from it",
        evidence=what,
        mend=f"bring it up to date, then accept it: {_ACCEPT} {page.path}#{section.anchor}",
    )


def _never(lags: list[Lag], second: Sheet) -> Iterator[Finding]:
    if not lags:
        return
    page, first = second.page, lags[0].first.page
    if len(lags) == len(second.shape.sections):
        message = f"nothing says from which state of {first.path} this page was made"
        evidence: tuple[str, ...] = ()
        mend = f"read both side by side, then accept all of it: {_ACCEPT} {page.path}"
        line = 1
    else:
        message = f"nothing says from which state of {first.path} {quantity(len(lags), 'sections')} here came"
        evidence = tuple(f"{page.place(lag.own.first)}  {lag.own.title} (#{lag.own.anchor})" for lag in lags)
        names = " ".join(f"{page.path}#{lag.own.anchor}" for lag in lags[:3]) + (" …" if len(lags) > 3 else "")
        mend = f"read them side by side, then accept them: {_ACCEPT} {names}"
        line = lags[0].own.first
    yield Finding(rule="SL406", place=page.place(line), message=message, evidence=evidence, mend=mend)


def _left(first: Sheet, second: Sheet) -> Iterator[Finding]:
    """Entries for sections that are no more."""
    there = {section.anchor for section in first.shape.sections}
    for anchor, said in second.front.translated.items():
        if anchor not in there:
            message = f"`{TRANSLATED}` speaks of {anchor!r}, and {first.page.path} has no such section"
            mend = f"accept any section of this page, and the entry goes: {_ACCEPT} {second.page.path}#…"
            yield Finding(rule="SL406", place=second.page.place(said.line), message=message, mend=mend)
