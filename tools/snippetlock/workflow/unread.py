"""The files of the newer state that do not parse somewhere: what is read there all the same may have a copy there."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from snippetlock.changes import Change, State
from snippetlock.errors import LISTED
from snippetlock.model import Tree
from snippetlock.report.text import quantity
from snippetlock.select.sound import fault

__all__ = ["noted", "unread"]

_AS_IT_WAS = ("same", "moved")


def unread(change: Change, old: Tree, tree: Tree, touched: Collection[str]) -> dict[str, str]:
    """What is wrong with the file that a snippet is in now, by its path; of one that says the same less is asked."""
    path = change.new.path if change.new else ""
    whole = change.cls not in _AS_IT_WAS
    error = fault(tree, path, whole=whole, before=old) if whole or path in touched else None
    return {path: error.headline} if error else {}


def noted(found: Mapping[str, str], state: State) -> str:
    """One line on files that do not parse, with what is wrong with each; empty for none."""
    if not found:
        return ""
    said = "; ".join(found[path] for path in sorted(found)[:LISTED])
    more = f"; and {len(found) - LISTED} more" if len(found) > LISTED else ""
    verb = "does" if len(found) == 1 else "do"
    files = quantity(len(found), "files")
    return f"{files} of {state.label} {verb} not parse, and what else is there may be missed: {said}{more}"
