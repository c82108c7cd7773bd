"""What the prose of a page puts into code marks, with what stands around it. Pure; linear in the text.

Built on the one scanner, as `inline` is: what that takes for a block or a comment says nothing here. Of HTML written
out `<code>` does, and what drawings write.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from snippetlock.records import dataclass
from snippetlock.references.layout import Layout
from snippetlock.references.paragraphs import Flow, Run, column_of, columns
from snippetlock.references.written import Written, read_drawing, written_out

__all__ = ["Drawn", "Link", "Said", "Speech", "drawing", "speech"]

_AROUND = 80  # characters of prose kept on each side
_ATTRIBUTES = re.compile(r"\{:?[ \t]*([^{}\n]*)\}")
_CLASS = re.compile(r"(?:^|\s)\.([\w-]+)")
_ADDRESS = re.compile(r"https?://[^\s<>()\[\]\"'`]+")
_ROLE = re.compile(r"\{([\w:-]+)\}$")
_NONE: frozenset[str] = frozenset()


class Said(NamedTuple):  # and no dataclass: a large page says hundreds, and a tuple is made in a third of the time
    """One code span, or code that HTML marks.

    `text` is without its marks, line feeds in it are spaces; line and column are 1-based: of the first backtick, of
    the first character between tags.

    `paragraph` numbers the paragraph, list item, table row or heading that it stands in, `section` is the line of the
    heading above it (its own, in a heading), 0 before the first. `marks` are the classes of an attribute list
    behind it. `before` and `after` are the prose beside it, other spans blanked.
    """

    text: str
    line: int
    column: int
    paragraph: int
    section: int
    marks: frozenset[str] = frozenset()
    role: str = ""
    before: str = ""
    after: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """An address in prose, where it begins. `label` is the code that it is shown as, empty for words."""

    address: str
    line: int
    column: int
    label: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """Words that a drawing writes and does not mark as code. `places` are the line and column of each character."""

    text: str
    places: tuple[tuple[int, int], ...]
    section: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Speech:
    """What a page says: its spans, addresses and the words of its drawings, in order, and its headings' lines."""

    spans: tuple[Said, ...]
    links: tuple[Link, ...]
    headings: tuple[int, ...]
    drawn: tuple[Drawn, ...] = ()


def speech(text: str, layout: Layout | None = None) -> Speech:
    """Every code span and address of a page; `layout` is its, where there is one already. Raises nothing."""
    layout = Layout(text) if layout is None else layout
    spans: list[Said] = []
    links: list[Link] = []
    section = 0
    for number, run in enumerate(layout.runs):
        section = run.heading or section
        if _has(run, "`"):
            spans += _spans(run.flow, layout.raw, number, section)
        if _has(run, "://"):
            links += _links(run.flow, layout.raw)
    headings = tuple(run.heading for run in layout.runs if run.heading)
    written = written_out(layout)
    if not written:
        return Speech(spans=tuple(spans), links=tuple(links), headings=headings)
    spans += _marked(written)
    return Speech(
        spans=tuple(sorted(spans, key=lambda one: (one.line, one.column))),
        links=tuple(links),
        headings=headings,
        drawn=tuple(_drawn(written)),
    )


def drawing(text: str, section: int) -> Speech:
    """What a drawing in a file of its own says, shown in a section of a page. Raises nothing."""
    written = read_drawing(text, section)
    return Speech(spans=tuple(_marked(written)), links=(), headings=(), drawn=tuple(_drawn(written)))


def _marked(written: Iterable[Written]) -> Iterator[Said]:
    for one in written:
        if one.code:
            yield Said(
                text=one.text,
                line=one.places[0][0],
                column=one.places[0][1],
                paragraph=one.paragraph,
                section=one.section,
                before=one.before,
                after=one.after,
            )


def _drawn(written: Iterable[Written]) -> Iterator[Drawn]:
    return (Drawn(text=one.text, places=one.places, section=one.section) for one in written if not one.code)


def _has(run: Run, mark: str) -> bool:
    return any(mark in row.text for row in run.rows)


def _spans(flow: Flow, raw: tuple[str, ...], number: int, section: int) -> Iterator[Said]:
    text, bare = flow.text, flow.bare
    read, place_of = -1, columns("")
    for first, end in flow.spans:
        inner = text[first:end].lstrip("`")
        run = end - first - len(inner)
        line, column = flow.place(first)
        if line != read:
            read, place_of = line, columns(raw[line])
        attributes = _ATTRIBUTES.match(bare, end) if bare.startswith("{", end) else None
        behind = attributes.end() if attributes else end
        before = bare[max(0, first - _AROUND) : first]
        role = _ROLE.search(before) if before.endswith("}") else None
        yield Said(
            text=inner[: len(inner) - run].replace("\n", " ").strip(" "),
            line=line + 1,
            column=place_of(column),
            paragraph=number,
            section=section,
            marks=frozenset(_CLASS.findall(attributes[1])) if attributes else _NONE,
            role=role[1] if role else "",
            before=before,
            after=bare[behind : behind + _AROUND],
        )


def _links(flow: Flow, raw: tuple[str, ...]) -> Iterator[Link]:
    for found in _ADDRESS.finditer(flow.bare):
        line, column = flow.place(found.start())
        address = found[0].rstrip(".,;:!?")
        label = _label(flow, found.start())
        yield Link(address=address, line=line + 1, column=column_of(raw[line], column), label=label)


def _label(flow: Flow, at: int) -> str:
    """What a link is shown as, where that is one code span; `at` is where its address begins."""
    if flow.bare[at - 2 : at] != "](":
        return ""
    opened = flow.bare.rfind("[", 0, at - 2)
    inside = flow.text[opened + 1 : at - 2].strip()
    return inside[1:-1] if opened >= 0 and re.fullmatch("`[^`]++`", inside) else ""
