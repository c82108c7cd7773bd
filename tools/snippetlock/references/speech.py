"""What the prose of a page puts into code marks, with what stands around it. Pure; linear in the text.

Built on the one scanner, as `inline` is: what that takes for a block, a comment or raw HTML says nothing here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from snippetlock.records import dataclass
from snippetlock.references.layout import Layout
from snippetlock.references.paragraphs import Flow, Run, column_of, columns

__all__ = ["Link", "Said", "Speech", "speech"]

_AROUND = 80  # characters of prose kept on each side
_ATTRIBUTES = re.compile(r"\{:?[ \t]*([^{}\n]*)\}")
_CLASS = re.compile(r"(?:^|\s)\.([\w-]+)")
_ADDRESS = re.compile(r"https?://[^\s<>()\[\]\"'`]+")
_ROLE = re.compile(r"\{([\w:-]+)\}$")
_NONE: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One code span. `text` is without its backticks, line feeds in it are spaces; line and column are 1-based.

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
    """An address in prose, where it begins."""

    address: str
    line: int
    column: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Speech:
    """What a page says: its spans and addresses, in order, and the lines of its headings."""

    spans: tuple[Said, ...]
    links: tuple[Link, ...]
    headings: tuple[int, ...]


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
    return Speech(
        spans=tuple(spans), links=tuple(links), headings=tuple(run.heading for run in layout.runs if run.heading)
    )


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
        yield Link(address=found[0].rstrip(".,;:!?"), line=line + 1, column=column_of(raw[line], column))
