"""The pages that somebody names beside a repository: from the disk, or from the same commit where it is bare."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from snippetlock.errors import ConfigError, UsageError, nearest
from snippetlock.model import Finding, Place, Tree
from snippetlock.records import dataclass
from snippetlock.workflow.files import SUFFIXES, leads, walk
from snippetlock.workflow.pages import Page, read, undecodable

__all__ = ["Gathered", "Shelf", "gather"]

OTHERS = (".rst", ".mdx", ".ipynb", ".adoc")
"""Pages in other forms than Markdown: they are counted, and not read."""
_USUAL = ("README.md", "docs", "doc", "documentation")


@dataclass(frozen=True, slots=True, kw_only=True)
class Shelf:
    """Where pages are looked for: `here` is the folder that the command runs in.

    `folder` is the repository's work tree, or the plain folder, None where there is none; then `tree`, all files of
    the commit, has its pages.
    """

    here: Path
    folder: Path | None
    tree: Tree | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathered:
    """Pages by path; findings about those that cannot be read; how many files of other forms were passed over."""

    pages: tuple[Page, ...]
    findings: tuple[Finding, ...]
    passed: Mapping[str, int]


def gather(shelf: Shelf, named: Sequence[str]) -> Gathered:
    """Every page below what is named, each once. Raises `UsageError` where that is nothing, or holds no page."""
    pages: dict[str, Page] = {}
    findings: list[Finding] = []
    passed: dict[str, int] = {}
    for name in named or _usual(shelf):
        place = _on_disk(shelf, name)
        every = _of_tree(shelf, name) if place is None else _of_folder(shelf, place, passed)
        for each in every:
            if isinstance(each, Finding):
                findings.append(each)
            else:
                pages[each.path] = each
        if place is None and shelf.tree is not None:
            for path in shelf.tree.paths():
                _pass(passed, path if _below(path, name) else "")
    if not pages and not findings:
        raise _none(named or _usual(shelf), passed)
    return Gathered(pages=tuple(pages.values()), findings=tuple(dict.fromkeys(findings)), passed=passed)


def _usual(shelf: Shelf) -> tuple[str, ...]:
    if shelf.folder is not None:
        found = tuple(str(shelf.folder / name) for name in _USUAL if os.path.exists(shelf.folder / name))
    else:
        paths = shelf.tree.paths() if shelf.tree else ()
        found = tuple(name for name in _USUAL if any(_below(path, name) for path in paths))
    if not found:
        what = f"no pages are named, and there is none of {', '.join(_USUAL)}"
        raise UsageError(what, mend="name the folder or the pages after the options")
    return found


def _on_disk(shelf: Shelf, name: str) -> Path | None:
    """What is meant on the disk, the repository's own first; None for what is in the commit.

    Raises `UsageError` for what is nowhere.
    """
    written = name in (".", "..") or name.startswith(("./", "../", "/", "~"))
    if not written and shelf.folder is not None and os.path.exists(shelf.folder / name):
        return shelf.folder / name
    if not written and shelf.tree is not None and any(_below(path, name) for path in shelf.tree.paths()):
        return None
    if os.path.exists(shelf.here / name):
        return shelf.here / name
    raise _missing(shelf, name)


def _missing(shelf: Shelf, name: str) -> UsageError:
    pool = shelf.tree.paths() if shelf.tree is not None else _entries(shelf.folder)
    near = nearest(name.strip("/"), {part for path in pool for part in (path, path.partition("/")[0])})
    where = "in the repository and here" if shelf.folder is not None or shelf.tree is not None else "here"
    mend = f"did you mean {' or '.join(map(repr, near))}?" if near else "name a folder of Markdown pages, or a page"
    return UsageError(f"there is no {name!r}", evidence=(f"looked {where}",), mend=mend)


def _entries(folder: Path | None) -> tuple[str, ...]:
    try:
        return tuple(sorted(os.listdir(folder))) if folder is not None else ()
    except OSError:
        return ()


def _below(path: str, name: str) -> bool:
    plain = name.strip("/")
    return path == plain or path.startswith(f"{plain}/")


def _of_folder(shelf: Shelf, place: Path, passed: dict[str, int]) -> Iterator[Page | Finding]:
    if not os.path.isdir(place):
        if not place.name.lower().endswith(SUFFIXES):
            raise UsageError(f"{place.name} is no Markdown page", mend=f"name one that ends in {', '.join(SUFFIXES)}")
        yield _read(shelf, place.parent, place.name)
        return
    for name, outside in _walked(place):
        if outside:
            message = "a link that leads out of the folder of the pages, or nowhere"
            where = Place(path=_shown(shelf, place / name))
            yield Finding(rule="SL502", place=where, message=message, evidence=(leads(place / name),))
        else:
            yield _read(shelf, place, name)
    for _, folders, files in os.walk(place):
        folders[:] = [each for each in folders if not each.startswith(".")]
        for each in files:
            _pass(passed, each)


def _walked(place: Path) -> tuple[tuple[str, bool], ...]:
    try:
        return walk(place)
    except OSError as error:
        what = f"a folder of the pages cannot be read: {error.strerror}"
        raise ConfigError(what, path=str(error.filename or place), mend="mend its permissions") from error


def _read(shelf: Shelf, folder: Path, name: str) -> Page | Finding:
    path = _shown(shelf, folder / name)
    try:
        return read(folder, name, path, ("en",))
    except UnicodeDecodeError as error:
        return undecodable(path, error)


def _of_tree(shelf: Shelf, name: str) -> Iterator[Page | Finding]:
    assert shelf.tree is not None
    for path in shelf.tree.paths():
        if _below(path, name) and path.lower().endswith(SUFFIXES):
            try:
                text = shelf.tree.read(path).decode("utf-8-sig")
            except UnicodeDecodeError as error:
                yield undecodable(path, error)
            else:
                yield Page(path=path, name=path, language="en", text=text)


def _shown(shelf: Shelf, path: Path) -> str:
    """What a page is called: from the top of the repository, else from here, else as it is."""
    whole = Path(os.path.normpath(path))
    for base in (shelf.folder, shelf.here):
        if base is not None and whole.is_relative_to(os.path.normpath(base)):
            return whole.relative_to(os.path.normpath(base)).as_posix()
    return str(path)


def _pass(passed: dict[str, int], name: str) -> None:
    for ending in OTHERS:
        if name.lower().endswith(ending):
            passed[ending] = passed.get(ending, 0) + 1


def _none(named: Sequence[str], passed: Mapping[str, int]) -> UsageError:
    listed = tuple(f"{count} {ending} files are there, which are not read" for ending, count in passed.items())
    what = f"there is no Markdown page in {', '.join(map(repr, named))}"
    return UsageError(what, evidence=listed, mend="name a folder of Markdown pages, or a page")
