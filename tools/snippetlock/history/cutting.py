"""Cut a snippet in one snapshot after the other: what it shows is taken apart anew where its own text is another."""

from __future__ import annotations

from snippetlock.changes import ChangeClass
from snippetlock.drift.classes import seen
from snippetlock.errors import (
    AmbiguousSymbol,
    MissingFile,
    SelectorError,
    SnippetlockError,
    SourceError,
    TreeError,
    ViewError,
)
from snippetlock.history.cuts import Cut
from snippetlock.history.snapshot import Snapshot
from snippetlock.model import Definition, Digests, Span
from snippetlock.render import render
from snippetlock.select import find, spot
from snippetlock.text import sha256

__all__ = ["Cutter"]


class Cutter:
    """Cuts one definition. Raises `RepositoryError` alone; a cut that fails is data too."""

    def __init__(self, definition: Definition) -> None:
        self._definition = definition
        self._same: dict[tuple[object, ...], tuple[int, int, Digests]] = {}  # by the spot that it was cut from

    def cut(self, snapshot: Snapshot) -> Cut:
        """What the snippet shows there, and which files decided that."""
        snapshot.reads.clear()
        selector = self._definition.selector
        if selector.module and not _has_module(snapshot, selector.module):  # before advice is sought, which takes long
            problem = f"no module {selector.module!r} in the tree"
            return Cut(reads=tuple(sorted(snapshot.reads)), cls="removed", problem=problem)
        return self._found(snapshot)

    def _found(self, snapshot: Snapshot) -> Cut:
        cls: ChangeClass
        problem: SnippetlockError
        try:
            span, digests = self._shown(snapshot)
            return Cut(reads=tuple(sorted(snapshot.reads)), span=span, digests=digests)
        except AmbiguousSymbol as error:
            cls, problem = "ambiguous", error
        except (SelectorError, ViewError, MissingFile) as error:
            several = isinstance(error, ViewError) and error.several
            cls, problem = "ambiguous" if several else "removed", error
        except (SourceError, TreeError) as error:
            cls, problem = "unreadable", error
        return Cut(reads=tuple(sorted(snapshot.reads)), cls=cls, problem=problem.headline)

    def _shown(self, snapshot: Snapshot) -> tuple[Span, Digests]:
        """Where the snippet is, and the digests of what it shows; most versions of its file leave it as it was."""
        selector, view = self._definition.selector, self._definition.view
        there = spot(snapshot, selector, view)
        key = (there.what, sha256(there.text)) if there else ()
        if there and key in self._same:
            first, last, digests = self._same[key]
            return Span(path=there.path, first=there.line + first, last=there.line + last), digests
        snippet = render(self._definition.id, find(snapshot, selector), view)
        span, digests = snippet.span, seen(snippet)
        if there:
            self._same[key] = span.first - there.line, span.last - there.line, digests
        return span, digests


def _has_module(snapshot: Snapshot, name: str) -> bool:
    base = name.replace(".", "/")
    return snapshot.has(f"{base}/__init__.py") or snapshot.has(f"{base}.py")
