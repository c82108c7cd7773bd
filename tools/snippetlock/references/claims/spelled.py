"""What an expression of the library says, written on one line."""

from __future__ import annotations

import ast

from snippetlock.errors import SourceError
from snippetlock.index import Definition
from snippetlock.references.claims.answers import Stop
from snippetlock.references.claims.library import Library
from snippetlock.tokens import tokenize

__all__ = ["text_of"]


def text_of(library: Library, definition: Definition, node: ast.expr) -> str:
    """An expression on one line, in Python's own spacing, its texts in the quotes that the source has.

    Raises `Stop` for one that nests too deep.
    """
    try:
        plain = ast.unparse(node)
    except RecursionError:
        what = f"what {definition.selector} is set to nests too deep to be written on one line"
        raise Stop("unknown", what, evidence=(definition.place,)) from None
    source = library.written(definition.path).slicer.cut(node)
    ours, theirs = _texts(plain), _texts(source)
    if len(ours) != len(theirs):
        return plain  # several in a row are one
    parts, at = [], 0
    for (first, last), (start, end) in zip(ours, theirs, strict=True):
        if not _same_text(plain[first:last], source[start:end]):
            return plain
        parts += [plain[at:first], source[start:end]]
        at = last
    return "".join([*parts, plain[at:]])


def _texts(code: str) -> list[tuple[int, int]]:
    """Where the literal texts of an expression are."""
    try:
        return [(token.start, token.end) for token in tokenize(code) if token.kind == "string"]
    except SourceError:
        return []


def _same_text(plain: str, written: str) -> bool:
    try:
        return ast.unparse(ast.parse(written, mode="eval")) == plain
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
