"""What keeps a whole Python file from being read, where what was selected in it can be all the same."""

from __future__ import annotations

import ast

from snippetlock.errors import SnippetlockError, SourceError
from snippetlock.model import Tree
from snippetlock.select.files import outlined

__all__ = ["fault"]


def fault(tree: Tree, path: str, *, whole: bool) -> SourceError | None:
    """The first thing that no grammar allows, None for nothing and for what is no file of Python.

    Strings and brackets that are not closed are found by its lines; the `whole` grammar is asked as well where that
    is wanted, Python's own parser first, for it is fast, and what it refuses is no fault where libcst reads it.
    """
    if not path.endswith(".py"):
        return None
    try:
        skim = outlined(tree.read(path), path)[0].skim
    except SourceError as error:
        return error
    except SnippetlockError:  # refused, or gone: that is no matter of grammar
        return None
    if skim.faults:
        first = skim.faults[0]
        return SourceError(first.what, path=path, line=first.line, mend=first.mend)
    if not whole:
        return None
    try:
        ast.parse(skim.text)
    except (SyntaxError, ValueError, RecursionError):
        return _refused(skim.text, path)
    return None


def _refused(text: str, path: str) -> SourceError | None:
    from snippetlock.select.concrete import shapes  # slow to load

    try:
        shapes(text, text, 1, path)
    except SourceError as error:
        return error
    return None
