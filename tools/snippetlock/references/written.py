"""Where HTML that is written out in a page marks code, and what the drawings in it write. Pure; linear in the text.

Both are read where Markdown leaves HTML alone: in raw HTML, and among the words of a paragraph.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator

from snippetlock.records import dataclass
from snippetlock.references.layout import Layout
from snippetlock.references.lines import behind, tag_at
from snippetlock.references.outline import Outline, Piece
from snippetlock.references.paragraphs import columns
from snippetlock.references.raw import wrote
from snippetlock.text import line_of, line_starts, normalise

__all__ = ["Written", "read_drawing", "written_out"]

_Place = Callable[[int], tuple[int, int]]  # the line and the column (from 1) of an offset


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A piece of text in such HTML. `code`: it is marked as that, and `places` is of its first character alone.

    `paragraph` and `section` are as those of a code span; raw HTML is a paragraph of its own, below 0.
    """

    text: str
    places: tuple[tuple[int, int], ...]
    code: bool
    paragraph: int
    section: int
    before: str
    after: str


def written_out(layout: Layout) -> tuple[Written, ...]:
    """All of a page; what it found is kept with the page. Raises nothing."""
    known = layout.memo.get("written")
    if not isinstance(known, tuple):
        known = layout.memo["written"] = tuple(_in_page(layout))
    return known


def read_drawing(text: str, section: int) -> tuple[Written, ...]:
    """All of a file that is a drawing."""
    starts = line_starts(text)

    def place(at: int) -> tuple[int, int]:
        line = line_of(starts, at)
        return line, at - starts[line - 1] + 1

    # A carriage return is a blank like any other: the offsets stay those of the file.
    return tuple(_read(text.replace("\r", " ") if normalise(text) != text else text, place, 0, section, xml=True))


def _in_page(layout: Layout) -> Iterator[Written]:
    section = 0
    for number, run in enumerate(layout.runs):
        section = run.heading or section
        if any("<" in row.text for row in run.rows) and _asks(run.flow.bare):
            raw, place = layout.raw, run.flow.place

            def placed(at: int, place: _Place = place, raw: tuple[str, ...] = raw) -> tuple[int, int]:
                line, column = place(at)
                return line + 1, columns(raw[line])(column)

            yield from _read(run.flow.bare, placed, number, section)
    headings = [run.heading for run in layout.runs if run.heading]
    for number, piece in enumerate(layout.out.pieces.values(), start=1):
        if piece.kind == "raw" and piece.first not in layout.code:
            html = _html(layout.out, piece)
            if _asks(html):
                above = bisect_right(headings, piece.first)
                section = headings[above - 1] if above else 0
                yield from _read(html, _placing(layout, piece.first, html), -number, section)


def _asks(html: str) -> bool:
    """Whether there is anything to read."""
    low = html.lower()
    return "<code" in low or "<svg" in low


def _html(out: Outline, piece: Piece) -> str:
    """The lines of raw HTML, without the fences in it, and without what follows it on its last line."""
    lines = list(out.lines[piece.first : piece.last + 1])
    for loose in out.loose:
        if piece.first <= loose.first <= piece.last:
            for line in range(loose.first, min(loose.last, piece.last) + 1):
                lines[line - piece.first] = " " * len(lines[line - piece.first])
    name, _ = tag_at(out.lines[piece.first], len(piece.prefix))
    lines[-1] = lines[-1][: len(lines[-1]) - len(behind(lines[-1], name))]
    return "\n".join(lines)


def _placing(layout: Layout, first: int, html: str) -> _Place:
    starts, last, place_of = line_starts(html), -1, columns("")

    def place(at: int) -> tuple[int, int]:
        nonlocal last, place_of
        line = line_of(starts, at)
        if line != last:
            last, place_of = line, columns(layout.raw[first + line - 1])
        return first + line, place_of(at - starts[line - 1])

    return place


def _read(html: str, place: _Place, paragraph: int, section: int, *, xml: bool = False) -> Iterator[Written]:
    for one in wrote(html, xml=xml):
        yield Written(
            text=one.text,
            places=(place(one.at),) if one.code else tuple(map(place, one.ats)),
            code=one.code,
            paragraph=paragraph,
            section=section,
            before=one.before,
            after=one.after,
        )
