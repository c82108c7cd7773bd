"""What a commit made of a snippet that it took away, and what one was before that is there for the first time.

Reads sources. Every outcome is data, but for a repository that cannot be read: `RepositoryError`.
"""

from __future__ import annotations

from collections.abc import Iterable

from snippetlock.changes import Change, ChangeClass
from snippetlock.drift import Search, compare, narrowed, origin
from snippetlock.errors import RepositoryError, SnippetlockError
from snippetlock.history.following import There
from snippetlock.history.snapshot import Snapshot
from snippetlock.model import Definition, Tree
from snippetlock.select import find

__all__ = ["came", "gone"]

_LITTLE = 4  # files that a commit changed; to ask likeness of so few costs no more than to choose among them


def gone(definition: Definition, there: There) -> tuple[ChangeClass, str]:
    """What became of it, and the selector of what it is now, empty where it is nothing.

    What was moved as it was is found by its name, before likeness is asked.
    """
    search = _search(there)
    try:
        near = narrowed(search, find(there.before, definition.selector))
    except RepositoryError:
        raise
    except SnippetlockError:
        return "unreadable", ""
    change = _compared(definition, there.before, there.after, near)
    if change is None or change.cls != "moved":
        change = _compared(definition, there.before, there.after, search)
    if change is None:
        return "unreadable", ""
    follows = change.cls in ("renamed", "moved") and change.candidates
    return change.cls, change.candidates[0].selector if follows else ""


def came(definition: Definition, there: There) -> tuple[ChangeClass, str]:
    """What the commit did to what it was before, and the selector of that: as if time ran back. Empty for nothing."""
    search = _search(there).back()
    if len(search.changed) > _LITTLE:
        search = narrowed(search, find(there.after, definition.selector))
    change = _compared(definition, there.after, there.before, search) if search.changed else None
    was = origin(definition, change, there.before, there.after) if change else ""
    return change.cls if change and was else "removed", was


def _compared(definition: Definition, before: Snapshot, after: Snapshot, search: Search) -> Change | None:
    try:
        return compare(definition, before, after, search=search)
    except RepositoryError:
        raise
    except SnippetlockError:
        return None


def _search(there: There) -> Search:
    """From the state before to the one after; one for all snippets."""
    if there.search is None:
        there.search = Search(there.before, there.after, there.changed, there.renames, _ahead)
    return there.search


def _ahead(tree: Tree, paths: Iterable[str]) -> None:
    if isinstance(tree, Snapshot):
        tree.ahead(paths)
