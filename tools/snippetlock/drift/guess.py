"""A definition that could be the one that is gone, before anything of it is cut."""

from __future__ import annotations

from snippetlock.drift.listing import Listed
from snippetlock.records import dataclass

__all__ = ["UNSURE", "Guess"]

UNSURE = 0.7
"""The most for what is to be offered and not to be taken without asking."""


@dataclass(frozen=True, slots=True)
class Guess:
    """`listed` is None where the whole file is meant. `most` is the highest score, whatever is shown there."""

    path: str
    listed: Listed | None
    score: float
    reason: str
    most: float = 1.0
