"""Put two lists side by side: what is the same in both, and what stands between. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from snippetlock.records import dataclass

__all__ = ["Step", "steps"]

_MOST = 4_000_000  # pairs of items that are compared; of more only the ends are


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """Items `first` up to, not including, `end` of one list, and what has their place in the other."""

    same: bool
    first: int
    end: int
    other: int
    other_end: int


def steps(one: Sequence[str], other: Sequence[str]) -> Iterator[Step]:
    """Both lists from end to end, in steps of items that are the same and of items that are not."""
    start, least = 0, min(len(one), len(other))
    while start < least and one[start] == other[start]:
        start += 1
    if start:
        yield Step(same=True, first=0, end=start, other=0, other_end=start)
    if start == len(one) == len(other):
        return
    left, right = one[start:], other[start:]
    if len(left) * len(right) > _MOST:
        yield Step(same=False, first=start, end=len(one), other=start, other_end=len(other))
        return
    for tag, i, j, k, m in SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        yield Step(same=tag == "equal", first=start + i, end=start + j, other=start + k, other_end=start + m)
