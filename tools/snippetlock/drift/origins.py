"""What a snippet was before it had its name: the candidates of a comparison against time, but for those that stayed.

Where time runs back, a base class or a copy can be alike that is there now as before: nothing came from it.
"""

from __future__ import annotations

from snippetlock.changes import Change
from snippetlock.config import parse_selector
from snippetlock.drift.classes import classify
from snippetlock.errors import RepositoryError, SnippetlockError
from snippetlock.model import Definition, Tree
from snippetlock.records import replace
from snippetlock.render import Laid
from snippetlock.select import find

__all__ = ["origin"]


def origin(definition: Definition, back: Change, old: Tree, new: Tree) -> str:
    """The selector of what it was in the old tree; empty where it was nothing.

    `back` is what became of it from the new tree to the old one. Raises `RepositoryError`.
    """
    if back.cls not in ("renamed", "moved"):
        return ""
    for candidate in back.candidates:
        called = replace(definition, selector=parse_selector(candidate.selector))
        before, after = _cut(called, old), _cut(called, new)
        if before and not (after and after.span != back.old and classify(before.snippet, after.snippet) in _STAYED):
            return candidate.selector
    return ""


_STAYED = ("same", "moved", "layout", "comment")


def _cut(definition: Definition, tree: Tree) -> Laid | None:
    try:
        return Laid(definition.id, find(tree, definition.selector), definition.view)
    except RepositoryError:
        raise
    except SnippetlockError:
        return None
