"""The state of a folder that git looks after: `snippetlock pin` shows it, for a folder can change under us."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

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


def folder_state(folder: Path, environ: Mapping[str, str] | None = None) -> FolderState:
    """Ask git about a folder. Changes nothing there, and raises nothing for what git refuses: see `problem`.

    `environ` is what git is to see of ours; the user's own settings say which owners are trusted, and how files
    are compared (`core.autocrlf`, Git LFS).
    """
    settings = {**reaching(environ), "GIT_ALLOW_PROTOCOL": "none"}
    options = ("--porcelain=v2", "--branch", "-z", "--untracked-files=all", "--no-renames", "--ignore-submodules=none")
    code, listed, said = output(folder, settings, "status", *options, "--", ".")
    if code:
        absent = "not a git repository" in said or "must be run in a work tree" in said
        return FolderState(problem="" if absent else "; ".join(last_words(said)))
    prefix = output(folder, settings, "rev-parse", "--show-prefix")[1]
    lines = listed.decode("utf-8", "surrogateescape").split("\0")
    heads = dict(line[2:].split(" ", 1) for line in lines if line.startswith("# "))
    commit, branch = heads.get("branch.oid"), heads.get("branch.head")
    top = prefix.decode("utf-8", "surrogateescape").strip("\n")
    return FolderState(
        commit=None if commit == "(initial)" else commit,
        branch=None if branch == "(detached)" else branch,
        paths=tuple(sorted(path.removeprefix(top) for path in _paths(lines))),
    )


def _paths(lines: list[str]) -> Iterator[str]:
    """The paths of porcelain v2, counted from the top of the work tree."""
    for line in lines:
        kind, _, rest = line.partition(" ")
        if kind == "?":
            yield rest
        elif kind in ("1", "u"):
            yield rest.split(" ", 7 if kind == "1" else 9)[-1]
