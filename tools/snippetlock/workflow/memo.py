"""Check, or say again what the last check said: its words are kept with the digest of everything they came from.

They are said again only when all of these are as they were: every byte of `pyproject.toml` (and that no nearer
folder has one), of the pin, the lock, the files beside the definitions and the pages; which pages and which
files beside the definitions, or definitions below them, there are; the bytes of the wheel, or of each file of a
folder that was consulted (and that each which had to be absent still is); and this tool. A check that could not
consult what it wanted in a folder is not kept: nothing would say what has to change for it to succeed.

Imports as little as it can: a warm check is this module and the digests, and takes as long as they do.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

from snippetlock.config.strays import strays
from snippetlock.reading import read_file
from snippetlock.workflow.cache import Cache, tool_stamp
from snippetlock.workflow.files import walk

TYPE_CHECKING = False  # as `typing` has it, which costs 3 ms
if TYPE_CHECKING:
    from typing import Any

    from snippetlock.model import Report
    from snippetlock.workflow.project import Project


class Outcome:
    """What a check ends with: its exit code, and its words by form: `text`, `color`, `json`, `github`."""

    def __init__(self, exit: int, said: Mapping[str, str]) -> None:
        self.exit = exit
        self.said = said


def checked(start: Path, cache: Path) -> Outcome:
    """Check the project that `start` (absolute, links resolved) is in. Raises what `check` does; that is not kept."""
    kept = Cache(cache)
    key = sha256(f"{tool_stamp()}\n{start}".encode("utf-8", "surrogateescape")).hexdigest()
    last = kept.get("reports", key)
    if last is not None and _inputs(last["where"]) == last["inputs"] and _library(last["library"]):
        return Outcome(last["exit"], last["said"])

    from snippetlock.config import find_root
    from snippetlock.workflow.checks import check
    from snippetlock.workflow.project import open_project

    project = open_project(find_root(start), cache)
    where = _where(project, start)
    before = _inputs(where)
    report = check(project)
    outcome = Outcome(int(report.exit), _said(report))
    library = _consulted(project)
    # What changed while we looked may have been seen before or after its change: then nothing is kept.
    if library is not None and before is not None and _inputs(where) == before:
        last = {"where": where, "inputs": before, "library": library, "exit": outcome.exit, "said": outcome.said}
        kept.put("reports", key, last)
    return outcome


def _said(report: Report) -> dict[str, str]:
    from snippetlock.report import format_github, format_json, format_text

    return {
        "text": format_text(report),
        "color": format_text(report, color=True),
        "json": format_json(report),
        "github": format_github(report),
    }


def _where(project: Project, start: Path) -> dict[str, Any]:
    """What to look at: single files, the folder of definitions, the folder of pages."""
    config = project.config
    folders = [start, *start.parents]
    nearer = [folder / "pyproject.toml" for folder in folders[: folders.index(config.root) + 1]]
    files = [str(file) for file in (*nearer, config.pin, config.lock)]
    return {"files": files, "snippets": str(config.snippets), "pages": str(config.docs)}


def _inputs(where: Mapping[str, Any]) -> Any:
    """Digests of all of it, as JSON gives them back; None when it cannot be read."""
    docs, snippets = Path(where["pages"]), where["snippets"]
    try:
        pages = [[name, outside, None if outside else _digest(docs / name)] for name, outside in walk(docs)]
        beside = sorted(entry.path for entry in os.scandir(snippets) if entry.name[0] != "." and not entry.is_dir())
        files = [[path, _digest(path)] for path in (*where["files"], *beside)]
        return [pages, files, list(strays(snippets))]
    except OSError:
        return None


def _digest(path: str | Path) -> str | None:
    try:
        return sha256(read_file(path)).hexdigest()
    except FileNotFoundError:
        return None


def _consulted(project: Project) -> Any:
    """The state of the library that the report speaks of; None when a folder was not read far enough to say."""
    if project.pin.kind == "wheel":
        from snippetlock.source import pinned_wheel

        return {"wheel": str(pinned_wheel(project.pin, project.cache)), "sha256": project.pin.sha256}
    if project.pin.kind == "git":
        return {"commit": project.pin.commit}
    if project.cutter.failed:
        return None
    return {"folder": project.cutter.place, "files": project.cutter.digests}


def _library(state: Mapping[str, Any]) -> bool:
    """Whether the library is in that state."""
    if "wheel" in state:
        return bool(_digest(state["wheel"]) == state["sha256"])
    if "commit" in state:
        return True  # the pin file, which is among the inputs, names it, and what a commit holds never changes
    from snippetlock.errors import SnippetlockError
    from snippetlock.source import FolderTree
    from snippetlock.workflow.cut import tree_digest

    try:
        tree = FolderTree(Path(state["folder"]))
        return all(tree_digest(tree, path) == digest for path, digest in state["files"].items())
    except SnippetlockError:
        return False
