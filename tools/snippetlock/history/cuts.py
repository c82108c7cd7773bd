"""Cuts of one snippet in many snapshots, known again by the blobs they came from. Losing them costs only time."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any, Protocol

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
from snippetlock.history.snapshot import Snapshot
from snippetlock.model import ChangeClass, Definition, Digests, Span
from snippetlock.records import dataclass
from snippetlock.render import render
from snippetlock.select import find, spot

__all__ = ["Cut", "Cuts", "Store"]

_OFTEN = 100  # new cuts after which they are kept: an interrupted run loses no more


class Store(Protocol):
    """Where results are kept between runs."""

    def get(self, kind: str, key: str) -> Any: ...
    def put(self, kind: str, key: str, value: Any) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """What a snippet shows, without its text: `digests` to compare it by, None where `problem` says why not.

    `reads` are the files that decided, those that had to be absent among them. `cls` is what a snippet would be
    that was there before: `removed`, `ambiguous` or `unreadable`.
    """

    reads: tuple[str, ...]
    span: Span | None = None
    digests: Digests | None = None
    cls: ChangeClass = "same"
    problem: str = ""


class Cuts:
    """The cuts of one definition. `stamp` is the tool's: what another version kept is never used."""

    def __init__(self, store: Store, stamp: str, definition: Definition) -> None:
        self.definition = definition
        asked = repr((stamp, definition.selector.text, definition.view))
        self._key = sha256(asked.encode("utf-8", "surrogatepass")).hexdigest()
        self._store = store
        kept = store.get("history", self._key) or {"reads": [], "cuts": {}, "gone": {}}
        self._reads: list[tuple[str, ...]] = [tuple(reads) for reads in kept["reads"]]
        self._cuts: dict[str, list[Any]] = kept["cuts"]
        self._gone: dict[str, list[str]] = kept["gone"]
        self._same: dict[bytes, tuple[int, int, Digests]] = {}  # by the spot that it was cut from
        self._new = 0

    def at(self, snapshot: Snapshot) -> Cut:
        """What the snippet shows there; a cut that fails is data too. Raises `RepositoryError` alone."""
        for number, reads in enumerate(self._reads):
            kept = self._cuts.get(_name(number, snapshot, reads))
            if kept is not None:
                return _loaded(kept, reads)
        cut = self._cut(snapshot)
        if cut.reads not in self._reads:
            self._reads.append(cut.reads)
        number = self._reads.index(cut.reads)
        self._cuts[_name(number, snapshot, cut.reads)] = _dumped(cut)
        self._noted()
        return cut

    def gone(self, commit: str) -> tuple[ChangeClass, str] | None:
        """What `keep_gone` kept for a commit."""
        kept = self._gone.get(commit)
        return (kept[0], kept[1]) if kept else None  # type: ignore[return-value]

    def keep_gone(self, commit: str, cls: ChangeClass, selector: str) -> None:
        """Keep what became of the snippet at a commit that took it away, and the selector of what it is now."""
        self._gone[commit] = [cls, selector]
        self._noted()

    def save(self) -> None:
        """Keep what is new."""
        if self._new:
            self._store.put("history", self._key, {"reads": self._reads, "cuts": self._cuts, "gone": self._gone})
            self._new = 0

    def _noted(self) -> None:
        self._new += 1
        if self._new >= _OFTEN:
            self.save()

    def _cut(self, snapshot: Snapshot) -> Cut:
        snapshot.reads.clear()
        selector = self.definition.selector
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
        selector, view = self.definition.selector, self.definition.view
        there = spot(snapshot, selector)
        key = sha256(repr((there.what, there.text)).encode("utf-8", "surrogatepass")).digest() if there else b""
        if there and key in self._same:
            first, last, digests = self._same[key]
            return Span(path=there.path, first=there.line + first, last=there.line + last), digests
        snippet = render(self.definition.id, find(snapshot, selector), view)
        span, digests = snippet.span, seen(snippet)
        if there:
            self._same[key] = span.first - there.line, span.last - there.line, digests
        return span, digests


def _has_module(snapshot: Snapshot, name: str) -> bool:
    base = name.replace(".", "/")
    return snapshot.has(f"{base}/__init__.py") or snapshot.has(f"{base}.py")


def _name(number: int, snapshot: Snapshot, reads: tuple[str, ...]) -> str:
    blobs = json.dumps([snapshot.blob(path) for path in reads])
    return f"{number}:{sha256(blobs.encode()).hexdigest()[:32]}"


def _dumped(cut: Cut) -> list[Any]:
    if cut.digests is None or cut.span is None:
        return [cut.cls, cut.problem]
    digests = cut.digests
    return [cut.span.path, cut.span.first, cut.span.last, digests.text, digests.tokens, digests.code, digests.signature]


def _loaded(kept: list[Any], reads: tuple[str, ...]) -> Cut:
    if len(kept) == 2:
        return Cut(reads=reads, cls=kept[0], problem=kept[1])
    path, first, last, text, tokens, code, signature = kept
    return Cut(
        reads=reads,
        span=Span(path=path, first=first, last=last),
        digests=Digests(text=text, tokens=tokens, code=code, signature=signature),
    )
