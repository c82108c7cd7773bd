"""Follow snippets from commit to commit: what each commit did to each, under whatever name it has by then."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from snippetlock.changes import ChangeClass
from snippetlock.config import parse_selector
from snippetlock.drift.classes import of_digests
from snippetlock.history.cuts import Cut, Cuts, Store
from snippetlock.history.snapshot import Contents, Snapshot, changed_files
from snippetlock.model import Definition
from snippetlock.records import dataclass, replace
from snippetlock.source import Change as Commits
from snippetlock.source import Commit

if TYPE_CHECKING:
    from snippetlock.drift import Search

__all__ = ["Follower", "Step", "There", "follow"]

_OFTEN = 256  # commits after which what was found out is kept


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What a commit did to a snippet: its class, None where the snippet is there for the first time.

    `was` is the snippet under the name it had before the commit, `definition` under the one it has after it; `old`
    and `new` are what it showed. `origin` is where it is there for the first time: the class of what the commit
    did, and the selector of what it was before, found by looking back; None where it was nothing.
    """

    commit: Commit
    cls: ChangeClass | None
    was: Definition
    definition: Definition
    old: Cut
    new: Cut
    origin: tuple[ChangeClass, str] | None = None


class Follower:
    """One snippet on its way; up to the commit of number `end`, counted from 0, or to the last.

    `first` is what it showed before the first commit, `cut` what it shows now, `last` what it showed when it last
    could be cut.
    """

    def __init__(self, definition: Definition, store: Store, stamp: str, end: int | None = None) -> None:
        self.end = end
        self._store = store
        self._stamp = stamp
        # What is highlighted marks lines of what is shown, and shows no other: without it none is lost.
        shown = replace(definition, view=replace(definition.view, highlight=()))
        self._every = [Cuts(store, stamp, shown)]
        self.first = self.cut = Cut(reads=())
        self.last: Cut | None = None

    @property
    def definition(self) -> Definition:
        """The snippet under its present name."""
        return self._every[-1].definition

    def start(self, snapshot: Snapshot) -> None:
        """Look at the state before the first commit."""
        self.first = self.cut = self._every[-1].at(snapshot)
        self.last = self.cut if self.cut.digests else None

    def known(self, snapshot: Snapshot) -> Cut | None:
        """What it shows there, where that is kept."""
        return self._every[-1].known(snapshot)

    def step(self, commit: Commit, there: There, known: Cut | None = None) -> Step | None:
        """Go on to the next commit; None where it changed nothing that is shown. `known` is what it shows there."""
        was, old, last = self.definition, self.cut, self.last
        self.cut = known or self._every[-1].at(there.after)
        cls: ChangeClass | None
        origin: tuple[ChangeClass, str] | None = None
        if self.cut.digests is None:
            if old.digests is None:
                return None
            cls = self._gone(commit, there)
        elif last is None:
            cls, origin = None, self._origin(commit, there)
        else:
            assert last.digests
            assert self.cut.span
            cls = of_digests(last.digests, self.cut.digests, self.cut.span.path)
            if cls == "same" and last.span and last.span.path != self.cut.span.path:
                cls = "moved"
            if cls == "same" and old.digests:
                self.last = self.cut
                return None
        self.last = self.cut if self.cut.digests else last
        return Step(commit=commit, cls=cls, was=was, definition=self.definition, old=old, new=self.cut, origin=origin)

    def save(self) -> None:
        """Keep what is new."""
        for cuts in self._every:
            cuts.save()

    def _gone(self, commit: Commit, there: There) -> ChangeClass:
        """What became of a snippet that cannot be cut any more; goes on under its new name where it has one."""
        cuts = self._every[-1]
        known = cuts.gone(commit.id)
        if known is None:
            from snippetlock.history.judging import gone  # what reads sources: a second run needs none of it

            known = gone(self.definition, there)
            cuts.keep_gone(commit.id, *known)
        cls, selector = known
        if selector:
            renamed = replace(cuts.definition, selector=parse_selector(selector))
            found = Cuts(self._store, self._stamp, renamed)
            cut = found.at(there.after)
            if cut.digests:
                self._every.append(found)
                self.cut = cut
        return cls

    def _origin(self, commit: Commit, there: There) -> tuple[ChangeClass, str] | None:
        """What a snippet that is new under its name was before, judged as if time ran back."""
        cuts, key = self._every[-1], f"{commit.id}<"
        known = cuts.gone(key)
        if known is None:
            from snippetlock.history.judging import came

            known = came(self.definition, there)
            cuts.keep_gone(key, *known)
        return known if known[1] else None


class There:
    """A commit's two states, and what can be searched between them: made once for all snippets."""

    def __init__(self, change: Commits, before: Snapshot, after: Snapshot, changed: Mapping[str, str | None]) -> None:
        self.before = before
        self.after = after
        self.changed = changed
        self.renames = {one.old_path: one.path for one in change.paths if one.status == "renamed"}
        self.search: Search | None = None


class _Readers:
    """Who looks at which file: a commit is of no concern to the others."""

    def __init__(self, followers: Sequence[Follower]) -> None:
        self._followers = followers
        self._noted: list[tuple[str, ...]] = [()] * len(followers)
        self._readers: dict[str, set[int]] = {}
        self.note(range(len(followers)))

    def note(self, numbers: Iterable[int]) -> None:
        """See what these look at now."""
        for number in numbers:
            reads, noted = self._followers[number].cut.reads, self._noted[number]
            if reads != noted:
                for path in noted:
                    self._readers[path].discard(number)
                for path in reads:
                    self._readers.setdefault(path, set()).add(number)
                self._noted[number] = reads

    def of(self, paths: Iterable[str], commit: int) -> list[int]:
        """Whom a change of these files concerns, of those that go as far as this commit, in their order."""
        found = {number for path in paths for number in self._readers.get(path, ())}
        return [number for number in sorted(found) if _goes(self._followers[number], commit)]


def _goes(follower: Follower, commit: int) -> bool:
    return follower.end is None or commit < follower.end


def follow(
    followers: Iterable[Follower],
    files: Mapping[str, str],
    changes: Iterable[Commits],
    contents: Contents,
    passed: Callable[[], None] | None = None,
) -> Iterator[Step]:
    """What each commit did, in their order. `files` are those before the first; `passed` hears of each commit.

    However it ends, what was found out is kept; of a killed process what it had found out some commits before.
    """
    every, state = list(followers), dict(files)
    try:
        begin = Snapshot(contents, state)
        for follower in every:
            follower.start(begin)
        readers = _Readers(every)
        ends = [follower.end for follower in every]
        stop = max((end for end in ends if end is not None), default=0) if None not in ends else None
        for number, change in enumerate(changes):
            if number == stop:
                break
            changed = changed_files(change.paths)
            concerned = readers.of(changed, number)
            if concerned:
                there = There(change, Snapshot(contents, state), Snapshot(contents, state, changed), changed)
                yield from _steps(change.commit, [every[one] for one in concerned], there)
                readers.note(concerned)
            _apply(changed, state)
            if number % _OFTEN == _OFTEN - 1:
                for follower in every:
                    follower.save()
            if passed:
                passed()
    finally:
        for follower in every:
            follower.save()


def _apply(changed: Mapping[str, str | None], state: dict[str, str]) -> None:
    """Bring the files of a state to what a commit made of them."""
    for path, blob in changed.items():
        if blob is None:
            state.pop(path, None)
        else:
            state[path] = blob


def _steps(commit: Commit, followers: Sequence[Follower], there: There) -> Iterator[Step]:
    known = [follower.known(there.after) for follower in followers]
    new = [follower for follower, cut in zip(followers, known, strict=True) if cut is None]
    there.after.ahead({path for follower in new for path in follower.cut.reads if path in there.changed})
    for follower, cut in zip(followers, known, strict=True):
        step = follower.step(commit, there, cut)
        if step:
            yield step
