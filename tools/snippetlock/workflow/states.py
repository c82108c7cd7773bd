"""The two states of the library that are compared: the pin, a commit, a folder or a wheel, and which files differ.

A revision is a name of git's. What starts with `.` or `/` is a folder, what ends in `.whl` a wheel.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cached_property
from pathlib import Path

from snippetlock.changes import State
from snippetlock.errors import PinError, RepositoryError, SnippetlockError, TreeError, UsageError
from snippetlock.links import permalink
from snippetlock.model import Progress, Repository, Span, Tree
from snippetlock.records import dataclass, field, replace
from snippetlock.source import (
    Commit,
    FolderTree,
    GitTree,
    Repo,
    WheelTree,
    diff,
    folder_state,
    open_repo,
    pinned_folder,
    reach,
    upstream,
)
from snippetlock.source.revisions import resolve
from snippetlock.text import late
from snippetlock.workflow.project import Project

__all__ = ["Opened", "Outside", "States", "differences"]

PIN = "pin"
Renames = Callable[..., Mapping[str, str]]
"""Finds what was renamed, old path to new, but for what is in the folders named: they are aside of the packages."""

_FULL = late(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Outside:
    """What the command line and the environment say: the repository to use instead of the pin's, and how to reach it.

    `base` is the folder that relative paths of the command line count from.
    """

    base: Path
    upstream: str | None = None
    environ: Mapping[str, str] = field(default_factory=dict, repr=False)
    progress: Progress | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """A state, and its files. `root` is the folder of the repository that holds the packages in this state.

    `pinned` is one that is the project's own tree, which need not be at hand for any other.
    """

    state: State
    tree: Tree
    commit: Commit | None = None
    root: str = ""
    pinned: bool = False


class States:
    """Opens states of one project's library; the repository only when one of them needs it."""

    def __init__(self, project: Project, outside: Outside) -> None:
        self.project = project
        self.outside = outside
        self._asked = False

    @cached_property
    def repository(self) -> Repository:
        """Where the library is developed. Raises `RepositoryError` where nothing says so."""
        return upstream(self.project.pin, self.outside.upstream)

    @cached_property
    def repo(self) -> Repo:
        """The repository, or its mirror. Raises `RepositoryError` when it cannot be had."""
        base = self.outside.base if self.outside.upstream else self.project.config.root
        project, outside = self.project, self.outside
        return open_repo(self.repository.url, project.cache, outside.progress, base=base, environ=outside.environ)

    def commit(self, revision: str) -> Commit:
        """The commit of a revision; a server is asked for news once."""
        try:
            if self._asked:
                try:
                    return resolve(self.repo, revision)
                except RepositoryError:
                    if not _FULL.fullmatch(revision):
                        raise
            found = reach(self.repo, revision)
        except RepositoryError as error:
            if revision and os.path.exists(self.outside.base / revision) and not error.evidence:
                error.mend = f"for the file or folder of this name write ./{revision}"
            raise
        self._asked = self._asked or not _FULL.fullmatch(revision)
        return found

    def open(self, text: str, root: str | None = None) -> Opened:
        """The state that somebody calls `text`. Raises a `SnippetlockError` when it cannot be had.

        `root` is the folder of a commit or a folder that holds the packages, None where the pin says which.
        """
        if text == PIN:
            return self._pin()
        if text.endswith(".whl"):
            return self._wheel(text)
        if text.startswith((".", "/")):
            return self._folder(text, root)
        commit = self.commit(text)
        label = commit.short if commit.id.startswith(text) else f"{text} {commit.short}"
        return self.at(commit, label, root)

    def at(self, commit: Commit, label: str = "", root: str | None = None) -> Opened:
        """A commit's state; one that lacks the packages' folder is read from the top."""
        root = self.repository.root if root is None else root
        try:
            tree = GitTree(self.repo, commit.id, root)
        except TreeError:
            root = ""
            tree = GitTree(self.repo, commit.id, root)
        state = State(label=label or commit.short, commit=commit.id)
        return Opened(state=state, tree=tree, commit=commit, root=root)

    def link(self, opened: Opened, span: Span) -> str:
        """The web address of lines in a state; empty where it has none."""
        repository, commit = self.project.pin.repository, opened.state.commit
        if repository is None or not commit:
            return ""
        place = replace(repository, root=opened.root) if opened.commit else repository
        return permalink(place, commit, span.path, span.first, span.last)

    def _pin(self) -> Opened:
        pin = self.project.pin
        commit = pin.commit or (pin.repository.commit if pin.repository else None) or ""
        root = pin.repository.root if pin.repository else ""
        if pin.kind == "folder":
            state = self._folders(pinned_folder(pin, self.project.config.root), pin.label, "the pin")
        else:
            state = State(label=f"{pin.label} (the pin)", commit=commit)
        return Opened(state=state, tree=self._pinned_tree(), root=root, pinned=True)

    def _pinned_tree(self) -> Tree:
        """The pin's files; a commit that is not at hand is fetched: its server is asked for the other state anyway."""
        project, pin = self.project, self.project.pin
        try:
            return project.tree
        except PinError:
            if pin.kind != "git" or self.repository != pin.repository or self.repo.remote is None:
                raise
        from snippetlock.source import fetch

        fetch(pin, project.cache, self.outside.progress, self.outside.environ, project.config.root)
        return project.tree

    def _wheel(self, text: str) -> Opened:
        path = self.outside.base / text
        try:
            digest = hashlib.sha256(path.read_bytes()).hexdigest()
        except OSError as error:
            mend = "name a wheel on this machine, or a revision"
            raise UsageError(f"the wheel cannot be read: {error.strerror}: {text}", mend=mend) from error
        return Opened(state=State(label=path.name), tree=WheelTree(path, digest, where=text, pinned=False))

    def _folder(self, text: str, root: str | None) -> Opened:
        folder = self.outside.base / text
        if not os.path.isdir(folder):  # which also takes what no system could call a file for none
            mend = "name the folder that holds the packages, or a checkout"
            raise UsageError(f"there is no folder {text}", mend=mend)
        if root is None:
            root = self.project.pin.repository.root if self.project.pin.repository else ""
        root = root if os.path.isdir(folder / root) else ""
        tree = FolderTree(folder / root, where=text)
        return Opened(state=self._folders(folder / root, text), tree=tree, root=root)

    def _folders(self, folder: Path, text: str, *words: str) -> State:
        """What git says of a folder goes into its label: it can be another library by tomorrow."""
        found = folder_state(folder, self.outside.environ)
        said = ", ".join(filter(None, (*words, found.said)))
        return State(label=f"{text} ({said})" if said else text, base=found.commit or "", dirty=found.dirty)


def differences(old: Opened, new: Opened) -> tuple[frozenset[str] | None, Renames]:
    """The files that differ, and what finds those that git takes for renamed; None where only reading everything tells.

    Reads no content of a commit: git says what differs between two, and the files of a wheel or a folder are
    named as git would name them. Renames are looked for when asked for: that does read.
    """
    one, other = old.tree, new.tree
    if isinstance(one, GitTree) and isinstance(other, GitTree) and one.repo.git_dir == other.repo.git_dir:
        pair = one.repo, one.folder_id, other.folder_id  # not the commits: what moved with its root is where it was

        changes = diff(*pair, renames=False)

        def renames(aside: Collection[str] = ()) -> Mapping[str, str]:
            found = {change.status for change in changes if change.path.split("/")[0] not in aside}
            if not found >= {"added", "deleted"}:
                return {}
            return {c.old_path: c.path for c in diff(*pair, aside=aside) if c.status == "renamed"}

        return frozenset(change.path for change in changes), renames
    if isinstance(one, GitTree) == isinstance(other, GitTree):
        return None, _none
    paths = sorted({*one.paths(), *other.paths()})
    git, plain = (one, other) if isinstance(one, GitTree) else (other, one)
    assert isinstance(git, GitTree)
    return frozenset(path for path in paths if git.blob_id(path) != _blob_id(plain, path, len(git.commit))), _none


def _none(_: Iterable[str] = ()) -> Mapping[str, str]:
    return {}


def prefetch(opened: Iterable[Opened], touched: frozenset[str] | None) -> None:
    """Have at hand what will be read of commits in a mirror, fetched at once."""
    for one in opened:
        if isinstance(one.tree, GitTree) and one.tree.repo.remote is not None:
            one.tree.prefetch(None if touched is None else sorted(touched))


def _blob_id(tree: Tree, path: str, length: int) -> str | None:
    """What git would call the content of a file; None for no file, or one that is refused."""
    try:
        data = tree.read(path) if tree.has(path) else None
    except SnippetlockError:
        return None
    if data is None:
        return None
    made = hashlib.new("sha1" if length == 40 else "sha256", usedforsecurity=False)
    made.update(b"blob %d\0" % len(data) + data)
    return made.hexdigest()
