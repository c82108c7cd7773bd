"""Where a definition that is gone can be now: guesses among the files that changed, each with its reason.

A new name can only be in a file that differs, so nothing else is read, but the file where it was. A guess is
kept only when names or words speak for it strongly enough; the bounds were measured on real history. What looks
is imported when something is gone: most often nothing is.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import takewhile
from pathlib import PurePosixPath

from snippetlock.config.selector import BRACES
from snippetlock.errors import SnippetlockError
from snippetlock.model import Found, Tree
from snippetlock.text import sha256

TYPE_CHECKING = False  # as `typing` has it, which costs 3 ms
if TYPE_CHECKING:
    from snippetlock.drift.guess import Guess
    from snippetlock.drift.listing import File, Listed
    from snippetlock.drift.sieve import Sieve

__all__ = ["Search", "content", "touched_paths"]

_FEW = 1  # names that are looked for in the files as they are
_MANY = 100  # files that differ: the states are so far apart that one name is not the last
_KINDS = ((".py",), (".yaml", ".yml"), (".toml",), (".md",), (".json",), tuple(sorted(BRACES)))
"""The ends of the names of files in which definitions are listed, by their language: a header can become a source."""
_SOURCES = tuple(end for kind in _KINDS for end in kind)


def touched_paths(old: Tree, new: Tree) -> tuple[str, ...]:
    """The files that are not the same in both trees. Reads all of both: who has git asks it instead."""
    paths = sorted({*old.paths(), *new.paths()})
    return tuple(path for path in paths if content(old, path) != content(new, path))


def content(tree: Tree, path: str) -> str:
    """What tells the content of a file from any other; empty where there is none."""
    try:
        return sha256(tree.read(path)) if tree.has(path) else ""
    except SnippetlockError:
        return "refused"


class Search:
    """Two trees, the files that differ, and what is in them: one for all snippets of a comparison.

    `renames` are files that another source (git) says were renamed, old path to new, or what finds them. `ahead` is
    told which files of a tree will be read, before they are. `aside` are files that differ and in which nothing is
    looked for.
    """

    def __init__(
        self,
        old: Tree,
        new: Tree,
        touched: Iterable[str] | None = None,
        renames: Mapping[str, str] | Callable[[], Mapping[str, str]] | None = None,
        ahead: Callable[[Tree, Iterable[str]], None] | None = None,
        aside: Collection[str] = (),
    ) -> None:
        self.old = old
        self.new = new
        self._renames = renames or {}
        self._touched = None if touched is None else frozenset(touched)
        self.narrow = False
        self._ahead = ahead
        self._aside = aside
        self._only: frozenset[str] | None = None
        self._told: set[str | tuple[str, ...]] = set()
        self._files: dict[str, File] = {}
        self._old_files: dict[str, File] = {}
        self._back: Search | None = None
        self._same: dict[str, bool] = {}
        self._unsieved = False
        self._named = 0  # times that somebody asked for the files that name something
        self.marked = False  # whether marked regions are what is looked for
        self.refused: dict[str, str] = {}  # of the new tree: what cannot be read in a candidate, by its file

    def back(self) -> Search:
        """The same two trees, as if time ran back."""
        if self._back is None:
            self._back = back = Search(self.new, self.old, self._touched, self._undone, self._ahead, self._aside)
            back._files, back._old_files, back._back = self._old_files, self._files, self
        return self._back

    def within(self, paths: Iterable[str], *, narrow: bool = False) -> Search:
        """The same, but looked for in these files alone; what is read is shared.

        Where it is `narrow`, what is in another place and has another name is taken for nothing but a copy.
        """
        found = Search(self.old, self.new, self._touched, lambda: self.renames)
        found._files, found._old_files = self._files, self._old_files
        found._only, found.narrow = frozenset(paths), narrow
        found._unsieved, found.refused = True, self.refused  # so few are all looked at
        return found

    @cached_property
    def regions(self) -> Search:
        """The same for marked regions: they become nothing else, and nothing else becomes one."""
        found = Search(self.old, self.new, self._touched, lambda: self.renames, self._ahead, self._aside)
        found._only, found.narrow, found.marked = self._only, self.narrow, True
        found._unsieved, found.refused = True, self.refused  # names of regions are in comments, and may be no words
        return found

    @cached_property
    def renames(self) -> Mapping[str, str]:
        """The files that were renamed, old path to new."""
        return self._renames() if callable(self._renames) else self._renames

    def _undone(self) -> Mapping[str, str]:
        return {new: old for old, new in self.renames.items()}

    @cached_property
    def touched(self) -> frozenset[str]:
        """The files that differ."""
        return frozenset(touched_paths(self.old, self.new)) if self._touched is None else self._touched

    @cached_property
    def changed(self) -> tuple[str, ...]:
        """Those of the files that differ which the new tree has and whose definitions are searched."""
        return tuple(self._searched(lambda path: path.endswith(_SOURCES)))

    def _searched(self, wanted: Callable[[str], bool]) -> Iterator[str]:
        paths = self.touched if self._only is None else self._only
        searched = (path for path in sorted(paths) if wanted(path) and path not in self._aside)
        return (path for path in searched if self.new.has(path))

    def unchanged(self, path: str, digest: str | None) -> bool:
        """Whether a file that had this digest, None for no file, is the same in the new tree."""
        if self._touched is not None:
            return path not in self._touched
        if path not in self._same:
            self._same[path] = content(self.new, path) == (digest or "")
        return self._same[path]

    @cached_property
    def sieve(self) -> Sieve:
        """In which of the Python files that differ nothing can be meant."""
        from snippetlock.drift.sieve import Sieve

        files = (self.file(path) for path in self.changed if path.endswith(".py"))
        return Sieve(() if self._unsieved else files)

    def naming(self, name: str) -> list[str]:
        """The Python files among those that differ in which a line can define this name, or one that folds alike."""
        from snippetlock.drift.likeness import folded

        key = folded(name)
        self._named += 1
        if self._named > _FEW or len(self.changed) > _MANY:
            return self._naming.get(key, [])
        return [path for path in self.changed if path.endswith(".py") and self.file(path).may_define(key)]

    @cached_property
    def _naming(self) -> dict[str, list[str]]:
        """All that `naming` could say: who asks often has it sooner than by looking through all files each time."""
        found: dict[str, list[str]] = {}
        for path in self.changed:
            for name in self.file(path).defined if path.endswith(".py") else ():
                found.setdefault(name, []).append(path)
        return found

    def having(self, text: str, paths: Iterable[str]) -> list[str]:
        """Those of these files in which a text stands word for word."""
        inside = frozenset(text.split("\n")[1:-1] if len(self.changed) > _MANY else ())
        return [path for path in paths if self.file(path).has(text, inside)]

    def file(self, path: str) -> File:
        """The definitions of a file of the new tree."""
        return self._file(self._files, self.new, path)

    def old_file(self, path: str) -> File:
        """The definitions of a file of the old tree."""
        return self._file(self._old_files, self.old, path)

    def _file(self, known: dict[str, File], tree: Tree, path: str) -> File:
        if path not in known:
            from snippetlock.drift.listing import read, read_regions

            known[path] = (read_regions if self.marked else read)(tree, path)
        return known[path]

    def unread(self) -> dict[str, str]:
        """What is wrong with those files of the new tree that were looked into and do not parse, by path."""
        regions = self.__dict__.get("regions")
        files = (*self._files.values(), *(regions._files.values() if regions else ()))
        return {**{file.path: file.faults[0] for file in files if file.faults}, **self.refused}

    def places(self, path: str) -> tuple[str, ...]:
        """The files to look in for what was in `path`: those that differ, of the same kind, and itself."""
        end = _end(path)
        kind = next((kind for kind in _KINDS if end in kind), ())
        if kind:
            found = [p for p in self.changed if p.endswith(kind)]
        else:  # of no language that is taken apart: whole files and marked regions
            found = list(self._searched(lambda path: _end(path) == end))
        if self._ahead and (kind or end) not in self._told:
            self._told.add(kind or end)
            self._ahead(self.new, found)
        if self.marked:  # the marks are there whatever the language
            found += self._searched(lambda other: other == self.renames.get(path))
        return tuple(dict.fromkeys(p for p in (path, *found) if p != path or self.new.has(path)))

    def guesses(self, found: Found) -> Iterator[list[Guess]]:
        """What could be what was found in the old tree, best first; each definition once.

        Comes in two lots: those that are as good as a copy, if there is one where one looks first, then all.
        """
        for every in self._every(found):
            best: dict[tuple[str, Listed | None], Guess] = {}
            for guess in every:
                key = guess.path, guess.listed
                if key not in best or best[key].score < guess.score:
                    best[key] = guess
            yield sorted(best.values(), key=lambda g: (-g.score, *self._apart(found.path, g.path), _start(g)))

    def listed(self, found: Found) -> tuple[Search, Listed | None]:
        """The search for things of the same sort, and what was found in the old tree as that lists it.

        None for a whole file, which is in no list, and for what is too deep in others.
        """
        search = self.regions if found.selector.name.startswith("@") else self
        return search, search.old_file(found.path).at(found.part) if found.part.kind != "module" else None

    def _every(self, found: Found) -> Iterator[Iterable[Guess]]:
        from snippetlock.drift.relations import Relations
        from snippetlock.drift.wholes import guesses

        search, was = self.listed(found)
        if was is not None:
            relations = Relations(search, was)
            yield relations.copies()
            yield relations.guesses()
        elif found.part.kind == "module":
            yield guesses(self, found.path)

    def _apart(self, old: str, new: str) -> tuple[bool, int, str]:
        """How far a file is from where something was: of equals the one that git says it became, then the nearest."""
        one, other = old.split("/"), new.split("/")
        alike = _common(one, other) + 2 * _common(one[::-1], other[::-1])  # a file's own name tells more than its place
        return self.renames.get(old) != new, -alike, new


def _end(path: str) -> str:
    """How the name of a file ends, from its last dot on; empty where it has none."""
    return PurePosixPath(path).suffix


def _start(guess: Guess) -> int:
    return guess.listed.start if guess.listed else 0


def _common(one: list[str], other: list[str]) -> int:
    """With how many equal parts both begin."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
