"""Offsets of a text as lines and regions, and a whole file as a part: what every finder needs."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from snippetlock.model import Part, Region
from snippetlock.text import NEWLINE

__all__ = ["file_part", "line_end", "line_start", "within"]


def file_part(
    length: int,
    *,
    docstring: Region | None = None,
    members: tuple[Part, ...] = (),
    comments: Sequence[tuple[int, int]] = (),
    literals: Sequence[tuple[int, int]] = (),
) -> Part:
    """A file of so many characters as a part; its head is empty."""
    whole = Region(start=0, end=length)
    return Part(
        name="",
        selector="",
        kind="module",
        whole=whole,
        head=Region(start=0, end=0),
        body=whole,
        docstring=docstring,
        members=members,
        comments=within(comments, whole),
        literals=within(literals, whole),
    )


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
