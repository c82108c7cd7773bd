"""The files of the newer state that do not parse somewhere: what is read there all the same may have a copy there."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from snippetlock.changes import Change, State
from snippetlock.errors import LISTED
from snippetlock.model import Tree
from snippetlock.moves import SCORE
from snippetlock.report.text import quantity
from snippetlock.select.sound import fault

__all__ = ["noted", "unread"]

_AS_IT_WAS = ("same", "moved")


def unread(changes: Iterable[Change], old: Tree, tree: Tree, touched: Collection[str]) -> dict[str, str]:
    """What is wrong with the files that snippets are in now or were in, by path.

    The grammar is asked of those where a snippet was looked for, and nothing is sure to be it: of one that was found
    it was asked when it was cut. Each file is read once, when all of its snippets were.
    """
    asked: dict[str, bool] = {}
    for change in changes:
        sought = change.cls in ("renamed", "removed") and not any(one.score >= SCORE for one in change.candidates)
        for path in {span.path for span in (change.old, change.new) if span and tree.has(span.path)}:
            if sought or change.cls not in _AS_IT_WAS or path in touched:
                asked[path] = asked.get(path, False) or (sought and (not touched or path in touched))
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
