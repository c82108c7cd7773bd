"""Check, or say again what the last check said: a report is kept with the digest of everything it came from.

The report is replayed only when all of these are as they were: every byte of `pyproject.toml`, the pin, the
lock, the files beside the definitions and the pages; which pages and which files beside the definitions there
are; the bytes of the wheel, or of each file of a folder that was consulted (and that each which had to be absent
still is); and this tool. A check that could not consult what it wanted in a folder is not kept: nothing
would say what has to change for it to succeed.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from snippetlock.model import Finding, Place, Report
from snippetlock.workflow.cache import Cache, tool_stamp
from snippetlock.workflow.files import walk

if TYPE_CHECKING:
    from snippetlock.workflow.project import Project


def checked(root: Path, cache: Path) -> Report:
    """The report of `check` on the project in `root`. Raises what `check` raises, which is never kept."""
    kept = Cache(cache)
    key = sha256(f"{tool_stamp()}\n{root}".encode("utf-8", "surrogateescape")).hexdigest()
    last = kept.get("reports", key)
    if last is not None and _inputs(last["where"]) == last["inputs"] and _tree(last["tree"]):
        return _loaded(last["report"])

    from snippetlock.workflow.checks import check
    from snippetlock.workflow.project import open_project

    project = open_project(root, cache)
    where = _where(project)
    before = _inputs(where)
    report = check(project)
    tree = _consulted(project)
    # What changed while we looked may have been seen before or after its change: then nothing is kept.
    if tree is not None and before is not None and _inputs(where) == before:
        kept.put("reports", key, {"where": where, "inputs": before, "tree": tree, "report": _dumped(report)})
    return report


def _where(project: Project) -> dict[str, Any]:
    """What to look at: single files, the folder of definitions, the folder of pages."""
    config = project.config
    files = [config.root / "pyproject.toml", config.pin, config.lock]
    return {"files": [str(file) for file in files], "snippets": str(config.snippets), "pages": str(config.docs)}


def _inputs(where: Mapping[str, Any]) -> Any:
    """Digests of all of it, as JSON gives them back; None when it cannot be read."""
    docs, snippets = Path(where["pages"]), where["snippets"]
    try:
        pages = [[name, outside, None if outside else _digest(docs / name)] for name, outside in walk(docs)]
        beside = sorted(entry.path for entry in os.scandir(snippets) if entry.name[0] != "." and not entry.is_dir())
        return [pages, [[path, _digest(path)] for path in (*where["files"], *beside)]]
    except OSError:
        return None


def _digest(path: str | Path) -> str | None:
    try:
        with open(path, "rb") as file:
            return sha256(file.read()).hexdigest()
    except FileNotFoundError:
        return None


def _consulted(project: Project) -> Any:
    """The state of the library that the report speaks of; None when a folder was not read far enough to say."""
    if project.pin.kind == "wheel":
        from snippetlock.source import pinned_wheel

        return {"wheel": str(pinned_wheel(project.pin, project.cache)), "sha256": project.pin.sha256}
    if project.cutter.failed:
        return None
    return {"folder": project.cutter.place, "files": project.cutter.digests}


def _tree(state: Mapping[str, Any]) -> bool:
    """Whether the library is in that state."""
    if "wheel" in state:
        return _digest(state["wheel"]) == state["sha256"]
    from snippetlock.errors import SnippetlockError
    from snippetlock.source import FolderTree
    from snippetlock.workflow.cut import tree_digest

    try:
        tree = FolderTree(Path(state["folder"]))
        return all(tree_digest(tree, path) == digest for path, digest in state["files"].items())
    except SnippetlockError:
        return False


def _dumped(report: Report) -> dict[str, Any]:
    findings = [
        [f.rule, _place(f.place), f.message, f.evidence, f.mend, f.snippet, [_place(use) for use in f.uses]]
        for f in report.findings
    ]
    return {"findings": findings, "counts": dict(report.counts)}


def _loaded(kept: Mapping[str, Any]) -> Report:
    findings = tuple(
        Finding(
            rule=rule,
            place=Place(path=place[0], line=place[1], column=place[2], pinned=place[3]),
            message=message,
            evidence=tuple(evidence),
            mend=mend,
            snippet=snippet,
            uses=tuple(
                Place(path=path, line=line, column=column, pinned=pinned) for path, line, column, pinned in uses
            ),
        )
        for rule, place, message, evidence, mend, snippet, uses in kept["findings"]
    )
    return Report(findings=findings, counts=kept["counts"])


def _place(place: Place) -> list[Any]:
    return [place.path, place.line, place.column, place.pinned]
