"""The pin of a project that begins: of a folder, of a release, or of a commit of the library's repository.

Each is worked out whole, with the text of its file; nothing is written here but what is fetched into the cache.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Mapping
from pathlib import Path

from snippetlock.config.pin import parse_pin
from snippetlock.errors import RepositoryError, UsageError
from snippetlock.model import Pin, Progress
from snippetlock.reading import read_file
from snippetlock.records import dataclass, field
from snippetlock.source import GitTree, Repo, fetch, open_repo, reach, resolve
from snippetlock.source.git import hidden
from snippetlock.source.mirror import OR_COPY
from snippetlock.source.repository import branch, is_url
from snippetlock.workflow.layout import called, layout_of, outside, plain_name

__all__ = ["PIN", "Library", "pin_of"]

PIN = "pin.yaml"
_RIGHTS = "mend the folder's permissions"
_WORDS = frozenset(("null", "true", "false", "yes", "no", "on", "off", "y", "n"))  # no text to some readers of YAML


@dataclass(frozen=True, slots=True, kw_only=True)
class Library:
    """Which library a project is to quote from, as the command line says it: one of `folder`, `wheel` and `git`.

    `rev`, `package` and `root` go with `git`: a revision of the repository, the package, the folder that holds it.
    """

    folder: str | None = None
    wheel: str | None = None
    git: str | None = None
    rev: str | None = None
    package: str | None = None
    root: str | None = None
    environ: Mapping[str, str] | None = field(default=None, repr=False)
    progress: Progress | None = field(default=None, repr=False)


def pin_of(asked: Library, project: Path, cache: Path) -> tuple[Pin, str]:
    """The pin, and the text of its file. Raises a `SnippetlockError` where there can be none."""
    for option, value in (("rev", asked.rev), ("package", asked.package), ("root", asked.root)):
        if value is not None and asked.git is None:
            raise UsageError(f"--{option} goes with --git alone", mend="name the repository: --git URL")
    if asked.git is not None:
        return _of_commit(asked, project, cache)
    if asked.folder is not None:
        return _of_folder(project, asked.folder)
    return _of_wheel(asked, cache)


def _of_folder(project: Path, folder: str) -> tuple[Pin, str]:
    """A pin of the folder that holds the packages: the one named, or its `src`."""
    places = (folder, os.path.join(folder, "src"))
    held = [(place, *_packages(project / place, tests)) for tests in (False, True) for place in places]
    found = sorted((each for each in held if each[1]), key=lambda each: not each[2])  # the one called like the project
    mend = "name the folder that holds the library's packages"
    if not found and os.path.isfile(project / folder / "__init__.py"):
        above = os.path.normpath(os.path.join(folder, "..")).replace(os.sep, "/")
        raise UsageError(f"the folder {folder} is a package itself", mend=f"{mend}: {above}")
    if not found:
        what = "has no Python package or module in it" if (project / folder).is_dir() else "does not exist"
        raise UsageError(f"the folder {folder} {what}", mend=mend)
    chosen, names, _ = found[0]
    shown = chosen.replace(os.sep, "/").rstrip("/") or "."
    head = "# Which state of the library the docs speak of: a folder, read as it is.\n"
    text = f"{head}name: {_quoted(names[0])}\nfolder: {_quoted(shown)}\n"
    return Pin(name=names[0], version="", kind="folder", folder=shown, place=PIN), text


def _packages(folder: Path, tests: bool) -> tuple[list[str], bool]:
    """The packages in a folder, else the modules: the one that its project is called like first, and whether one is.

    What looks like tests or examples is left out, unless they are asked for: a library may be called so.
    """
    if not folder.is_dir():
        return [], False
    try:
        entries = [e for e in sorted(folder.iterdir()) if not e.name.startswith((".", "_"))]
    except OSError as error:
        raise UsageError(f"the folder {folder.name} cannot be read: {error.strerror}", mend=_RIGHTS) from error
    found = [e.name for e in entries if os.path.isfile(e / "__init__.py") and (tests or not outside(e.name))] or [
        e.stem for e in entries if e.suffix == ".py" and e.stem.isidentifier() and e.stem not in ("setup", "conftest")
    ]
    names: Collection[str] = ()
    for place in (folder, folder.resolve().parent) if found else ():
        names = names or called(lambda file, place=place: _data(place / file))[0]  # type: ignore[misc]
    found.sort(key=lambda name: plain_name(name) not in names)
    return found, bool(found) and plain_name(found[0]) in names


def _data(path: Path) -> bytes | None:
    try:
        return read_file(path)
    except OSError:
        return None


def _of_wheel(asked: Library, cache: Path) -> tuple[Pin, str]:
    """A pin of the release, fetched to learn its file and digest."""
    name, _, version = (asked.wheel or "").partition("==")
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", name) or not re.fullmatch(
        r"[A-Za-z0-9][A-Za-z0-9.!+_-]*", version
    ):
        raise UsageError(f"{asked.wheel!r} is not NAME==VERSION", mend="write one like tileops==0.1.0")
    pin = resolve(name, version, cache, asked.progress, asked.environ)
    text = (
        "# Which state of the library the docs speak of: a release, fetched by its digest.\n"
        f"name: {_quoted(pin.name)}\nversion: {_quoted(pin.version)}\n"
        f"wheel:\n  file: {pin.file}\n  sha256: {pin.sha256}\n"
    )
    return pin, text


def _of_commit(asked: Library, project: Path, cache: Path) -> tuple[Pin, str]:
    """A pin of the commit that a revision of the library's repository is now, with all its files at hand."""
    url = _address(asked.git or "", project)
    try:
        with open_repo(url, cache, asked.progress, base=project, environ=asked.environ) as repo:
            text = _text(asked, url, repo)
        pin = parse_pin(text, PIN)  # what is written is what will be read, or is refused now
        fetch(pin, cache, asked.progress, asked.environ, project)
    except RepositoryError as error:
        error.mend = error.mend.removesuffix(OR_COPY)
        raise
    return pin, text


def _text(asked: Library, url: str, repo: Repo) -> str:
    commit = reach(repo, asked.rev or "HEAD")
    files = GitTree(repo, commit.id)
    layout = layout_of(
        files.paths(),
        lambda path: files.read(path) if files.has(path) else None,
        package=asked.package or "",
        root=asked.root,
    )
    main = branch(repo)
    rows = [
        "# Which state of the library the docs speak of: a commit of its repository.",
        f"name: {_quoted(layout.packages[0])}",
        f"git:\n  commit: {commit.id}",
        f"repository:\n  url: {_quoted(url)}",
        *([f"  branch: {_quoted(main)}"] if main not in ("", "main") else []),
        *([f"  root: {_quoted(layout.root)}"] if layout.root else []),
    ]
    return "".join(f"{row}\n" for row in rows)


def _address(where: str, project: Path) -> str:
    """The repository as the pin names it: a URL, or a path from the project's folder that is seen to be one."""
    if hidden(where) != where:
        mend = "leave name and password out, and let git find them (a credential helper)"
        raise UsageError(f"{hidden(where)} has a name or a password in it, which the pin would show", mend=mend)
    if is_url(where):
        return where
    place, own = os.path.realpath(project / where), os.path.realpath(project)
    if not os.path.exists(place):
        mend = "write the address whole, like https://github.com/OWNER/NAME, or the path of a repository here"
        raise UsageError(f"--git {where}: it is no URL, and there is no such folder", mend=mend)
    if os.path.commonpath([place, own]) == place:
        mend = f"quote from the checkout, `snippetlock init --folder {where}`, or name the repository by its URL"
        raise UsageError(f"--git {where}: this project lies in it, and its commits would be its own pin", mend=mend)
    return where if where.startswith(("/", "./", "../")) else f"./{where}"


def _quoted(text: str) -> str:
    """A version like 1.0 is a number to YAML: quoted, unless it could be nothing but text."""
    plain = re.fullmatch(r"[A-Za-z_][\w./-]*|\d+\.\d+\.\d+|(?:https|ssh)://[\w./@-]+", text)
    return text if plain and text.lower() not in _WORDS else '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
