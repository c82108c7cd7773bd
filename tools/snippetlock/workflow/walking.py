"""The commits of a library's repository, and the files before the first: what history and replay walk along."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from snippetlock.history import Contents, Follower, Step, Store, Trail, follow, trails
from snippetlock.model import Definition
from snippetlock.records import dataclass, replace
from snippetlock.source import Change, Commit, GitTree, PathChange, Repo, log
from snippetlock.source.mirror import obtain
from snippetlock.workflow.packages import BESIDE, packages, top
from snippetlock.workflow.states import States

__all__ = ["Walk", "root_of", "walk"]

_PACKAGE = r"[^/]+/__init__\.py"  # where a definition can have been
_AT_ONCE = 2048  # blobs that one fetch asks for


@dataclass(frozen=True, slots=True, kw_only=True)
class Walk:
    """Commits of the mainline, oldest first, with only what they changed of the library's packages."""

    repo: Repo
    changes: tuple[Change, ...]
    files: dict[str, str]

    def follow(
        self, definitions: Iterable[Definition], store: Store, stamp: str, passed: Callable[[], None] | None = None
    ) -> tuple[list[Follower], Iterator[Step]]:
        """Followers of snippets, and what each commit does to them."""
        followers = [Follower(definition, store, stamp) for definition in definitions]
        return followers, follow(followers, self.files, self.changes, Contents(self.repo), passed)

    def trails(
        self, definitions: Sequence[Definition], store: Store, stamp: str, passed: Callable[[], None] | None = None
    ) -> list[Trail]:
        """The whole way of each snippet, under older names too."""
        contents = Contents(self.repo)

        def send(followers: list[Follower], passed: Callable[[], None] | None) -> Iterator[Step]:
            return follow(followers, self.files, self.changes, contents, passed)

        return trails(definitions, [change.commit.id for change in self.changes], send, store, stamp, passed)


def walk(states: States, since: Commit | None, until: Commit, definitions: Iterable[Definition]) -> Walk:
    """The way from one commit to another, or from the very first. Raises `RepositoryError`."""
    repo, root = states.repo, states.repository.root
    roots = (root, "") if root else ("",)  # a package that moved below `src/` keeps its paths
    everything = list(log(repo, since.id if since else None, until.id, roots))
    wanted = _reached(everything, packages(definitions) | _beside(repo, root, until) | _ever(everything))
    changes = [replace(change, paths=tuple(p for p in change.paths if _of(p, wanted))) for change in everything]
    start = changes[0].commit.parents[:1] if changes else (until.id,)
    files: dict[str, str] = {}
    for commit in start:
        tree = GitTree(repo, commit, root, older=("",) if root else ())
        for path in tree.paths():
            blob = tree.blob_id(path) if top(path) in wanted else None
            if blob:
                files[path] = blob
    if repo.remote is not None:
        _fetch(repo, files, changes)
    return Walk(repo=repo, changes=tuple(changes), files=files)


def root_of(states: States, commit: Commit) -> str:
    """The folder of a commit that holds the packages: what the pin says, or where most of them are."""
    wanted = packages(definition for found in states.project.taken.values() for definition in found)
    said = states.repository.root
    paths = GitTree(states.repo, commit.id).paths()
    if any(
        path.startswith(f"{said}/" if said else "") and top(path[len(said) :].lstrip("/")) in wanted for path in paths
    ):
        return said
    held: dict[str, set[str]] = {}
    for path in paths:
        folders = path.removesuffix(".py").split("/")
        for depth, name in enumerate(folders):
            if name in wanted:
                held.setdefault("/".join(folders[:depth]), set()).add(name)
    return min(held, key=lambda root: (-len(held[root]), len(root and root.split("/")), root), default=said)


def _beside(repo: Repo, root: str, commit: Commit) -> set[str]:
    """The other packages below the root, where something can have moved to."""
    paths = GitTree(repo, commit.id, root, older=(root,)).paths()
    return {top(path) for path in paths if root or re.fullmatch(_PACKAGE, path)} - BESIDE


def _ever(changes: Iterable[Change]) -> set[str]:
    """The packages that there were at some time, at the top or below the root."""
    paths = (path for change in changes for one in change.paths for path in (one.path, one.old_path))
    return {top(path) for path in paths if re.fullmatch(_PACKAGE, path)} - BESIDE


def _reached(changes: Iterable[Change], wanted: set[str]) -> set[str]:
    """These packages, and the folders that files of them were moved to: `src` is no package, and can hold one."""
    found = set(wanted)
    for change in changes:
        found |= {top(one.path) for one in change.paths if one.status == "renamed" and top(one.old_path) in found}
    return found


def _of(change: PathChange, wanted: set[str]) -> bool:
    return top(change.path) in wanted or top(change.old_path) in wanted


def _fetch(repo: Repo, files: dict[str, str], changes: Iterable[Change]) -> None:
    """Have at hand what will be read, in a few large steps."""
    names = [*files.values(), *(one.new for change in changes for one in change.paths if one.new is not None)]
    names = list(dict.fromkeys(names))
    for at in range(0, len(names), _AT_ONCE):
        obtain(repo, names[at : at + _AT_ONCE])
