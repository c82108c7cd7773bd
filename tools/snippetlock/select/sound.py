"""What keeps a whole Python file from being read, where what was selected in it can be all the same."""

from __future__ import annotations

import symtable
import warnings
from collections.abc import Iterator
from itertools import pairwise

from snippetlock.errors import SnippetlockError, SourceError
from snippetlock.model import Tree
from snippetlock.select.files import outlined
from snippetlock.select.skim import Skim

__all__ = ["fault"]


_GOES_ON = ("elif", "else", "except", "finally")  # a statement that began before


def fault(tree: Tree, path: str, *, whole: bool, before: Tree | None = None) -> SourceError | None:
    """The first thing that no grammar allows, None for nothing and for what is no file of Python.

    Strings and brackets that are not closed are found by its lines; the `whole` grammar is asked as well where that
    is wanted, Python's own parser first, for it is fast, and what it refuses is no fault where libcst reads it. Of
    what stands word for word in the same file of the tree `before` it is not asked again.
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
    known = _pieces(before, path) if before and before.has(path) else ()
    new = [piece for piece, judged in _cut(skim) if not judged and piece not in known]
    return None if _parses("".join(new)) or _parses(skim.text) else _refused(skim.text, path)


def _pieces(tree: Tree, path: str) -> frozenset[str]:
    """The pieces of a file, none of one that cannot be read."""
    try:
        return frozenset(piece for piece, _ in _cut(outlined(tree.read(path), path)[0].skim))
    except SnippetlockError:
        return frozenset()


def _cut(skim: Skim) -> Iterator[tuple[str, bool]]:
    """A text in pieces of whole statements, and which of them the grammar allowed when something in it was selected.

    Each begins where no indentation, and no decorator, stands before it, and the first where the first line does.
    """
    text, starts, codes, ends = skim.text, skim.starts, skim.codes, skim.ends
    cuts, decorated = [], False
    for number, (code, column) in enumerate(zip(codes, skim.columns, strict=True)):
        if not column or not number:
            if not decorated and not text.startswith(_GOES_ON, code):
                cuts.append(number)
            decorated = text[code] == "@"
    for first, stop in pairwise((*cuts, len(codes))):
        judged = any(begin <= codes[first] and ends[stop - 1] <= end for begin, end in skim.judged)
        yield text[starts[first] : starts[stop] if stop < len(starts) else len(text)], judged


def _parses(text: str) -> bool:
    try:
        with warnings.catch_warnings():  # about what it reads, which is for its authors
            warnings.simplefilter("ignore")
            symtable.symtable(text, "", "exec")  # it parses, and makes no nodes: they take a third of the time
    except (SyntaxError, ValueError, RecursionError):
        return False
    return True


def _refused(text: str, path: str) -> SourceError | None:
    from snippetlock.select.concrete import shapes  # slow to load

    try:
        shapes(text, text, 1, path)
    except SourceError as error:
        return error
    return None
