"""The files of the newer state that do not parse somewhere: what is read there all the same may have a copy there."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from snippetlock.changes import Change, State
from snippetlock.errors import LISTED
from snippetlock.model import Tree
from snippetlock.report.text import quantity
from snippetlock.select.sound import fault

__all__ = ["noted", "unread"]

_AS_IT_WAS = ("same", "moved")


def unread(changes: Iterable[Change], old: Tree, tree: Tree, touched: Collection[str]) -> dict[str, str]:
    """What is wrong with the files that snippets are in now, by path; less is asked of one whose snippets say the same.

    Of what was selected in a file the grammar was asked then, so each file is read when all of its snippets were.
    """
    asked: dict[str, bool] = {}
    for change in changes:
        if change.new and (change.cls not in _AS_IT_WAS or change.new.path in touched):
            asked[change.new.path] = asked.get(change.new.path, False) or change.cls not in _AS_IT_WAS
    found = {path: fault(tree, path, whole=whole, before=old) for path, whole in asked.items()}
    return {path: error.headline for path, error in found.items() if error}


def noted(found: Mapping[str, str], state: State) -> str:
    """One line on files that do not parse, with what is wrong with each; empty for none."""
    if not found:
        return ""
    said = "; ".join(found[path] for path in sorted(found)[:LISTED])
    more = f"; and {len(found) - LISTED} more" if len(found) > LISTED else ""
    verb = "does" if len(found) == 1 else "do"
    files = quantity(len(found), "files")
    return f"{files} of {state.label} {verb} not parse, and what else is there may be missed: {said}{more}"
