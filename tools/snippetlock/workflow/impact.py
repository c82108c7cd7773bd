"""What a change of the library makes untrue in a docs project. Drift between two states of a checkout, as its
developers see it: the lines of their change, and the pages it reaches.

The docs may be pinned to a release that differs from both states. So nothing is measured against the pin: a snippet
that the old state does not have is told apart, and one that already had another text there is marked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from functools import partial

from snippetlock.changes import Change, ChangeClass, Drifted
from snippetlock.config import parse_selector
from snippetlock.drift.fitting import fit
from snippetlock.errors import LockError, RepositoryError, SnippetlockError, UsageError, listed
from snippetlock.lock import Entry
from snippetlock.model import Definition, Found, Snippet, Span
from snippetlock.moves import Mention
from snippetlock.records import replace
from snippetlock.render.asides import docstrings
from snippetlock.report.impact import Impact, Site
from snippetlock.select import find
from snippetlock.source import Commit, merge_base
from snippetlock.text import decode, is_blank, line_of, line_starts, sha256, split_lines
from snippetlock.workflow.drifting import Request, drift
from snippetlock.workflow.figures import figures_of
from snippetlock.workflow.mentions import mentions, names_of
from snippetlock.workflow.project import Project
from snippetlock.workflow.states import Opened, States
from snippetlock.workflow.walking import root_of

__all__ = ["impact"]

_OWN = "HEAD"  # the commit that a work tree is of


def impact(project: Project, states: States, base: str, head: str, *, strict: bool = False) -> Impact:
    """What `head` changed since it parted from `base`, as `git diff base...head` has it.

    `head` can be a folder: the work tree as it is, parted where its commit did. Raises `RepositoryError` where the
    two have nothing in common, and `UsageError` where the base has none of the snippets.
    """
    own = states.commit(_OWN if head.startswith((".", "/")) else head)
    new = states.open(head, root_of(states, own))
    old = _parted(states, base, own, new)
    report = drift(project, Request(old=old, new=new), states)
    absent = tuple(one for one in report.drifted if one.change is None)
    compared = tuple(_seen(project, one, report.fail_on) for one in report.drifted if one.change is not None)
    if not compared:
        evidence = listed([f"{one.snippet}: {one.problem}" for one in absent][:3], len(absent))
        mend = f"run it in a checkout of {project.pin.name}, or name another base"
        what = f"none of the {len(absent)} snippets is in {old.state.label}"
        raise UsageError(what, evidence=evidence, mend=mend)
    known = {one.snippet: project.definition(one.snippet) for one in compared if one.cls != "same"}
    sites = _Sites(states, old, new)
    return Impact(
        library=project.pin.name,
        report=replace(report, drifted=compared),
        sites={one.snippet: sites.of(known[one.snippet], one) for one in compared if one.cls != "same"},
        prose=_prose(project, compared),
        stale=_stale(project, compared),
        absent=absent,
        strict=strict,
    )


def _seen(project: Project, one: Drifted, fail_on: tuple[ChangeClass, ...]) -> Drifted:
    """Not untrue where the change brings what the docs have already, for they are ahead: the text, or the name."""
    change = one.change
    assert change is not None
    accepted = _entries(project).get(one.snippet)
    best = change.candidates[0] if change.candidates and one.cls == "renamed" else None
    text = accepted is not None and accepted.digests.text == sha256(change.new_text)
    name = best is not None and best.selector == one.selector and best.cls not in fail_on
    return replace(one, fails=False) if (text and change.new) or name else one


def _entries(project: Project) -> Mapping[str, Entry]:
    """What the docs quote, as far as the lock says it."""
    try:
        return project.entries
    except LockError:  # its own check says so
        return {}


def _parted(states: States, base: str, own: Commit, new: Opened) -> Opened:
    """The commit at which the new state, which is `own` or its work tree, left the base."""
    if base.startswith((".", "/")):
        mend = "name the branch that the change is meant for"
        raise UsageError(f"the base {base!r} is a folder, and nothing says where a change left that", mend=mend)
    asked = states.commit(base)
    found = merge_base(states.repo, asked.id, own.id)
    if found is None:
        mend = "name the branch that the change is meant for"
        what = f"{base!r} and {new.state.label} have no commit in common in {states.repo.name}"
        raise RepositoryError(what, mend=mend)
    if found == asked.id:
        return states.open(base, root_of(states, asked))
    commit = states.commit(found)
    return states.at(commit, f"{commit.short} (where it left {base})", root_of(states, commit))


def _stale(project: Project, compared: Iterable[Drifted]) -> frozenset[str]:
    """Of which the old state had another text than the docs quote."""
    entries = _entries(project)
    return frozenset(
        one.snippet
        for one in compared
        if one.change and one.snippet in entries and entries[one.snippet].digests.text != sha256(one.change.old_text)
    )


def _prose(project: Project, compared: Iterable[Drifted]) -> dict[str, tuple[Mention, ...]]:
    """What the pages say in inline code of each snippet that is untrue now."""
    pages = {page.path: page for page in project.pages}
    found = {}
    for one in compared:
        if one.fails and one.change:
            change = one.change
            names = names_of(one.selector, change.old_text, change.new_text, change.details)
            found[one.snippet] = mentions(names, one.uses, pages, partial(figures_of, project))
    return found


class _Sites:
    """Where in the files of the new state the changes of snippets are."""

    def __init__(self, states: States, old: Opened, new: Opened) -> None:
        self.states = states
        self.old = old
        self.new = new

    def of(self, definition: Definition, one: Drifted) -> tuple[Site, ...]:
        """The lines that changed what a snippet shows, those of code first; or the file, or where the snippet was."""
        change = one.change
        assert change is not None
        if change.cls == "ambiguous" and change.candidates:
            newcomer = change.candidates[-1].span  # the one least like the old
            return (self._site(newcomer.path, newcomer.first, newcomer.first),)
        if change.new is None:
            line = self._gone(change.old.path, change.old.first) if change.cls == "removed" else None
            return (self._site(change.old.path, line, line),)
        lines = self._lines(definition, change) or ((change.new.first, change.new.first),)
        return tuple(self._site(change.new.path, first, last) for first, last in lines)

    def _lines(self, definition: Definition, change: Change) -> tuple[tuple[int, int], ...]:
        """First and last of the lines that changed what is shown; none where the view does not fit any more."""
        if change.candidates and change.cls in ("renamed", "moved"):
            definition = replace(definition, selector=parse_selector(change.candidates[0].selector))
        try:
            found = find(self.new.tree, definition.selector)
            snippet = fit(definition, found).snippet
        except SnippetlockError:
            return ()
        if snippet is None:
            return ()
        aside = _aside(found)
        return tuple(
            sorted(_changed(change.old_text, snippet), key=lambda ends: aside.issuperset(range(ends[0], ends[1] + 1)))
        )

    def _site(self, path: str, first: int | None, last: int | None) -> Site:
        root = f"{self.new.root}/" if self.new.root else ""
        if first is None or last is None:
            return Site(path=root + path)
        link = self.states.link(self.new, Span(path=path, first=first, last=last))
        return Site(path=root + path, first=first, last=last, link=link)

    def _gone(self, path: str, line: int) -> int | None:
        """Where in the new file an old line was; None where the file is gone or cannot be read."""
        try:
            before, after = (split_lines(decode(one.tree.read(path), path, False)) for one in (self.old, self.new))
        except SnippetlockError:
            return None
        for tag, start, end, there, _ in SequenceMatcher(None, before, after).get_opcodes():
            if start <= line - 1 < end:
                kept = line - 1 - start if tag == "equal" else 0  # of two alike, like decorators, either may be left
                return max(1, min(there + kept + 1, len(after)))
        return None


def _aside(found: Found) -> frozenset[int]:
    """The lines of docstrings and comments."""
    starts = line_starts(found.text)
    lines = split_lines(found.text)
    regions = (*docstrings(found.part), *(c for c in found.part.comments if _alone(c.start, starts, lines)))
    return frozenset(
        number
        for region in regions
        for number in range(line_of(starts, region.start), line_of(starts, max(region.start, region.end - 1)) + 1)
    )


def _alone(offset: int, starts: Sequence[int], lines: Sequence[str]) -> bool:
    """Whether nothing stands before it on its line."""
    number = line_of(starts, offset)
    return is_blank(lines[number - 1][: offset - starts[number - 1]])


def _changed(old: str, snippet: Snippet) -> tuple[tuple[int, int], ...]:
    """First and last line in the file of each place where the text differs; for lines that went, the one after them."""
    numbers = snippet.numbers
    found: list[tuple[int, int]] = []
    matcher = SequenceMatcher(None, split_lines(old), split_lines(snippet.text), autojunk=False)
    for tag, _, _, start, end in matcher.get_opcodes():
        if tag == "equal":
            continue
        there = [number for number in numbers[start:end] if number is not None]
        if not there:  # what went left no line of its own
            there = [number for number in (*numbers[start:], *reversed(numbers[:start])) if number is not None][:1]
        if there:
            found.append((there[0], there[-1]))
    return tuple(dict.fromkeys(found))
