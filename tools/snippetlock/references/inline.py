"""Find the inline code of a Markdown page, and the headings it stands under. Pure; linear in the text.

On top of the one scanner: what `outline` and `nesting` take for a fence, a comment or indented code holds no inline
code. Of HTML written out `<code>` is that, and in a drawing what is marked as code.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from snippetlock.records import dataclass
from snippetlock.references.layout import Layout
from snippetlock.references.paragraphs import Flow, column_of
from snippetlock.references.written import written_out

__all__ = ["Inline", "Prose", "inline_code"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Inline:
    """One code span: its text without the backticks, where it begins, and its section.

    `column` is that of the first backtick in the page's own line; between the tags of HTML, of the text itself. A
    section is what stands between two headings: it has the number of the heading's line, 0 before the first one.
    """

    text: str
    line: int
    column: int
    section: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Prose:
    """The code spans of a page, in order, and the lines of its headings."""

    spans: tuple[Inline, ...]
    headings: tuple[int, ...]

    def section(self, line: int) -> int:
        """The section that a line stands in."""
        at = bisect_right(self.headings, line)
        return self.headings[at - 1] if at else 0


def inline_code(text: str, layout: Layout | None = None) -> Prose:
    """Every code span of a page; `layout` is its, where there is one already. Raises nothing."""
    layout = Layout(text) if layout is None else layout
    raw = layout.raw
    headings = tuple(sorted(run.heading for run in layout.runs if run.heading))
    prose = Prose(spans=(), headings=headings)
    found = [
        Inline(text=said, line=line + 1, column=column_of(raw[line], column), section=prose.section(line + 1))
        for run in layout.runs
        for said, line, column in _spans(run.flow)
    ]
    for one in written_out(layout):
        if one.code:
            line, column = one.places[0]
            found.append(Inline(text=one.text, line=line, column=column, section=prose.section(line)))
    return Prose(spans=tuple(sorted(found, key=lambda one: (one.line, one.column))), headings=headings)


def _spans(flow: Flow) -> Iterator[tuple[str, int, int]]:
    """The text, the line (from 0) and the column (from 0, tabs expanded) of each span of a paragraph."""
    for first, end in flow.spans:
        marked = flow.text[first:end]
        run = len(marked) - len(marked.lstrip("`"))
        said = marked[run : len(marked) - run].replace("\n", " ")
        yield said.strip(" "), *flow.place(first)
