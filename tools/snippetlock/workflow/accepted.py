"""What was accepted, as text: the lock keeps digests, so the text comes from the cache or from the pin it names."""

from __future__ import annotations

from snippetlock.config import parse_selector
from snippetlock.errors import SnippetlockError
from snippetlock.lock import Entry
from snippetlock.model import Definition, Place, Tree
from snippetlock.records import replace
from snippetlock.report.changed import visible
from snippetlock.source import WheelTree, open_tree
from snippetlock.workflow.cut import Cutter
from snippetlock.workflow.project import Project

_MOST = 80  # lines of evidence: enough to see what happened, not the whole of a rewritten file


def accepted_text(project: Project, entry: Entry) -> str | None:
    """The text that an entry accepted, or None where it cannot be had any more."""
    text = project.kept.text(entry.digests.text)
    return _cut_again(project, entry) if text is None else text


def difference(old: str | None, new: str, label: str) -> tuple[str, ...]:
    """A unified diff of the accepted text and the present one, a line each, without ends of line."""
    if old is None:
        return ("the accepted text is not at hand; this is what it shows now:", *_cropped(list(visible(new))))
    from difflib import unified_diff

    lines = unified_diff(visible(old), visible(new), "accepted", label, lineterm="", n=2)
    return _cropped(list(lines))


def _cropped(lines: list[str]) -> tuple[str, ...]:
    left_out = len(lines) - _MOST
    return (*lines[:_MOST], f"… {left_out} more lines") if left_out > 1 else tuple(lines)


def _cut_again(project: Project, entry: Entry) -> str | None:
    """Cut from what the lock was written for, where that is still in the cache."""
    here = Place(path=project.config.name(project.config.lock))
    try:
        tree = accepted_tree(project)
        if tree is None:
            return None
        selector = parse_selector(entry.selector)
        definition = Definition(id=entry.id, selector=selector, view=entry.view, place=here, places={})
        snippet = Cutter(tree, project.kept).cut(definition)
    except SnippetlockError:
        return None
    return snippet.text if snippet.digests.text == entry.digests.text else None


def accepted_tree(project: Project) -> Tree | None:
    """The wheel or the commit that the lock names, whatever is pinned now; a folder is gone once it changes.

    The lock says no repository, only the folder of it that was read: that of the pin is asked whether it has the
    commit. Raises `SnippetlockError`.
    """
    if project.lock is None:
        return None
    locked, repository = project.lock.pin, project.pin.repository
    if locked.kind == "git" and repository:
        root = locked.repository.root if locked.repository else ""
        pin = replace(locked, repository=replace(repository, commit=locked.commit, root=root))
        return open_tree(pin, project.config.root, project.cache)
    if locked.kind == "wheel":
        for wheel in sorted((project.cache / "wheels" / locked.sha256).glob("*.whl")):
            return WheelTree(wheel, locked.sha256)
    return None
