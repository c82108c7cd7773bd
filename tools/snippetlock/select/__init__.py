"""Find the one thing that a selector names, and take it apart. Reads the tree; imports and runs nothing of it."""

from __future__ import annotations

from snippetlock.errors import SelectorError
from snippetlock.model import Found, Selector, Tree
from snippetlock.select.python import find_python

__all__ = ["find"]


def find(tree: Tree, selector: Selector) -> Found:
    """Find what `selector` names in `tree`.

    Raises `UnknownSymbol`, `AmbiguousSymbol` or another `SelectorError` unless it is exactly one thing,
    `SourceError` for a file that cannot be understood, `TreeError` for one that cannot be read.
    """
    if selector.module or selector.path.endswith(".py"):
        return find_python(tree, selector)
    raise SelectorError("unsupported")
