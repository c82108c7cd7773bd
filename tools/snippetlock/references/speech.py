"""What the prose of a page puts into code marks, with what stands around it. Pure; linear in the text.

Built on the one scanner, as `inline` is: what that takes for a block, a comment or raw HTML says nothing here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from snippetlock.references.inline import column_of, flow, paragraphs
from snippetlock.references.nesting import nest
from snippetlock.references.outline import Row, outline
from snippetlock.text import split_lines

__all__ = ["Link", "Said", "Speech", "speech"]

_AROUND = 80  # characters of prose kept on each side
_ATTRIBUTES = re.compile(r"\{:?[ \t]*([^{}\n]*)\}")
_CLASS = re.compile(r"(?:^|\s)\.([\w-]+)")
_ADDRESS = re.compile(r"https?://[^\s<>()\[\]\"'`]+")
_ROLE = re.compile(r"\{([\w:-]+)\}$")


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


def speech(text: str) -> Speech:
    """Every code span and address of a page. Raises nothing."""
    raw = tuple(line.rstrip("\r\n") for line in split_lines(text))
    out = outline(raw, front=True)
    nesting = nest(out)
    code = {row.line for _, rows in nesting.code for row in rows}
    runs = [run for run in paragraphs(out.rows, code, nesting.table) if run[0]]
    runs.sort(key=lambda run: run[0][0].line)
    spans: list[Said] = []
    links: list[Link] = []
    section = 0
    for number, (rows, heading) in enumerate(runs):
        section = heading or section
        spans += _spans(rows, raw, number, section)
        links += _links(rows, raw)
    headings = tuple(line for _, line in runs if line)
    return Speech(spans=tuple(spans), links=tuple(links), headings=headings)


def _spans(rows: list[Row], raw: tuple[str, ...], number: int, section: int) -> Iterator[Said]:
    if not any("`" in row.text for row in rows):
        return
    joined = flow(rows)
    for first, end in joined.spans:
        marked = joined.text[first:end]
        run = len(marked) - len(marked.lstrip("`"))
        line, column = joined.place(first)
        attributes = _ATTRIBUTES.match(joined.bare, end)
        behind = attributes.end() if attributes else end
        before = joined.bare[max(0, first - _AROUND) : first]
        role = _ROLE.search(before)
        yield Said(
            text=marked[run : len(marked) - run].replace("\n", " ").strip(" "),
            line=line + 1,
            column=column_of(raw[line], column),
            paragraph=number,
            section=section,
            marks=frozenset(_CLASS.findall(attributes[1])) if attributes else frozenset(),
            role=role[1] if role else "",
            before=before,
            after=joined.bare[behind : behind + _AROUND],
        )


def _links(rows: list[Row], raw: tuple[str, ...]) -> Iterator[Link]:
    if not any("://" in row.text for row in rows):
        return
    joined = flow(rows)
    for found in _ADDRESS.finditer(joined.bare):
        line, column = joined.place(found.start())
        yield Link(address=found[0].rstrip(".,;:!?"), line=line + 1, column=column_of(raw[line], column))
