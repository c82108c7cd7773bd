"""Which commits changed what a snippet shows: all of them, or the one that broke it.

Goes along the mainline, and under older names too: where a snippet appears, it is asked what it was before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from snippetlock.changes import CLASSES, Change, ChangeClass, Culprit, Event
from snippetlock.config import parse_selector
from snippetlock.drift.classes import of_digests, worst
from snippetlock.errors import RepositoryError, SnippetlockError
from snippetlock.history import Cut, Step, Trail
from snippetlock.links import commit_link
from snippetlock.model import Definition, Digests
from snippetlock.records import dataclass, replace
from snippetlock.source import Commit, GitTree, merge_base
from snippetlock.source.revisions import resolve
from snippetlock.workflow.anchors import anchored, why_never
from snippetlock.workflow.cache import tool_stamp
from snippetlock.workflow.project import Project
from snippetlock.workflow.states import Opened, States
from snippetlock.workflow.walking import Walk, walk

__all__ = ["Past", "Suspect", "blame", "event", "history"]

_COPIES = 24  # of one snippet that are followed


@dataclass(frozen=True, slots=True, kw_only=True)
class Past:
    """The commits that changed what a snippet shows, oldest first, out of `commits`; `until` is where they end."""

    snippet: str
    selector: str
    until: str
    commits: int
    events: tuple[Event, ...]
    problem: str = ""  # why it cannot be cut at the end


def history(project: Project, name: str, states: States, since: str | None = None) -> Past:
    """The history of one snippet up to the branch that the pin names. Raises a `SnippetlockError`."""
    (name,) = project.taken_names([name])
    definition = project.definition(name)
    branch = states.repository.branch
    first, until = states.commit(since) if since else None, states.commit(branch)
    way, trail = _trail(project, states, first, until, definition)
    if not trail.known:  # never there under this name: perhaps under one that it has at an end
        for called in anchored(project, states, first, until, [definition]):
            way, trail = _trail(project, states, first, until, called)
    return Past(
        snippet=name,
        selector=trail.definition.selector.text,
        until=f"{branch} {until.short}",
        commits=len(way.changes),
        events=tuple(_events(project, states, way, trail)),
        problem=trail.cut.problem if trail.known else why_never(states, until, definition),
    )


def _trail(
    project: Project, states: States, since: Commit | None, until: Commit, definition: Definition
) -> tuple[Walk, Trail]:
    way = walk(states, since, until, [definition])
    (trail,) = way.trails([definition], project.kept, tool_stamp())
    return way, trail


def _events(project: Project, states: States, way: Walk, trail: Trail) -> list[Event]:
    """What each commit did, oldest first: also to copies, since a commit that left several and none to go on with."""
    number = {change.commit.id: at for at, change in enumerate(way.changes)}
    found: list[Event] = []
    known: set[str] = set()
    waiting = [(trail, -1)]
    for one, since in waiting:
        of_copy = (f"in its copy {one.oldest.selector.text}",) if one is not trail else ()
        for step in one.steps:
            at = number[step.commit.id]
            if at <= since:  # what made it a copy is told of the other
                continue
            told, copies = _told(step, way, states)
            found.append(replace(told, details=of_copy + told.details))
            other = [copy for copy in copies if copy not in known]
            new = other[: max(0, _COPIES - len(known))]
            known.update(new)
            if left := len(other) - len(new):
                found[-1] = replace(found[-1], details=(*found[-1].details, f"{left} of its copies are not followed"))
            if new:
                named = [replace(step.definition, id=copy, selector=parse_selector(copy)) for copy in new]
                others = way.trails(named, project.kept, tool_stamp())
                waiting += [(replace(other, oldest=name), at) for other, name in zip(others, named, strict=True)]
    return sorted((replace(event, snippet=trail.oldest.id) for event in found), key=lambda one: number[one.commit])


def _told(step: Step, way: Walk, states: States) -> tuple[Event, tuple[str, ...]]:
    """A step with its facts, and the selectors of the other places that it left the snippet in, word for word."""
    told = event(step, states)
    before, after = _around(states, step.commit)
    if step.cls is None or step.origin or before is None:
        return told, ()
    change = _fact(step.was, before, after, *_touched(way, step.commit))
    copies = _copies(change, step.was) if change and step.cls == change.cls == "renamed" else ()
    return replace(told, details=change.details if change else ()), copies


def _copies(change: Change, was: Definition) -> tuple[str, ...]:
    """Of candidates that are no worse than the best, those that show the same under the same name; but for the best."""
    name = was.selector.text.partition(":")[2]
    alike = [
        one.selector
        for one in change.candidates
        if one.cls == "same" and one.score >= change.candidates[0].score and one.selector.partition(":")[2] == name
    ]
    return tuple(alike[1:]) if change.candidates and change.candidates[0].selector in alike else ()


def _around(states: States, commit: Commit) -> tuple[GitTree | None, GitTree]:
    """The trees before and after a commit; None before the very first."""
    root = states.repository.root
    older = ("",) if root else ()
    before = GitTree(states.repo, commit.parents[0], root, older=older) if commit.parents else None
    return before, GitTree(states.repo, commit.id, root, older=older)


def _touched(way: Walk, commit: Commit) -> tuple[set[str], dict[str, str]]:
    """The files that a commit touches, and those that it renames, old path to new."""
    paths = next(change.paths for change in way.changes if change.commit.id == commit.id)
    renames = {one.old_path: one.path for one in paths if one.status == "renamed"}
    return {path for one in paths for path in (one.path, one.old_path)}, renames


def _fact(
    definition: Definition, old: GitTree, new: GitTree, touched: set[str], renames: dict[str, str]
) -> Change | None:
    from snippetlock.drift import compare

    try:
        return compare(definition, old, new, touched=touched, renames=renames)
    except RepositoryError:
        raise
    except SnippetlockError:
        return None


def event(step: Step, states: States) -> Event:
    """A step as data for reports."""
    repository = states.project.pin.repository
    return Event(
        snippet=step.definition.id,
        commit=step.commit.id,
        time=step.commit.time,
        subject=step.commit.subject,
        cls=step.cls,
        selector=step.definition.selector.text,
        span=step.new.span,
        problem=step.new.problem,
        link=commit_link(repository, step.commit.id) if repository else "",
        details=(f"it was {step.was.selector.text} before",) if step.origin and step.cls else (),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Suspect:
    """A snippet that drifted: what it showed, None for one that was not there, and what became of it."""

    definition: Definition
    digests: Digests | None
    cls: ChangeClass


def blame(
    project: Project,
    states: States,
    old: Opened,
    new: Opened,
    suspects: Sequence[Suspect],
) -> Mapping[str, Culprit | str]:
    """The commit since which each snippet is as bad as it is, by id, or in words why none can be named.

    Of one that is removed that is the commit which removed it, whatever others had done to it before; of one that
    appears the commit since which it is there.
    """
    if new.commit is None:
        return {one.definition.id: f"{new.state.label} is no commit: nobody can be named" for one in suspects}
    base = _base(states, old, new.commit)
    way = walk(states, base, new.commit, [one.definition for one in suspects])
    followers, steps = way.follow([one.definition for one in suspects], project.kept, tool_stamp())
    trials = {one.definition.id: _Trial(one) for one in suspects}
    every = list(steps)
    for follower in followers:
        trials[follower.definition.id].begin(follower.first, known=base is not None)
    for step in every:
        trials[step.definition.id].hear(step)
    where = f"{base.short}" if base else ""
    return {name: trial.verdict(states, where, old, new) for name, trial in trials.items()}


def _base(states: States, old: Opened, new: Commit) -> Commit | None:
    """The commit where the old state and the new one part; None where the old is no commit that is there."""
    if not old.state.commit or states.repo.objects.check([old.state.commit])[0] is None:
        return None
    found = merge_base(states.repo, old.state.commit, new.id)
    return resolve(states.repo, found) if found else None


_ENDS = ("unreadable", "ambiguous", "removed", "renamed")


class _Trial:
    """One snippet along the commits: since when it is as bad as it is at the end."""

    def __init__(self, suspect: Suspect) -> None:
        self._suspect = suspect
        self._bad = CLASSES[: CLASSES.index(suspect.cls) + 1]
        self._renamed: ChangeClass = "same"
        self._good = False
        self._culprit: Step | None = None
        self._left: Step | None = None  # the step that took it from its name, which it has not had since

    def begin(self, first: Cut, *, known: bool) -> None:
        there = known and first.digests is not None and self._suspect.digests is not None
        self._good = there and self._class(first) not in self._bad

    def hear(self, step: Step) -> None:
        if self._suspect.digests is None:
            self._culprit = None if step.new.digests is None else self._culprit or step
            return
        if step.cls in ("renamed", "moved"):
            self._renamed = worst((self._renamed, step.cls))
        if step.definition.selector == self._suspect.definition.selector:
            self._left = None
            self._renamed = "same" if self._renamed == "renamed" else self._renamed
        else:
            self._left = self._left or step
        if step.new.digests is not None and self._class(step.new) not in self._bad:
            self._good, self._culprit = True, None
        elif self._good and self._culprit is None:
            self._culprit = step

    def verdict(self, states: States, base: str, old: Opened, new: Opened) -> Culprit | str:
        # Who looks at the two ends alone may find that it is gone, where its history still finds it.
        step = self._culprit or (self._left if self._good and self._suspect.cls in _ENDS else None)
        if step is not None:
            return _culprit(step, states)
        if self._good:
            return "no single commit of the mainline did it"
        if base:
            return f"so already at {base}, where the two states part"
        return f"no commit up to {new.state.label} shows what {old.state.label} shows"

    def _class(self, cut: Cut) -> ChangeClass:
        assert cut.digests
        assert cut.span
        assert self._suspect.digests
        return worst((of_digests(self._suspect.digests, cut.digests, cut.span.path), self._renamed))


def _culprit(step: Step, states: States) -> Culprit:
    told = event(step, states)
    return Culprit(commit=told.commit, subject=told.subject, link=told.link)
