"""What the lock holds, as data."""

from __future__ import annotations

from collections.abc import Mapping

from snippetlock.model import Digests, Pin, View, Written
from snippetlock.records import dataclass, field

FORMAT = 4
"""The number of the form, and of what the digests in it mean: it changes when `render` computes others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """What was accepted for one snippet: what was asked for, where it was found, what it showed.

    `line` is where the entry stands in the lock file, 0 for one that was not read from a file.
    """

    id: str
    selector: str
    view: View
    path: str
    first: int
    last: int
    digests: Digests
    line: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """One move of the pin, as far as going back needs it.

    `pin` is the pin that was left, as far as a lock keeps one. `fragments` are the parts of the pin file as they
    stood, by key, and `selectors` those that the move mended in the definitions: id to (before, after). `sources` are
    the values of these `source:` as they were written before, which an older lock lacks.
    """

    pin: Pin
    fragments: Mapping[str, str]
    selectors: Mapping[str, tuple[str, str]]
    sources: Mapping[str, Written] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lock:
    """The entries, the pin they were accepted at, and every file that decided them (None: had to be absent).

    Of the pin only name, version, kind, sha256 and commit are kept, and for a commit the `root` of its repository,
    where it has one (`repository` is None, or that root without an address). `edited` says that the file is not
    as the tool wrote it: then nothing in it proves anything. `moves` are the moves that led to the pin, the first
    one first: whoever goes back to a pin among them finds it as it was.
    """

    pin: Pin
    files: Mapping[str, str | None]
    entries: tuple[Entry, ...]
    moves: tuple[Move, ...] = ()
    format: int = FORMAT
    edited: bool = False
