"""The state of a folder that git looks after: a pinned one can change under us, and in that of the docs somebody may
be at work.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from snippetlock.errors import RepositoryError
from snippetlock.records import dataclass
from snippetlock.source.git import last_words, output, reaching


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderState:
    """What git says of a folder. `commit` and `branch` are None where there is none, also for a detached HEAD.

    `paths` are the files below the folder that are not as committed, new ones too, relative to it and sorted.
    `problem` says why git could not tell; it is empty for a folder that no repository holds.
    """

    commit: str | None = None
    branch: str | None = None
    paths: tuple[str, ...] = ()
    problem: str = ""

    @property
    def dirty(self) -> bool:
        """Whether the folder differs from its commit."""
        return bool(self.paths)

    @property
    def said(self) -> str:
        """In a few words; empty for a folder that no repository holds."""
        if self.problem:
            return "git does not say in which state"
        if self.commit is None:
            return "nothing committed yet" if self.branch else ""
        return f"at {self.commit[:10]}" + (", with uncommitted changes" if self.dirty else "")


def folder_state(folder: Path, environ: Mapping[str, str] | None = None) -> FolderState:
    """Ask git about a folder. Changes nothing there, and raises nothing for what git refuses: see `problem`.

    `environ` is what git is to see of ours; the user's own settings say which owners are trusted, and how files
    are compared (`core.autocrlf`, Git LFS). A folder below a work tree of which git keeps nothing, one that is
    ignored for instance, is held by no repository.
    """
    try:
        lines, top, problem = _status(folder, environ, ".")
        if lines is None:
            return FolderState(problem=problem)
        if top and not output(folder, _settings(environ), "ls-files", "-z", "--", ".")[1]:
            return FolderState()
    except RepositoryError as error:  # no git here
        return FolderState(problem=error.what)
    heads = dict(line[2:].split(" ", 1) for line in lines if line.startswith("# "))
    commit, branch = heads.get("branch.oid"), heads.get("branch.head")
    return FolderState(
        commit=None if commit == "(initial)" else commit,
        branch=None if branch == "(detached)" else branch,
        paths=tuple(sorted(path.removeprefix(top) for path in _paths(lines))),
    )


def uncommitted(root: Path, paths: Iterable[Path], environ: Mapping[str, str] | None = None) -> tuple[str, ...]:
    """Which of these files of a docs project are not as they were committed, new ones too: from `root`, sorted.

    `paths` are absolute or count from `root`; what lies elsewhere, and what git ignores, is nobody's change. Empty
    where no repository holds the folder, and where there is no git. Raises `RepositoryError` when git refuses to say.
    """
    inside = [os.path.relpath(root / path, root) for path in paths]
    names = sorted({name for name in inside if name.split(os.sep)[0] != ".."})
    if not names:
        return ()
    try:
        lines, top, problem = _status(root, environ, *names)
    except RepositoryError:  # no git here, so nobody commits here either
        return ()
    if problem:
        mend = "let git answer for this folder (`git status` says what it wants)"
        raise RepositoryError("git does not say what is committed here", evidence=(problem,), mend=mend)
    return tuple(sorted(path.removeprefix(top) for path in _paths(lines or [])))


def _settings(environ: Mapping[str, str] | None) -> dict[str, str]:
    return {**reaching(environ), "GIT_ALLOW_PROTOCOL": "none", "GIT_LITERAL_PATHSPECS": "1"}


def _status(folder: Path, environ: Mapping[str, str] | None, *paths: str) -> tuple[list[str] | None, str, str]:
    """What git says of these paths, in porcelain v2, and the folder as seen from the top of its work tree.

    None where it says nothing: then the last is why, or empty for a folder that no repository holds.
    """
    settings = _settings(environ)
    options = ("--porcelain=v2", "--branch", "-z", "--untracked-files=all", "--no-renames", "--ignore-submodules=none")
    code, listed, said = output(folder, settings, "status", *options, "--", *paths)
    if code:
        absent = "not a git repository" in said or "must be run in a work tree" in said
        return None, "", "" if absent else "; ".join(last_words(said)) or "git status failed"
    prefix = output(folder, settings, "rev-parse", "--show-prefix")[1]
    lines = listed.decode("utf-8", "surrogateescape").split("\0")
    return lines, prefix.decode("utf-8", "surrogateescape").strip("\n"), ""


def _paths(lines: list[str]) -> Iterator[str]:
    """The paths of porcelain v2, counted from the top of the work tree."""
    for line in lines:
        kind, _, rest = line.partition(" ")
        if kind == "?":
            yield rest
        elif kind in ("1", "u"):
            yield rest.split(" ", 7 if kind == "1" else 9)[-1]
