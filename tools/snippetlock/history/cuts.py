"""Cuts of one snippet in many snapshots, known again by the blobs they came from. Losing them costs only time."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any, Protocol

from snippetlock.changes import ChangeClass
from snippetlock.history.snapshot import Snapshot
from snippetlock.model import Definition, Digests, Span
from snippetlock.records import dataclass

if TYPE_CHECKING:
    from snippetlock.history.cutting import Cutter

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
        kept = store.get("history", self._key) or {"reads": [], "digests": [], "cuts": {}, "gone": {}}
        self._reads: list[tuple[str, ...]] = [tuple(reads) for reads in kept["reads"]]
        self._digests = [Digests(text=a, tokens=b, code=c, signature=d) for a, b, c, d in kept["digests"]]
        self._cuts: dict[str, list[Any]] = kept["cuts"]
        self._gone: dict[str, list[str]] = kept["gone"]
        self._cutter: Cutter | None = None
        self._new = 0

    def at(self, snapshot: Snapshot) -> Cut:
        """What the snippet shows there; a cut that fails is data too. Raises `RepositoryError` alone."""
        return self.known(snapshot) or self._cut(snapshot)

    def known(self, snapshot: Snapshot) -> Cut | None:
        """The same without reading anything; None where it was not cut from these blobs yet."""
        for number, reads in enumerate(self._reads):
            kept = self._cuts.get(_name(number, snapshot, reads))
            if kept is not None:
                return self._loaded(kept, reads)
        return None

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
            digests = [[one.text, one.tokens, one.code, one.signature] for one in self._digests]
            kept = {"reads": self._reads, "digests": digests, "cuts": self._cuts, "gone": self._gone}
            self._store.put("history", self._key, kept)
            self._new = 0

    def _noted(self) -> None:
        self._new += 1
        if self._new >= _OFTEN:
            self.save()

    def _cut(self, snapshot: Snapshot) -> Cut:
        if self._cutter is None:
            from snippetlock.history.cutting import Cutter  # what takes sources apart: a second run needs none of it

            self._cutter = Cutter(self.definition)
        cut = self._cutter.cut(snapshot)
        if cut.reads not in self._reads:
            self._reads.append(cut.reads)
        number = self._reads.index(cut.reads)
        self._cuts[_name(number, snapshot, cut.reads)] = self._dumped(cut)
        self._noted()
        return cut

    def _dumped(self, cut: Cut) -> list[Any]:
        if cut.digests is None or cut.span is None:
            return [cut.cls, cut.problem]
        if cut.digests not in self._digests:  # most versions of its file leave it as it was
            self._digests.append(cut.digests)
        return [cut.span.path, cut.span.first, cut.span.last, self._digests.index(cut.digests)]

    def _loaded(self, kept: list[Any], reads: tuple[str, ...]) -> Cut:
        if len(kept) == 2:
            return Cut(reads=reads, cls=kept[0], problem=kept[1])
        path, first, last, number = kept
        return Cut(reads=reads, span=Span(path=path, first=first, last=last), digests=self._digests[number])


def _name(number: int, snapshot: Snapshot, reads: tuple[str, ...]) -> str:
    return f"{number} {snapshot.named(reads)}"
