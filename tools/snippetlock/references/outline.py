"""Split a page into rows of text and the pieces no row rule looks into: fences, comments, raw HTML. Pure.

First of two steps (the second is `nesting`). It goes once over the lines, in Python-Markdown's dialect: a fence
may stand behind any indentation and quote marks, is closed by the same run of the same character behind the
same prefix, and is given up where its container ends. Comments are read before fences, in the order of the
page, so that nothing inside a comment counts; the Markdown extension makes the rendering agree.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from snippetlock.records import dataclass, field
from snippetlock.references.lines import TAB, balance, behind, expand, masked, opening, prefix_of, tag_at

OPAQUE = "\x02"  # stands for a piece inside a row; pages cannot hold it, `expand` removes it

# Python-Markdown's block-level elements; those it never looks into; those whose content is one paragraph.
_RAW = frozenset(["canvas", "math", "option", "pre", "script", "style", "textarea"])
_SPAN = frozenset(
    [*["address", "dd", "dt", "legend", "li", "p", "summary", "td", "th"], *(f"h{n}" for n in range(1, 7))]
)
_HOLDS = """
    article aside blockquote body center colgroup details dialog dir div dl fieldset figcaption figure footer form
    frameset group header hgroup html iframe main map menu nav noframes noscript object ol output progress section
    table tbody tfoot thead tr ul video
"""
_BLOCK = _RAW | _SPAN | frozenset(_HOLDS.split())

Kind = Literal["fence", "unclosed", "comment", "raw", "html", "open", "close"]


class Row(NamedTuple):
    """A line as the block rules see it: normalised text, and the line of the page it is (from 0)."""

    text: str
    line: int


@dataclass(slots=True)
class Piece:
    """Lines `first` to `last` (from 0, both included) that are one thing. `prefix` is the first line's."""

    kind: Kind
    first: int
    last: int
    prefix: str = ""
    fence: str = ""
    info: str = ""


@dataclass(slots=True)
class Outline:
    """A page taken apart. `rows` holds one row for each piece; `pieces` are keyed by their first line.

    `loose` are fences and `<pre>` inside raw HTML: shown, but outside every block rule.
    """

    raw: tuple[str, ...]
    lines: tuple[str, ...]
    rows: list[Row] = field(default_factory=list)
    pieces: dict[int, Piece] = field(default_factory=dict)
    loose: list[Piece] = field(default_factory=list)
    unended: list[tuple[int, int]] = field(default_factory=list)  # comments never closed: line, column from 0
    front: int = 0


def outline(raw: tuple[str, ...], *, front: bool) -> Outline:
    """Go over a page's lines (without line ends) once. `front`: whether it may start with front matter."""
    out = Outline(raw=raw, lines=tuple(expand(line) for line in raw))
    out.front = _front(out.lines) if front else 0
    _Walk(out).run()
    return out


def _front(lines: tuple[str, ...]) -> int:
    if not lines or lines[0].rstrip() != "---":
        return 0
    for index in range(1, len(lines)):
        if lines[index].rstrip() in ("---", "..."):
            return index + 1
    return 0


class _Walk:
    """The one pass. `given_up` keeps, for a fence behind a prefix, the line up to which it is known not to close."""

    def __init__(self, out: Outline) -> None:
        self.out = out
        self.lines = out.lines
        self.given_up: dict[tuple[str, str], int] = {}
        self.no_comment_end = len(out.lines) + 1  # from here on no `-->`
        self.no_inline_end = 0  # up to here no `-->` before the paragraph ends
        self.open: list[str] = []  # elements whose content is Markdown

    def run(self) -> None:
        at = self.out.front
        while at < len(self.lines):
            at = self._step(at)

    def _step(self, at: int) -> int:
        line = self.lines[at]
        prefix = prefix_of(line)
        body = line[len(prefix) :]
        if body.startswith("<!--"):
            return self._comment(at, prefix)
        if body[:1] in ("`", "~") and (opened := opening(line)):
            return self._fence(at, *opened)
        if body.startswith("<") and len(prefix) < TAB and ">" not in prefix:
            return self._element(at, body, prefix)
        self._row(at)
        return self._inline_comment(at) if "<!--" in line else at + 1

    def _inline_comment(self, at: int) -> int:
        """Step over the lines of a comment that starts in the middle of a paragraph's line."""
        start = masked(self.lines[at]).rfind("<!--")
        if start < 0 or "-->" in self.lines[at][start:] or at < self.no_inline_end:
            return at + 1
        for line in range(at + 1, len(self.lines) + 1):
            if line == len(self.lines) or not self.lines[line]:
                self.no_inline_end = line
                return at + 1
            if "-->" in self.lines[line]:
                break
        self._masked_rows(at + 1, line, 0, self.lines[line].index("-->") + 3)
        return line + 1

    def _masked_rows(self, first: int, last: int, start: int, end: int) -> None:
        """Rows of lines whose text is a comment's, from column `start` of the first to `end` of the last."""
        for at in range(first, last + 1):
            line = self.lines[at]
            begin = start if at == first and start else len(prefix_of(line))
            stop = max(begin, end if at == last else len(line))
            self._row(at, line[:begin] + OPAQUE * max(stop - begin, not line) + line[stop:])

    def _row(self, at: int, text: str | None = None) -> None:
        self.out.rows.append(Row(self.lines[at] if text is None else text, at))

    def _piece(self, piece: Piece) -> int:
        self.out.pieces[piece.first] = piece
        self._row(piece.first, piece.prefix + OPAQUE)
        return piece.last + 1

    def _comment(self, at: int, prefix: str) -> int:
        last, column = self._comment_end(at, len(prefix) + 4)
        if last < 0:
            self.out.unended.append((at, len(prefix)))
            self._row(at)
            return at + 1
        rest = self.lines[last][column:]
        if len(prefix) < TAB and ">" not in prefix:
            self._piece(Piece("comment", at, last, prefix))
            return self._tail(last, rest)
        if rest.strip():  # the lines are a paragraph's
            self._masked_rows(at, last, len(prefix), column)
            return last + 1
        return self._piece(Piece("comment", at, last, prefix))

    def _tail(self, last: int, rest: str) -> int:
        """Raw HTML ends its block; what stands behind it on its last line is a paragraph of its own."""
        self.out.rows.append(Row("", last))
        if rest.strip():
            self._row(last, rest.lstrip(" "))
        return last + 1

    def _comment_end(self, at: int, start: int) -> tuple[int, int]:
        """The line and the column behind the `-->` of a comment that starts at a line and column, or -1."""
        for line in range(at, min(len(self.lines), self.no_comment_end)):
            found = self.lines[line].find("-->", start if line == at else 0)
            if found >= 0:
                return line, found + 3
        self.no_comment_end = min(self.no_comment_end, at + 1)
        return -1, 0

    def _fence(self, at: int, prefix: str, fence: str, info: str) -> int:
        last = self._fence_end(at, prefix, fence)
        if last < 0:
            self.out.pieces[at] = Piece("unclosed", at, at, prefix, fence, info)
            self._row(at)
            return at + 1
        return self._piece(Piece("fence", at, last, prefix, fence, info))

    def _fence_end(self, at: int, prefix: str, fence: str) -> int:
        """The line that closes the fence opened on line `at`, or -1."""
        if at < self.given_up.get((prefix, fence), -1):
            return -1
        quoted, width = prefix.count(">"), len(prefix)
        blank = False
        for line in range(at + 1, len(self.lines)):
            text = self.lines[line]
            lead = text[:width]
            lead = lead[: len(lead) - len(lead.lstrip("> "))]
            body = text[len(lead) :]
            marks = lead.count(">")
            if not body.strip(" ") and marks <= quoted:
                blank = True
                continue
            if marks > quoted or len(lead) < width or (blank and marks < quoted):
                break
            if body.rstrip(" ") == fence:
                return line
            blank = False
        else:
            line = len(self.lines)
        self.given_up[prefix, fence] = line
        return -1

    def _element(self, at: int, body: str, prefix: str) -> int:
        name, closing = tag_at(body, 0)
        if name not in _BLOCK or (closing and self.open[-1:] != [name]):
            self._row(at)
            return at + 1
        if closing:
            self.open.pop()
            self.out.pieces[at] = Piece("close", at, at, prefix)
            self._row(at, OPAQUE)
            return at + 1
        end, value = self._markdown(at)
        if value in ("1", "block", "markdown", "") and name not in _RAW and (name not in _SPAN or value == "block"):
            return self._open(at, end, name, prefix)
        return self._raw(at, name, prefix)

    def _open(self, at: int, end: int, name: str, prefix: str) -> int:
        """An element whose content is Markdown. What follows its tag on the same line is its first row."""
        rest = self.lines[end].partition(">")[2] if end == at else ""
        if f"</{name}" in rest.lower():
            return self._raw(at, name, prefix)
        self.open.append(name)
        self.out.pieces[at] = Piece("open", at, end, prefix)
        self._row(at, OPAQUE)
        if rest.strip():
            self._row(at, rest)
        return end + 1

    def _markdown(self, at: int) -> tuple[int, str | None]:
        """The line that ends the tag opened on line `at`, and the value of its `markdown` attribute."""
        tag, end = "", at
        for end in range(at, min(at + 20, len(self.lines))):
            before, mark, _ = self.lines[end].partition(">")
            tag += before + " "
            if mark:
                break
        for word in tag.split():
            key, _, value = word.partition("=")
            if key == "markdown":
                return end, value.strip("\"'/")
        return end, None

    def _raw(self, at: int, name: str, prefix: str) -> int:
        """Raw HTML up to the end of its outermost element; fences inside it are shown all the same."""
        piece = Piece("html" if name == "pre" else "raw", at, at, prefix)
        line, depth = at, 0
        while line < len(self.lines):
            text = self.lines[line]
            if line > at and name not in _RAW:
                skip = self._inside(line, text)
                if skip > line:
                    line = skip
                    continue
            depth += balance(text, name)
            if depth <= 0:
                break
            line += 1
        piece.last = min(line, len(self.lines) - 1)
        self._piece(piece)
        return self._tail(piece.last, behind(self.lines[piece.last], name)) if line == piece.last else line

    def _inside(self, at: int, text: str) -> int:
        """Step over a comment, a fence or a `<pre>` inside raw HTML, or stay."""
        body = text.lstrip("> ")
        if body.startswith("<!--"):
            last, _ = self._comment_end(at, text.index("<!--") + 4)
            return last + 1 if last >= 0 else at
        if opened := opening(text):
            last = self._fence_end(at, *opened[:2])
            if last >= 0:
                self.out.loose.append(Piece("fence", at, last, *opened))
                return last + 1
        return at
