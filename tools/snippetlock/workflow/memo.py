"""Check, or say again what the last check said: its words are kept with the digest of everything they came from.

They are said again only when all of these are as they were: every byte of `pyproject.toml` (and that no nearer
folder has one), of the pin, the lock, the journal of a change, the files beside the definitions, the examples and the
recorded runs, and the pages
(and where a page that is a link leads) and the drawings that they show;
which pages and which files and folders beside the definitions, or definitions below them, there are; the bytes of
the wheel, or that the pinned commit is at hand with all its files, or which folder the pin leads to and the bytes
of each file of it that was consulted (and that each which had to be absent still is), all of its files where the
prose is held; and this tool. A check that
could not consult what it wanted in a folder, or saw one file in two states, is not kept: nothing would say what it
was of. Neither is one that looked in vain for an earlier state of a page: the next commit may have it.

Imports as little as it can: a warm check is this module and the digests, and takes as long as they do.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path

from snippetlock.config.strays import beneath, strays
from snippetlock.reading import read_file
from snippetlock.workflow.cache import Cache, tool_stamp
from snippetlock.workflow.files import walk

TYPE_CHECKING = False  # as `typing` has it, which costs 3 ms
if TYPE_CHECKING:
    from typing import Any

    from snippetlock.model import Report
    from snippetlock.workflow.project import Project


class Outcome:
    """What a check ends with: its exit code, and its words by form: `text`, `color`, `json`, `github`, or another."""

    def __init__(self, exit: int, said: Mapping[str, str]) -> None:
        self.exit = exit
        self.said = said


def checked(start: Path, cache: Path, jobs: int | None = 1, form: str = "text") -> Outcome:
    """Check the project that `start` (absolute, links resolved) is in. Raises what `check` does; that is not kept.

    `jobs` is how many processes may work; None is one for each core. Of the forms that few ask for, only `form` is
    among its words, and those are not kept.
    """
    kept = Cache(cache)
    key = sha256(f"{tool_stamp()}\n{start}".encode("utf-8", "surrogateescape")).hexdigest()
    last = kept.get("reports", key)
    last = last if last is not None and form in last["said"] else None
    if last is not None and _inputs(last["where"]) == last["inputs"] and _library(last["library"]):
        return Outcome(last["exit"], last["said"])

    from snippetlock.config import find_root
    from snippetlock.workflow.checks import check
    from snippetlock.workflow.project import open_project

    early = _configurations(start)
    project = open_project(find_root(start), cache)
    project.jobs = jobs
    where = _where(project, start)
    before = _inputs(where)
    where["figures"] = _figures(project)  # which takes the pages: they are to be read after that look
    drawn = _pictures(where["figures"])
    report = check(project)
    outcome = Outcome(int(report.exit), _said(report))
    library = _consulted(project)
    # What changed while we looked may have been seen before or after its change: then nothing is kept. The
    # configuration was read before it could say what else to look at, so it is held against a still earlier look.
    settled = before is not None and before["configured"] == early[: len(before["configured"])]
    same = before is not None and _inputs(where) == {**before, "figures": drawn}
    if library is not None and settled and project.lasting and same:
        last = {"where": where, "inputs": before, "library": library, "exit": outcome.exit, "said": outcome.said}
        kept.put("reports", key, last)
    return outcome if form in outcome.said else Outcome(outcome.exit, {**outcome.said, form: _further(report, form)})


def _further(report: Report, form: str) -> str:
    from snippetlock.report import written

    return written("findings", form, report, color=False)


def _said(report: Report) -> dict[str, str]:
    from snippetlock.report import format_github, format_json, format_text

    return {
        "text": format_text(report),
        "color": format_text(report, color=True),
        "json": format_json(report),
        "github": format_github(report),
    }


def _configurations(start: Path) -> list[list[str | None]]:
    """The digest of every `pyproject.toml` at or above a folder, the nearest first, as far as they can be read."""
    found: list[list[str | None]] = []
    for folder in (start, *start.parents):
        file = str(folder / "pyproject.toml")
        try:
            found.append([file, _digest(file)])
        except OSError:
            found.append([file, "unreadable"])
    return found


def _where(project: Project, start: Path) -> dict[str, Any]:
    """What to look at: the configuration and all nearer, single files, the folders of definitions and of pages."""
    config = project.config
    folders = [start, *start.parents]
    nearer = [str(folder / "pyproject.toml") for folder in folders[: folders.index(config.root) + 1]]
    files = [str(config.pin), str(config.lock), str(config.journal)]
    return {
        "configured": nearer,
        "files": files,
        "figures": [],
        "snippets": str(config.snippets),
        "pages": str(config.docs),
    }


def _figures(project: Project) -> list[str]:
    """The drawings that the pages show."""
    from snippetlock.errors import SnippetlockError
    from snippetlock.workflow.figures import figure_files

    try:
        return list(figure_files(project))
    except SnippetlockError:
        return []  # the check says so


def _inputs(where: Mapping[str, Any]) -> Any:
    """Digests of all of it, as JSON gives them back; None when it cannot be read."""
    docs, snippets = Path(where["pages"]), where["snippets"]
    try:
        found = walk(docs)
        pages = [[name, out, None if out else _digest(docs / name), _link(docs / name)] for name, out in found]
        beside = sorted((entry.path, entry.is_dir()) for entry in os.scandir(snippets) if entry.name[0] != ".")
        return {
            "configured": [[path, _digest(path)] for path in where["configured"]],
            "pages": pages,
            "files": [[path, _digest(path)] for path in where["files"]],
            "figures": _pictures(where["figures"]),
            "beside": [[path, "folder" if folder else _digest(path)] for path, folder in beside],
            "strays": list(strays(snippets)),
            "beneath": [[path, _digest(os.path.join(snippets, path))] for path in beneath(snippets)],
        }
    except OSError:
        return None


def _link(path: Path) -> str | None:
    """What a page leads to that is a link: a twin may be no second name of the page."""
    return os.readlink(path) if os.path.islink(path) else None


def _digest(path: str | Path) -> str | None:
    try:
        return sha256(read_file(path)).hexdigest()
    except FileNotFoundError:
        return None


def _pictures(paths: Iterable[str]) -> list[list[str | None]]:
    """The digests of drawings, and where each leads: something else may have its place, or nothing."""
    return [[path, os.path.realpath(path), _digest(path) if os.path.isfile(path) else None] for path in paths]


def _consulted(project: Project) -> Any:
    """The state of the library that the report speaks of; None when a folder was not read far enough to say."""
    if project.pin.kind == "wheel":
        from snippetlock.source import pinned_wheel

        return {"wheel": str(pinned_wheel(project.pin, project.cache)), "sha256": project.pin.sha256}
    pin, root = project.pin, str(project.config.root)
    below = pin.repository.root if pin.repository else ""
    if pin.kind == "git":
        url = pin.repository.url if pin.repository else ""
        return {"commit": pin.commit, "url": url, "below": below, "root": root, "cache": str(project.cache)}
    if project.cutter.failed:
        return None
    place, files = project.cutter.place, project.cutter.digests
    files = {path: digest for path, digest in files.items() if not project.is_own(path)}  # among the inputs
    state = {"folder": pin.folder, "below": below, "root": root, "place": place, "files": files}
    if not project.config.references and not beneath(str(project.config.snippets)):
        return state  # neither prose nor examples ask the index
    from snippetlock.workflow.project import listing

    # The index was made somewhen in between: only what stayed as it was is what the report speaks of.
    return {**state, "listing": project.listing} if listing(project.tree) == project.listing else None


def _library(state: Mapping[str, Any]) -> bool:
    """Whether the library is in that state."""
    if "wheel" in state:
        return bool(_digest(state["wheel"]) == state["sha256"])
    from snippetlock.errors import SnippetlockError

    try:
        return _committed(state) if "commit" in state else _unchanged(state)
    except SnippetlockError:
        return False


def _committed(state: Mapping[str, Any]) -> bool:
    """What a commit holds never changes, but it can be gone: raises `PinError` then, as a check would."""
    from snippetlock.model import Pin, Repository
    from snippetlock.source.gitpin import pinned_tree

    repository = Repository(url=state["url"], root=state["below"], commit=state["commit"])
    pin = Pin(name="", version="", kind="git", commit=state["commit"], repository=repository)
    with pinned_tree(pin, Path(state["root"]), Path(state["cache"])):
        return True


def _unchanged(state: Mapping[str, Any]) -> bool:
    from snippetlock.index.build import listing_key
    from snippetlock.source.folder import FolderTree, packages_folder
    from snippetlock.workflow.cut import tree_digest

    place = packages_folder(Path(state["root"]) / state["folder"], state["below"])
    if str(place) != state["place"]:
        return False
    tree = FolderTree(place)
    if "listing" in state and listing_key(tree, tool_stamp()) != state["listing"]:
        return False
    return all(tree_digest(tree, path) == digest for path, digest in state["files"].items())
