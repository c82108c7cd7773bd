"""Offsets of a text as lines and regions: what every finder that is not of Python needs."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from snippetlock.model import Region
from snippetlock.text import NEWLINE

__all__ = ["line_end", "line_start", "within"]


def within(regions: Sequence[tuple[int, int]], whole: Region) -> tuple[Region, ...]:
    """Those of the sorted (start, end) pairs that begin inside `whole`."""
    first, last = bisect_left(regions, (whole.start, 0)), bisect_left(regions, (whole.end, 0))
    return tuple(Region(start=a, end=b) for a, b in regions[first:last])


def line_start(text: str, at: int) -> int:
    """Where the line of `at` begins."""
    return max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1


def line_end(text: str, at: int) -> int:
    """Behind the line of `at`, its line end included."""
    found = NEWLINE.search(text, at)
    return found.end() if found else len(text)
