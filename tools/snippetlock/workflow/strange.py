"""A library that never saw this tool, opened: its packages, its index, its past, and where its pages are.

From a checkout or a bare repository the commit's files are read, never the work tree's; nothing is written there.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from snippetlock.errors import RepositoryError, UsageError
from snippetlock.index import Index, Store, open_index
from snippetlock.model import Progress, Tree
from snippetlock.records import dataclass, field
from snippetlock.source import Commit, FolderTree, GitTree, Repo
from snippetlock.source.repository import boundary, holding, local
from snippetlock.source.revisions import resolve
from snippetlock.source.subtree import Subtree
from snippetlock.workflow.gathering import Shelf
from snippetlock.workflow.layout import Layout, layout_of
from snippetlock.workflow.since import Past

__all__ = ["Asked", "Strange", "dated", "open_strange"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What the command line says. `path` and the pages count from `here`; `root` is None where nobody said."""

    here: Path
    path: str
    rev: str = ""
    package: str = ""
    root: str | None = None
    progress: Progress | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Strange:
    """A library to hold pages against. `past` is None for a plain folder; `chosen` says in one line what is read."""

    layout: Layout
    tree: Tree
    index: Index
    past: Past | None
    shelf: Shelf
    chosen: str
    notes: tuple[str, ...]


def open_strange(asked: Asked, store: Store, stamp: str) -> Strange:
    """Open what `--path` names. Raises `UsageError` and `RepositoryError`."""
    folder = Path(os.path.normpath(asked.here / asked.path))
    if not os.path.isdir(folder):
        what = "is no folder" if os.path.exists(folder) else "does not exist"
        raise UsageError(f"--path {asked.path}: it {what}", mend="name a checkout, a bare repository, or a folder")
    top = _top(folder)
    if top is None:
        return _plain(asked, folder, store, stamp)
    return _committed(asked, folder, top, store, stamp)


def dated(commit: Commit) -> str:
    """`2db29de6e2 (2026-03-01) its subject`."""
    day = datetime.fromtimestamp(commit.time, tz=UTC).date().isoformat()
    return f"{commit.short} ({day}) {commit.subject}".rstrip()


def _top(folder: Path) -> Path | None:
    """The top of the repository that a folder lies in."""
    try:
        return holding(Path(os.path.realpath(folder)))
    except RepositoryError:
        return None


def _plain(asked: Asked, folder: Path, store: Store, stamp: str) -> Strange:
    if asked.rev:
        mend = "leave --rev out, or name a repository"
        raise UsageError(f"--rev {asked.rev}: {asked.path} is no repository, so it has no revisions", mend=mend)
    whole = FolderTree(folder, where=asked.path)
    layout = _layout(asked, whole, "")
    tree = Subtree(FolderTree(folder / layout.root, where=asked.path), layout.packages)
    return Strange(
        layout=layout,
        tree=tree,
        index=open_index(tree, store, stamp),
        past=None,
        shelf=Shelf(here=asked.here, folder=folder),
        chosen=f"{_named(layout)} of the folder {asked.path}",
        notes=("it is no repository: only what needs no history is told",),
    )


def _committed(asked: Asked, folder: Path, top: Path, store: Store, stamp: str) -> Strange:
    repo = local(top)
    bare = repo.git_dir == top
    within = "" if bare else Path(os.path.realpath(folder)).relative_to(top).as_posix()
    within = "" if within == "." else within
    if bare and os.path.realpath(folder) != str(top):
        raise UsageError(f"--path {asked.path}: it is inside of a repository's own files", mend=f"name {top}")
    commit = resolve(repo, asked.rev or "HEAD")
    files = GitTree(repo, commit.id)
    layout = _layout(asked, files, within)
    past = Past(repo, commit, layout, store, stamp, asked.progress)
    tree = Subtree(GitTree(repo, commit.id, layout.root), layout.packages)
    shelf = Shelf(here=asked.here, folder=None if bare else folder, tree=files if bare else None)
    notes: tuple[str, ...] = ()
    if boundary(repo):
        notes = (f"{asked.path} is a shallow clone: what was before its oldest commits cannot be told{_deepen(repo)}",)
    return Strange(
        layout=layout,
        tree=tree,
        index=open_index(tree, store, stamp),
        past=past,
        shelf=shelf,
        chosen=f"{_named(layout)} at {asked.rev or 'HEAD'} {dated(commit)}",
        notes=notes,
    )


def _deepen(repo: Repo) -> str:
    place = repo.git_dir.parent if repo.git_dir.name == ".git" else repo.git_dir
    return f"; `git -C {place} fetch --unshallow` has the rest"


def _layout(asked: Asked, whole: Tree, within: str) -> Layout:
    """The packages below a folder of the repository, paths from its top."""
    prefix = f"{within}/" if within else ""
    paths = [path[len(prefix) :] for path in whole.paths() if path.startswith(prefix)]

    def read(path: str) -> bytes | None:
        return whole.read(prefix + path) if whole.has(prefix + path) else None

    found = layout_of(paths, read, package=asked.package, root=asked.root)
    root = "/".join(part for part in (within, found.root) if part)
    return Layout(root=root, packages=found.packages, why=found.why)


def _named(layout: Layout) -> str:
    noun = "packages" if len(layout.packages) > 1 else "package"
    where = f" in {layout.root}/" if layout.root else ""
    return f"{noun} {', '.join(layout.packages)}{where} ({layout.why})"


def passed_over(passed: Mapping[str, int]) -> tuple[str, ...]:
    """What is said of pages in other forms than Markdown."""
    return tuple(
        f"{count} {ending} {'file is' if count == 1 else 'files are'} not read: only Markdown is"
        for ending, count in sorted(passed.items())
    )
