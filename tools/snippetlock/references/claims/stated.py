"""Find the claims of a page: `<!-- claim: … -->`, and what each speaks for. Pure; linear in the text.

Above a paragraph, a list or a table a claim has lines of its own; in an item, a row or a paragraph it stands within
the text. Where it would break what the page shows, or has nothing to speak for, that is said. What a fence or
indented code shows is no claim.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from snippetlock.records import dataclass
from snippetlock.references.layout import Layout
from snippetlock.references.lines import prefix_of
from snippetlock.references.marks import admonition, details, heading, item, tab
from snippetlock.references.outline import OPAQUE, Piece
from snippetlock.references.paragraphs import Flow, column_of

__all__ = ["Claim", "claims_of", "place_in"]

_OPEN, _CLOSE = "<!--", "-->"
_KEY = re.compile(r"[ \t>]*claim[ \t]*:[ \t]*")
_NEARLY = re.compile(
    r"\s*(?:(claims|clam|calim|cliam|clame)[ \t]*:|(claim)[ \t]*[:：]|(claim)[ \t]+\w+\()", re.IGNORECASE
)
_EXCERPT = 60  # characters of what a claim speaks for
_LOOKED = 2_000  # of a line, for them


class _Piece(NamedTuple):
    """A part of a comment's text on one line: the line and the column (both from 1) where it begins."""

    text: str
    line: int
    column: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One claim. `starts` are offset, line and column (from 1) of each line of its text.

    `tied` is the line of what it speaks for, 0 for nothing, and `excerpt` how that begins. `fault` and `mend` say what
    is wrong with where it stands, or how it is begun.
    """

    text: str
    line: int
    column: int
    starts: tuple[tuple[int, int, int], ...]
    tied: int = 0
    excerpt: str = ""
    fault: str = ""
    mend: str = ""

    @property
    def plain(self) -> str:
        """Its text on one line."""
        return " ".join(self.text.split())


def place_in(claim: Claim, offset: int) -> tuple[int, int]:
    """The line and column of an offset into a claim's text."""
    at, line, column = next(start for start in reversed(claim.starts) if start[0] <= offset)
    return line, column + offset - at


def claims_of(text: str, layout: Layout | None = None) -> tuple[Claim, ...]:
    """The claims of a page, in order; `layout` is its, where there is one already. Raises nothing."""
    if "<!--" not in text or "claim" not in text.lower():
        return ()
    layout = Layout(text) if layout is None else layout
    known = layout.memo.get("claims")
    if not isinstance(known, tuple):
        found = [*_blocks(layout), *_inline(layout)]
        known = layout.memo["claims"] = tuple(sorted(found, key=lambda claim: (claim.line, claim.column)))
    return known


# Comments with lines of their own


def _blocks(layout: Layout) -> Iterator[Claim]:
    rows = layout.out.rows
    after = _followers(layout)
    for piece in layout.out.pieces.values():
        if piece.first in layout.code or piece.kind not in ("comment", "html", "raw"):
            continue
        parts = [
            _Piece(layout.raw[line], line + 1, 1) for line in range(piece.first, min(piece.last + 1, len(layout.raw)))
        ]
        if piece.kind != "comment":
            for comment in _comments_in(parts):
                yield from _read(comment, piece.first + 1, _excerpt(parts[0].text))
            continue
        comment = next(_comments_in(parts), [])
        tied = after.get(piece.first)
        fault, mend = _split(layout, piece)
        if tied is None and not fault:
            fault = "this claim speaks for nothing: no paragraph, list or table follows it in its section"
            mend = "put it before what it speaks for, or at the end of its item or row"
        said = rows[tied] if tied is not None else None
        yield from _read(comment, said.line + 1 if said else 0, _excerpt(said.text) if said else "", fault, mend)


def _followers(layout: Layout) -> dict[int, int]:
    """Of each comment, by its line, the row of what follows it before the next heading."""
    found: dict[int, int] = {}
    waiting: list[int] = []
    comments = {line for line, piece in layout.out.pieces.items() if piece.kind == "comment"}
    for number, row in enumerate(layout.out.rows):
        text = row.text.lstrip("> ")
        if row.line in comments and text == OPAQUE:
            waiting.append(row.line)
        elif text and waiting and not (text == OPAQUE and row.line in comments):
            if not heading(text):
                found |= dict.fromkeys(waiting, number)
            waiting = []
    return found


def _split(layout: Layout, piece: Piece) -> tuple[str, str]:
    """What a comment on lines of its own would break: it is a block, and ends whatever stands above it."""
    lines = layout.out.lines
    above = lines[piece.first - 1].lstrip("> ") if piece.first else ""
    below = lines[piece.last + 1].lstrip("> ") if piece.last + 1 < len(lines) else ""
    if not above or not below or heading(above) or _opens(above) or piece.first - 1 in layout.out.pieces:
        return "", ""
    if piece.first - 1 in layout.nesting.table and "|" in below:
        return "a claim between two rows ends the table", "write it within the last cell of the row that it speaks for"
    inside = lines[piece.first - 1].startswith((" ", ">")) or item(above)
    if item(below) and inside:
        return "a claim between two items ends the list", "write it at the end of the item that it speaks for"
    if not item(below) and "|" not in below and not _opens(below) and not heading(below):
        what = "a claim on a line of its own in the middle of a paragraph ends the paragraph"
        return what, "write it above the paragraph, or at the end of one of its lines"
    return "", ""


def _opens(text: str) -> bool:
    return bool(admonition(text) or details(text) or tab(text)) or text.startswith(("```", "~~~", "<"))


# Comments within a line of text


def _inline(layout: Layout) -> Iterator[Claim]:
    for run in layout.runs:
        if not any(_OPEN in row.text for row in run.rows):
            continue
        first, rows = run.rows[0], {row.line: row.text for row in run.rows}
        excerpt = _excerpt(first.text)
        for at in _openings(run.flow):
            line, column = run.flow.place(at)
            column += len(layout.out.lines[line]) - len(rows[line])  # behind a comment that begins the line
            comment = _comment_at(layout.raw, line, column_of(layout.raw[line], column) - 1)
            fault = mend = ""
            if run.heading:
                fault = "a claim in a heading is part of what its anchor is made of"
                mend = "write it on a line of its own below the heading, above the paragraph"
            elif line in layout.nesting.table and any("|" in part.text for part in comment):
                fault, mend = "a `|` ends the cell of a table, in a claim too", "write this claim above the table"
            yield from _read(comment, first.line + 1, excerpt, fault, mend)


def _comment_at(raw: tuple[str, ...], line: int, column: int) -> list[_Piece]:
    """The comment that begins at a column (from 0) of a line (from 0), as its lines between the marks."""
    parts: list[_Piece] = []
    start = column + len(_OPEN)
    while line < len(raw):
        end = raw[line].find(_CLOSE, start)
        parts.append(_Piece(raw[line][start : end if end >= 0 else None], line + 1, start + 1))
        if end >= 0:
            break
        line, start = line + 1, 0
    return parts


def _openings(flow: Flow) -> Iterator[int]:
    """Where comments begin in a paragraph: what `bare` has blanked, and no code span has."""
    spans = [*flow.spans, (len(flow.text), len(flow.text))]
    number = 0
    at = flow.text.find(_OPEN)
    while at >= 0:
        while spans[number][1] <= at and number + 1 < len(spans):
            number += 1
        if flow.bare[at] != " " or spans[number][0] <= at:
            at = flow.text.find(_OPEN, at + 1)
            continue
        yield at
        at = flow.text.find(_OPEN, _end(flow.text, at))


def _end(text: str, at: int) -> int:
    """Where the comment that begins there ends: `outline` has put marks in place of its further lines."""
    close, line = text.find(_CLOSE, at), text.find("\n", at)
    if line >= 0 and text.startswith(OPAQUE, line + 1) and not at <= close < line:
        while line < len(text) and text[line] in ("\n", OPAQUE):
            line += 1
        return line
    return close if close >= 0 else len(text)


# What a comment says


def _comments_in(parts: Iterable[_Piece]) -> Iterator[list[_Piece]]:
    """The comments in some lines, each as its lines between the marks."""
    inside: list[_Piece] | None = None
    for part in parts:
        at = 0
        while True:
            if inside is None:
                at = part.text.find(_OPEN, at)
                if at < 0:
                    break
                at += len(_OPEN)
                inside = []
            end = part.text.find(_CLOSE, at)
            inside.append(_Piece(part.text[at : end if end >= 0 else len(part.text)], part.line, part.column + at))
            if end < 0:
                break
            yield inside
            inside, at = None, end + len(_CLOSE)


def _read(comment: list[_Piece], tied: int, excerpt: str, fault: str = "", mend: str = "") -> Iterator[Claim]:
    """The claims that one comment makes."""
    claims: list[list[_Piece]] = []
    for number, part in enumerate(comment):
        key = _KEY.match(part.text)
        if key:
            claims.append([_Piece(part.text[key.end() :], part.line, part.column + key.end())])
        elif claims:
            lead = len(prefix_of(part.text)) if number else 0
            claims[-1].append(_Piece(part.text[lead:], part.line, part.column + lead))
    for parts in claims:
        yield _claim(parts, tied, excerpt, fault, mend)
    first = next((part for part in comment if part.text.strip()), None)
    if not claims and first is not None and (nearly := _NEARLY.match(first.text)):
        word = next(each for each in nearly.groups() if each)
        column = (
            first.column
            + nearly.start()
            + len(first.text[nearly.start() :])
            - len(first.text[nearly.start() :].lstrip())
        )
        yield Claim(
            text=first.text.strip(),
            line=first.line,
            column=column,
            starts=((0, first.line, column),),
            tied=tied,
            excerpt=excerpt,
            fault=f"a comment that begins with {word!r} is no claim, and nothing holds it",
            mend="write `claim:` in its place",
        )


def _excerpt(said: str) -> str:
    """How a text begins, its comments aside."""
    said, parts, at = said[:_LOOKED], [], 0
    while at < len(said):
        start = said.find(_OPEN, at)
        parts.append(said[at : start if start >= 0 else len(said)])
        end = said.find(_CLOSE, start) if start >= 0 else -1
        if end < 0:
            break
        at = end + len(_CLOSE)
    text = " ".join("".join(parts).replace(OPAQUE, " ").split())
    return text if len(text) <= _EXCERPT else f"{text[: _EXCERPT - 1]}…"


def _claim(parts: list[_Piece], tied: int, excerpt: str, fault: str, mend: str) -> Claim:
    parts = [*parts[:-1], parts[-1]._replace(text=parts[-1].text.rstrip())]
    starts, offset = [], 0
    for part in parts:
        starts.append((offset, part.line, part.column))
        offset += len(part.text) + 1
    return Claim(
        text="\n".join(part.text for part in parts).rstrip(),
        line=parts[0].line,
        column=parts[0].column,
        starts=tuple(starts),
        tied=tied,
        excerpt=excerpt,
        fault=fault,
        mend=mend,
    )
