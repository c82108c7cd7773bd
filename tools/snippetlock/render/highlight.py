"""Find the lines to highlight: each text, or pattern, must be in the snippet exactly once."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from difflib import get_close_matches

from snippetlock.errors import LISTED, HighlightError, listed
from snippetlock.render.sheet import Row
from snippetlock.select.blocks import statements_of
from snippetlock.select.patterns import hits
from snippetlock.select.ranges import parse_key
from snippetlock.text import line_of, line_starts, normalise, split_lines


def highlighted(rows: Sequence[Row], wanted: tuple[str, ...], path: str, language: str) -> tuple[int, ...]:
    """The lines of a snippet, counted from 1, that the wanted texts touch.

    Line ends count as equal; one at the end of a wanted text, as a block of YAML has it, does not count. A mark
    for what is left out is no text of the source: what touches one is not found. For Python a text with `$` in
    it that is not there as it stands is a pattern. Raises `HighlightError` for what is empty, absent, or there
    more than once, and `ViewError` for a malformed pattern.
    """
    if not wanted:
        return ()
    shown = normalise("".join(row.text for row in rows))
    starts = line_starts(shown)
    marks = tuple(_marks(rows))
    lines: set[int] = set()
    for asked in wanted:
        one = normalise(asked).rstrip("\n")
        if not one.strip():
            raise HighlightError("an empty text cannot be highlighted", path=path, mend="write text that it has")
        places = [(place, place + len(one)) for place in _places(shown, one)]
        places = [(start, end) for start, end in places if not _touches(marks, start, end)]
        if language == "python" and "$" in one and not places:
            pattern = parse_key("highlight", one)
            places = [(hit.start, hit.end) for hit in hits(pattern, statements_of(shown))]
        if len(places) != 1:
            raise _error(rows, one, [line_of(starts, start) for start, _ in places], path)
        lines.update(range(line_of(starts, places[0][0]), line_of(starts, places[0][1] - 1) + 1))
    return tuple(sorted(lines))


def _places(text: str, wanted: str) -> list[int]:
    places = [text.find(wanted)]
    while places[-1] >= 0:
        places.append(text.find(wanted, places[-1] + 1))
    return places[:-1]


def _marks(rows: Sequence[Row]) -> Iterator[tuple[int, int]]:
    """Where the marks are in the text, line ends counted as one character."""
    at = 0
    for row in rows:
        line = normalise(row.text)
        end = at + len(line.rstrip("\n"))
        if row.number is None or row.own:
            yield at if row.number is None else end - row.own, end
        at += len(line)


def _touches(marks: Sequence[tuple[int, int]], start: int, end: int) -> bool:
    last = bisect_left(marks, (end, 0)) - 1
    return last >= 0 and marks[last][1] > start


def _error(rows: Sequence[Row], wanted: str, found: list[int], path: str) -> HighlightError:
    lines = [row.text.strip() if row.number is not None else "" for row in rows]
    if found:
        error = HighlightError(
            f"{wanted!r} is in the snippet {len(found)} times",
            path=path,
            evidence=listed([f"line {n} of the snippet: {lines[n - 1]}" for n in found[:LISTED]], len(found)),
            mend="highlight a longer text that is there once",
        )
        error.times = len(found)
        return error
    first = next(line.strip() for line in split_lines(wanted) if line.strip())
    near = get_close_matches(first, lines, n=1) or [line for line in lines if first in line][:1]
    marked = wanted in normalise("".join(row.text for row in rows))
    mend = (
        "highlight text of the source, not the mark for what is left out" if marked else "highlight what the view shows"
    )
    return HighlightError(
        f"{wanted!r} is not in the snippet",
        path=path,
        evidence=[f"line {lines.index(line) + 1} of the snippet: {line}" for line in near],
        mend=mend,
    )
