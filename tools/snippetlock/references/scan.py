"""Find every code block of a Markdown page, and every directive that stands where no block can. Pure.

The one scanner: the Markdown extension, the commands and the checks of prose all see a page through it, so what
is checked is what is published. Linear in the text. `outline` splits the page, `nesting` decides what is
indented code, and here both become blocks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from snippetlock.errors import nearest
from snippetlock.records import replace
from snippetlock.references.blocks import Block, Comment, Marker, Problem, Scan
from snippetlock.references.info import parse_info
from snippetlock.references.layout import Layout
from snippetlock.references.lines import cut, masked, opening, prefix_of, runs, spans, tags
from snippetlock.references.outline import OPAQUE, Outline, Piece, Row
from snippetlock.references.parts import Nesting

MARKERS = ("classes", "coverage", "rules", "verification")
_ALONE = "write it as an empty fence on lines of its own, with a blank line before it"
_LONG = 40  # marks of a fence: more are counted, and not shown


def scan(text: str, *, front: bool = True) -> Scan:
    """Scan a page. `front`: whether front matter may stand at its top (not once a builder took it off).

    Raises nothing: whatever is wrong is a problem of the scan.
    """
    layout = Layout(text, front=front)
    out, nesting, code = layout.out, layout.nesting, layout.code
    blocks = [_indented(out, rows, label) for label, rows in nesting.code]
    problems = list(_front_problems(out))
    markers: list[Marker] = []
    comments: list[Comment] = []
    for piece in (*out.pieces.values(), *out.loose):
        if piece.first in code:
            continue
        if piece.kind in ("fence", "unclosed"):
            blocks.append(_fence(out, piece, nesting.held.get(piece.first, "")))
        elif piece.kind == "comment":
            _comment(out, piece, markers, comments, problems)
    problems += _unended(out, code)
    pres, misplaced = _inline(out, nesting, code)
    blocks = sorted([*blocks, *pres], key=lambda block: block.first)
    problems += misplaced
    problems += [problem for block in blocks for problem in block.problems]
    return Scan(
        blocks=tuple(blocks),
        markers=tuple(markers),
        comments=tuple(comments),
        problems=tuple(sorted(problems)),
        front=out.front,
        lines=len(layout.raw),
        layout=layout,
    )


def _fence(out: Outline, piece: Piece, footnote: str) -> Block:
    line, width = piece.first + 1, len(piece.prefix)
    column = width + len(piece.fence)
    column += len(out.lines[piece.first][column:]) - len(out.lines[piece.first][column:].lstrip(" ")) + 1
    info = parse_info(piece.info, line, column)
    inner = range(piece.first + 1, piece.last)
    content = tuple(_content(out, index, width) for index in inner)
    block = Block(
        kind="fence",
        first=line,
        last=piece.last + 1,
        prefix=piece.prefix,
        language=info.language,
        info=piece.info,
        options=info.options,
        columns=info.columns,
        content=content,
        closed=piece.kind == "fence",
        footnote=footnote,
    )
    problems = (*info.problems, *_shape(out, block, piece))
    return replace(block, problems=problems)


def _content(out: Outline, index: int, width: int) -> str:
    """A line of a fenced block without its container's prefix; a line the renderer sees as blank may be shorter."""
    raw = out.raw[index].replace("\x02", "").replace("\x03", "")
    lead = out.lines[index][:width]
    return cut(raw, len(lead) - len(lead.lstrip("> ")) if lead.strip("> ") else width)


def _shape(out: Outline, block: Block, piece: Piece) -> Iterator[Problem]:
    """What is wrong with a fence as a whole: open, or filled where it is to be empty, or empty where it is not."""
    column = len(piece.prefix) + 1
    what = "directive" if block.asks else "block"
    long = len(piece.fence) > _LONG
    fence = f"{len(piece.fence):,} times {piece.fence[0]!r}" if long else piece.fence
    close = (
        f"close it with a line that is {piece.prefix}{fence}"
        if piece.prefix.strip()
        else (
            f"close it with {fence} on a line of its own"
            + (f", indented by {len(piece.prefix)} spaces like its first line" if piece.prefix else "")
        )
    )
    if not block.closed:
        yield Problem(block.first, column, f"the {what} opened here is never closed", close)
    elif block.asks and any(line.strip() for line in block.content):
        if _opener_within(out, piece):
            message = "the directive opened here is not closed before the next fence opens"
            yield Problem(block.first, column, message, close)
            return
        index = next(i for i, line in enumerate(block.content) if line.strip())
        origin, option = ("its record", "run=") if block.snippet is None else ("the pinned source", "snippet=")
        message = f"a directive must be empty: its text comes from {origin}"
        mend = f"delete what stands between its fences, or take the {option} off"
        yield Problem(block.first + 1 + index, column, message, mend)
    elif not block.asks and block.typed and not any(line.strip() for line in block.content):
        what = "an unsourced block" if block.message is None else "the block of a message"
        yield Problem(block.first, column, f"{what} has no content", "write what it shows, or delete it")


def _opener_within(out: Outline, piece: Piece) -> bool:
    """Whether a line inside a directive opens another fence of the same kind: the sign of a missing close."""
    inside = (opening(out.lines[index]) for index in range(piece.first + 1, piece.last))
    return any(opened and opened[:2] == (piece.prefix, piece.fence) and opened[2] for opened in inside)


def _indented(out: Outline, rows: list[Row], footnote: str) -> Block:
    """A block of indented code; what looked like a fence or a comment in it is its text."""
    content: list[str] = []
    first = at = rows[0].line
    for row in rows:
        content += [""] * (row.line - at)
        piece = out.pieces.get(row.line) if row.text.endswith(OPAQUE) else None
        last = piece.last if piece else row.line
        content += [cut(out.raw[index], _removed(out, row)) for index in range(row.line, last + 1)]
        at = last + 1
    return Block(
        kind="indented",
        first=first + 1,
        last=first + len(content),
        content=tuple(content),
        footnote=footnote,
        prefix=out.lines[first][: _removed(out, rows[0])],
    )


def _removed(out: Outline, row: Row) -> int:
    """How many columns of its line the block rules took off a row."""
    piece = out.pieces.get(row.line) if row.text.endswith(OPAQUE) else None
    return (len(piece.prefix) + 1 if piece else len(out.lines[row.line])) - len(row.text)


def _comment(
    out: Outline, piece: Piece, markers: list[Marker], comments: list[Comment], problems: list[Problem]
) -> None:
    """A comment is a marker when it says `snippetlock: name`, alone on one line."""
    text = out.lines[piece.first][len(piece.prefix) :].strip()
    body = text.removeprefix("<!--").removesuffix("-->").strip()
    key, colon, name = body.partition(":")
    if piece.first != piece.last or not colon or key.strip() != "snippetlock":
        comments.append(Comment(first=piece.first + 1, last=piece.last + 1, prefix=piece.prefix))
        return
    name = name.strip()
    if name in MARKERS:
        markers.append(Marker(name=name, first=piece.first + 1, last=piece.last + 1, prefix=piece.prefix))
        return
    near = nearest(name, MARKERS)
    mend = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(MARKERS)}"
    problems.append(Problem(piece.first + 1, len(piece.prefix) + 1, f"unknown marker {name!r}", mend))


def _unended(out: Outline, code: set[int]) -> Iterator[Problem]:
    for line, column in out.unended:
        if line not in code:
            yield Problem(line + 1, column + 1, "the comment opened here is never closed", "close it with -->")


def _asks_within(text: str) -> bool:
    """Whether a text has the option of a directive in it. A call may have a `run=` of its own."""
    return "snippet=" in text or ("run=" in text and re.search(r"""[ \t]run=["']""", text) is not None)


def _front_problems(out: Outline) -> Iterator[Problem]:
    for index in range(out.front):
        opened = opening(out.lines[index])
        if opened and _asks_within(opened[2]):
            column = len(opened[0]) + 1
            yield Problem(
                index + 1, column, "a directive in front matter is never shown", "move it below the closing ---"
            )


def _inline(out: Outline, nesting: Nesting, code: set[int]) -> tuple[list[Block], list[Problem]]:
    """Go over the rows of text: `<pre>` inside paragraphs, and directives that are no blocks."""
    blocks: list[Block] = []
    problems: list[Problem] = []
    for piece in out.pieces.values():
        if piece.kind in ("raw", "html") and piece.first not in code:
            blocks += _pres(out, range(piece.first, piece.last + 1), out.loose)
    for row in out.rows:
        if row.line in code or row.text.endswith(OPAQUE) or row.line in out.pieces:
            continue
        if _asks_within(row.text):
            problems += _misplaced(out.lines[row.line], row, nesting)
        if "<pre" in row.text.lower():
            blocks += _pres(out, range(row.line, row.line + 1), ())
    return blocks, problems


def _misplaced(line: str, row: Row, nesting: Nesting) -> Iterator[Problem]:
    """A directive inside a line: in a table, in a code span it opens itself, behind a list marker or other text.

    One inside a code span that something else opens is an example on purpose.
    """
    inside = iter(spans(line))
    span = next(inside, (len(line), len(line)))
    found = [*runs(line), (len(line), "")]
    for (at, fence), (end, _) in pairwise(found):
        while span[1] <= at:
            span = next(inside, (len(line), len(line)))
        if span[0] < at or not _asks_within(line[at + len(fence) : end].partition("`")[0]):
            continue
        where = "in a table" if row.line in nesting.table else "inside a line of text"
        yield Problem(row.line + 1, at + 1, f"a directive {where} is never filled", _ALONE)


def _pres(out: Outline, lines: range, loose: list[Piece] | tuple[()]) -> Iterator[Block]:
    """Every `<pre>` that stands in lines of raw HTML or in a paragraph, up to its end tag or the last line."""
    inside = {index for piece in loose for index in range(piece.first, piece.last + 1)}
    ended = -1
    for index in lines:
        if index <= ended or index in inside:
            continue
        for name, closing, at in tags(masked(out.lines[index])):
            if name != "pre" or closing or index <= ended:
                continue
            ended = index
            while ended < lines[-1] and "</pre" not in out.lines[ended].lower():
                ended += 1
            yield Block(
                kind="html",
                first=index + 1,
                last=ended + 1,
                prefix=prefix_of(out.lines[index])[:at],
                content=tuple(out.raw[i] for i in range(index, ended + 1)),
            )
