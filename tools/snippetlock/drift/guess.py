"""A definition that could be the one that is gone, before anything of it is cut."""

from __future__ import annotations

from dataclasses import dataclass

from snippetlock.drift.listing import Listed

__all__ = ["Guess"]


@dataclass(frozen=True, slots=True)
class Guess:
    """`listed` is None where the whole file is meant."""

    path: str
    listed: Listed | None
    score: float
    reason: str
