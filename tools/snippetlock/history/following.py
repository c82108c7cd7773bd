"""Follow snippets from commit to commit: what each commit did to each, under whatever name it has by then."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from snippetlock.config import parse_selector
from snippetlock.drift import Search, compare, narrowed, origin
from snippetlock.drift.classes import of_digests
from snippetlock.errors import RepositoryError, SnippetlockError
from snippetlock.history.cuts import Cut, Cuts, Store
from snippetlock.history.snapshot import Contents, Snapshot, changed_files
from snippetlock.model import Change, ChangeClass, Definition, Tree
from snippetlock.records import dataclass, replace
from snippetlock.select import find
from snippetlock.source import Change as Commits
from snippetlock.source import Commit

__all__ = ["Follower", "Step", "follow"]

_LITTLE = 4  # files that a commit changed; to ask likeness of so few costs no more than to choose among them
_OFTEN = 64  # commits after which what was found out is kept


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

    def touched(self, changed: Mapping[str, str | None]) -> bool:
        """Whether a commit can have changed what is shown."""
        return any(path in changed for path in self.cut.reads)

    def step(self, commit: Commit, there: _There) -> Step | None:
        """Go on to the next commit; None where it changed nothing that is shown."""
        was, old, last = self.definition, self.cut, self.last
        self.cut = self._every[-1].at(there.after)
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
            cls = of_digests(last.digests, self.cut.digests)
            if cls == "same" and last.span and self.cut.span and last.span.path != self.cut.span.path:
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

    def _gone(self, commit: Commit, there: _There) -> ChangeClass:
        """What became of a snippet that cannot be cut any more; goes on under its new name where it has one."""
        cuts = self._every[-1]
        known = cuts.gone(commit.id)
        if known is None:
            known = self._judged(there)
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

    def _origin(self, commit: Commit, there: _There) -> tuple[ChangeClass, str] | None:
        """What a snippet that is new under its name was before, judged as if time ran back."""
        cuts, key = self._every[-1], f"{commit.id}<"
        known = cuts.gone(key)
        if known is None:
            known = self._back(there)
            cuts.keep_gone(key, *known)
        return known if known[1] else None

    def _back(self, there: _There) -> tuple[ChangeClass, str]:
        search = there.search().back()
        if len(search.changed) > _LITTLE:
            search = narrowed(search, find(there.after, self.definition.selector))
        change = self._compared(there.after, there.before, search) if search.changed else None
        was = origin(self.definition, change, there.before, there.after) if change else ""
        return change.cls if change and was else "removed", was

    def _compared(self, before: Snapshot, after: Snapshot, search: Search) -> Change | None:
        try:
            return compare(self.definition, before, after, search=search)
        except RepositoryError:
            raise
        except SnippetlockError:
            return None

    def _judged(self, there: _There) -> tuple[ChangeClass, str]:
        """What a commit made of it. What was moved as it was is found by its name, before likeness is asked."""
        search = there.search()
        try:
            near = narrowed(search, find(there.before, self.definition.selector))
        except RepositoryError:
            raise
        except SnippetlockError:
            return "unreadable", ""
        change = self._compared(there.before, there.after, near)
        if change is None or change.cls != "moved":
            change = self._compared(there.before, there.after, search)
        if change is None:
            return "unreadable", ""
        follows = change.cls in ("renamed", "moved") and change.candidates
        return change.cls, change.candidates[0].selector if follows else ""


class _There:
    """A commit's two states, and what can be searched between them: made once for all snippets."""

    def __init__(self, change: Commits, before: Snapshot, after: Snapshot, changed: Mapping[str, str | None]) -> None:
        self.before = before
        self.after = after
        self._renames = {one.old_path: one.path for one in change.paths if one.status == "renamed"}
        self.changed = changed
        self._made: Search | None = None

    def search(self) -> Search:
        """From the state before to the one after."""
        if self._made is None:
            self._made = Search(self.before, self.after, self.changed, self._renames, _ahead)
        return self._made


def _ahead(tree: Tree, paths: Iterable[str]) -> None:
    if isinstance(tree, Snapshot):
        tree.ahead(paths)


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
        for follower in every:
            follower.start(Snapshot(contents, state))
        for number, change in enumerate(changes):
            going = [follower for follower in every if follower.end is None or number < follower.end]
            if not going:
                break
            changed = changed_files(change.paths)
            concerned = [follower for follower in going if follower.touched(changed)] if changed else []
            if concerned:
                yield from _steps(change, concerned, changed, state, contents)
            for path, blob in changed.items():
                if blob is None:
                    state.pop(path, None)
                else:
                    state[path] = blob
            if number % _OFTEN == _OFTEN - 1:
                for follower in going:
                    follower.save()
            if passed:
                passed()
    finally:
        for follower in every:
            follower.save()


def _steps(
    change: Commits,
    followers: list[Follower],
    changed: Mapping[str, str | None],
    state: Mapping[str, str],
    contents: Contents,
) -> Iterator[Step]:
    there = _There(change, Snapshot(contents, state), Snapshot(contents, state, changed), changed)
    there.after.ahead({path for follower in followers for path in follower.cut.reads if path in changed})
    for follower in followers:
        step = follower.step(change.commit, there)
        if step:
            yield step
