"""Since when something is no longer so: one walk through a repository's history, from the newest commit back.

All that is asked is asked in one walk. Each content of a file is read once for its words; only a commit that takes away
a line which may define one of them has the library before it indexed, and the index says whether it was so.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from snippetlock.index import Index, Store, open_index
from snippetlock.model import Progress
from snippetlock.records import dataclass
from snippetlock.source import Change, Commit, GitTree, PathChange, Repo, blobs, log
from snippetlock.source.repository import boundary
from snippetlock.source.subtree import Subtree
from snippetlock.text import sha256
from snippetlock.workflow.layout import Layout, outside
from snippetlock.workflow.marks import defines, marks, words_of
from snippetlock.workflow.packages import top

__all__ = ["Past", "Question", "Since"]

_KIND = "past"
_INDEXES = 6  # indexes of old states in memory
_LOOKS = 40  # commits at which one question is looked into
_ALL = 600  # and all of them together


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What may have been so: `holds` says whether it is, of an index.

    A commit changes nothing about it that takes away no line with one of `words` in it, as `marks` reads lines, and no
    file or folder that is called like one of them or of `folders`. Of classes among the words the `methods` count too.
    `name` is the name that it is about, where it is about one.
    """

    text: str
    words: frozenset[str]
    holds: Callable[[Index], bool]
    folders: frozenset[str] = frozenset()
    methods: frozenset[str] = frozenset()
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Since:
    """The change since which it is not so. `open` says that no commit was found and the search was given up."""

    change: Change | None
    open: bool = False


class Past:
    """The mainline before a commit, it included, as far as a library's packages go. Not for two threads at once."""

    def __init__(
        self, repo: Repo, until: Commit, layout: Layout, store: Store, stamp: str, progress: Progress | None = None
    ) -> None:
        self.repo = repo
        self.until = until
        self.layout = layout
        self._store = store
        self._sheets = _Sheets(store)
        self._stamp = stamp
        self._progress = progress
        self._indexes: dict[str, Index] = {}
        self._words: dict[str, dict[bytes, Mapping[bytes, int]]] = {}
        self._looks = 0

    @property
    def shallow(self) -> bool:
        """Whether older commits were left out of the clone."""
        return bool(boundary(self.repo))

    @cached_property
    def changes(self) -> tuple[Change, ...]:
        """The commits, oldest first, with package paths: of every folder that ever held one of the packages."""
        return tuple(log(self.repo, None, self.until.id, self.roots, whole=False))

    @cached_property
    def roots(self) -> tuple[str, ...]:
        """The folders that held one of the packages, that of today first."""
        wanted = set(self.layout.packages)
        found = {self.layout.root: None, "": None}
        for change in log(self.repo, None, self.until.id, ("",), whole=False):
            for one in change.paths:
                folder, _, name = one.path.rpartition("/")
                above, _, package = folder.rpartition("/")
                if name == "__init__.py" and package in wanted and not outside(above):
                    found[above] = None
        return tuple(found)

    @cached_property
    def packages(self) -> frozenset[str]:
        """The packages, and those that files of theirs were moved from."""
        found = set(self.layout.packages)
        for change in reversed(self.changes):
            for one in change.paths:
                if one.status == "renamed" and one.path.endswith(".py") and top(one.path) in found:
                    older = top(one.old_path)
                    found |= {older} if older.isidentifier() and not outside(older) else set()
        return frozenset(found)

    def tree(self, commit: str) -> Subtree:
        """The packages in a commit."""
        first, *older = self.roots
        return Subtree(GitTree(self.repo, commit, first, older=older or (first,)), self.packages)

    def index(self, commit: str) -> Index:
        """The index of the packages in a commit."""
        if commit not in self._indexes:
            if len(self._indexes) >= _INDEXES:
                del self._indexes[next(iter(self._indexes))]
            self._indexes[commit] = open_index(self.tree(commit), self._sheets, self._stamp)
        return self._indexes[commit]

    def ask(self, questions: Sequence[Question]) -> Mapping[str, Since]:
        """The answer to each question, by its text. None of them holds at the end of the history."""
        keys = {each.text: self._key(each) for each in questions}
        known = {text: kept for text, key in keys.items() if (kept := self._store.get(_KIND, key)) is not None}
        by_commit = {change.commit.id: change for change in self.changes} if known else {}
        answers = {text: Since(change=by_commit.get(kept[0])) for text, kept in known.items()}
        for text, since in self._walked([each for each in questions if each.text not in known]).items():
            answers[text] = since
            if not since.open:  # who has more time may find more
                self._store.put(_KIND, keys[text], [since.change.commit.id if since.change else ""])
        return answers

    def _key(self, question: Question) -> str:
        ends = sorted(boundary(self.repo))
        told = [self._stamp, self.until.id, ends, self.roots, sorted(self.packages), question.text]
        return sha256(json.dumps(told))

    def _walked(self, questions: Sequence[Question]) -> Mapping[str, Since]:
        if not questions:
            return {}
        self._read({word.encode() for each in questions for word in each.words}, questions)
        answers: dict[str, Since] = {}
        looked = dict.fromkeys((each.text for each in questions), 0)
        by_word: dict[bytes, list[Question]] = {}
        by_part: dict[bytes, list[Question]] = {}
        for each in questions:
            for word in each.words:
                by_word.setdefault(word.encode(), []).append(each)
            for part in each.words | each.folders:
                by_part.setdefault(part.encode(), []).append(each)
        total = len(self.changes)
        for at in range(total - 1, -1, -1):
            self._tell("looking through the history", total - at, total)
            if not self.changes[at].commit.parents:
                continue
            lost, gone = self._lost(self.changes[at]), self._gone(self.changes[at])
            asked = {each.text: each for word in lost & by_word.keys() for each in by_word[word]}
            asked |= {each.text: each for part in gone & by_part.keys() for each in by_part[part]}
            for text, each in asked.items():
                if text in answers:
                    continue
                if looked[text] >= _LOOKS or self._looks >= _ALL:
                    answers[text] = Since(change=None, open=True)
                    continue
                looked[text] += 1
                if self._holds(each, self.changes[at].commit.parents[0]):
                    answers[text] = Since(change=self._last(each, at))
        return {each.text: answers.get(each.text, Since(change=None)) for each in questions}

    def _holds(self, question: Question, commit: str) -> bool:
        self._looks += commit not in self._indexes
        return question.holds(self.index(commit))

    def beside(self, words: Iterable[str]) -> frozenset[str]:
        """Those of the words that Python files beside the packages define today: tests, scripts, other packages."""
        wanted = frozenset(word.encode() for word in words)
        tree = GitTree(self.repo, self.until.id)
        prefix = f"{self.layout.root}/" if self.layout.root else ""
        own = tuple(f"{prefix}{package}/" for package in self.layout.packages)
        paths = (path for path in tree.paths() if path.endswith(".py") and not path.startswith(own))
        found: set[bytes] = set()
        for _, data in blobs(self.repo, [name for name in map(tree.blob_id, paths) if name]):
            found |= {word for word in words_of(data or b"", wanted - found) if defines(data or b"", word)}
        return frozenset(word.decode() for word in found)

    def _last(self, question: Question, at: int) -> Change | None:
        """The change after which it is not so, which is this one or, where no line told, one of those that follow."""
        if not self._holds(question, self.changes[at].commit.id):
            return self.changes[at]
        if self._holds(question, self.until.id):  # it does not depend on the library alone
            return None
        low, high = at, len(self.changes) - 1
        while high - low > 1:
            middle = (low + high) // 2
            if self._holds(question, self.changes[middle].commit.id):
                low = middle
            else:
                high = middle
        return self.changes[high]

    def _read(self, wanted: set[bytes], questions: Sequence[Question]) -> None:
        """Read every content of the packages' files once, for the marks of these words."""
        methods: dict[bytes, set[bytes]] = {}
        for each in questions:
            for word in each.words if each.methods else ():
                methods.setdefault(word.encode(), set()).update(method.encode() for method in each.methods)
        names = {
            name: None
            for change in self.changes
            for one in change.paths
            if self._counts(one)
            for name in (one.old, one.new)
            if name
        }
        self._words = {}
        for number, (name, data) in enumerate(blobs(self.repo, names)):
            if not number % 256:
                self._tell("reading the history", number, len(names))
            found = words_of(data, wanted) if data else ()
            if data and found:
                self._words[name] = {word: marks(data, word, methods.get(word, ())) for word in found}

    def _counts(self, one: PathChange) -> bool:
        return one.path.endswith((".py", ".pyi")) and (
            top(one.path) in self.packages or top(one.old_path) in self.packages
        )

    def _lost(self, change: Change) -> set[bytes]:
        """The words of which a commit took marks away."""
        lost: set[bytes] = set()
        for one in change.paths:
            if not self._counts(one) or one.old is None:
                continue
            old = self._words.get(one.old, {})
            new = self._words.get(one.new or "", {})
            for word, before in old.items():
                after = new.get(word, {})
                if one.status != "modified" or any(after.get(line, 0) < count for line, count in before.items()):
                    lost.add(word)
        return lost

    def _gone(self, change: Change) -> set[bytes]:
        """What the files and folders are called that a commit took away."""
        gone: set[bytes] = set()
        for one in change.paths:
            if self._counts(one) and one.old is not None and one.status != "modified":
                parts = one.old_path.rpartition(".")[0].split("/")
                gone.update(part.encode("utf-8", "surrogateescape") for part in parts)
        return gone

    def _tell(self, what: str, done: int, total: int) -> None:
        if self._progress is not None:
            self._progress(what, done, total)


class _Sheets:
    """A store that also holds the sheets in memory: one commit after another has most of them. It keeps no tables."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._held: dict[tuple[str, str], Any] = {}

    def get(self, kind: str, key: str) -> Any:
        found = self._held.get((kind, key))
        if found is None and kind == "index-sheets":
            found = self._store.get(kind, key)
            if found is not None:
                self._held[kind, key] = found
        return found

    def put(self, kind: str, key: str, value: Any) -> None:
        if kind == "index-sheets":
            self._held[kind, key] = value
            self._store.put(kind, key, value)
