"""How TileOPs compares in one row: the fastest implementation that counts, over TileOPs. Above 1 TileOPs is ahead."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tileops_site.benchmarks.model import Measured, Row
from tileops_site.benchmarks.settings import Settings

Word = Literal["behind", "level", "ahead", "unrated", "none"]
VERDICTS: tuple[Word, ...] = ("behind", "level", "ahead", "unrated", "none")
LEVEL = 1.05  # neither takes more than 5 % longer than the other


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """`ratio` is None where there is nothing to compare; `against` is whose time it was made of.

    `eager` is the ratio to the fastest eager reference where that is faster than all that count: nobody should read
    "ahead" there without it. `why` says, as a key, what is missing for a ratio.
    """

    word: Word
    ratio: float | None = None
    against: str = ""
    eager: float | None = None
    why: str = ""


def judge(row: Row, settings: Settings) -> Verdict:
    """The verdict of a row. Times of two ways of measuring are not compared."""
    ours = row.ours
    if ours is None or ours.busy is None:
        return Verdict(word="none", why="no-time")
    libraries = _fastest(row, ours, settings, "library")
    eager = _fastest(row, ours, settings, "eager")
    if libraries is not None and libraries.busy is not None:
        ratio = libraries.busy / ours.busy
        faster = eager is not None and eager.busy is not None and eager.busy < libraries.busy
        shown = eager.busy / ours.busy if faster and eager is not None and eager.busy is not None else None
        return Verdict(word=word(ratio), ratio=ratio, against=libraries.name, eager=shown)
    if eager is not None and eager.busy is not None:
        return Verdict(word="unrated", ratio=eager.busy / ours.busy, against=eager.name, why="eager")
    others = [one for one in row.measured if settings.known(one.name).kind != "ours"]
    return Verdict(word="none", why="no-rated" if others else "alone")


def word(ratio: float) -> Word:
    """Behind, level within 5 %, or ahead."""
    if ratio > LEVEL:
        return "ahead"
    return "behind" if ratio < 1 / LEVEL else "level"


def _fastest(row: Row, ours: Measured, settings: Settings, kind: str) -> Measured | None:
    found = [
        one
        for one in row.measured
        if one.busy is not None and one.timing == ours.timing and settings.known(one.name).kind == kind
    ]
    return min(found, key=lambda one: (one.busy or 0.0, one.name), default=None)
