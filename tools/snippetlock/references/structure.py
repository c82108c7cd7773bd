"""Read what two pages in two languages have in common: headings with their anchors, links, images, and sections. Pure.

On top of the one scanner. A section is what stands from one heading to the next, whatever their levels. Its `units`
are what readers see of it, without the layout of the source: paragraphs on one line each, code as it stands. Its
digest is that of the units.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from hashlib import sha256

from snippetlock.records import dataclass
from snippetlock.references.alike import Table, Typed, tables, typed
from snippetlock.references.blocks import Block, Scan
from snippetlock.references.headings import Heading, attributes, headings, stated
from snippetlock.references.layout import Layout
from snippetlock.references.linked import Found, find_links, html_links, label_of, target_of
from snippetlock.references.marks import rule_line
from snippetlock.references.outline import OPAQUE, Outline, Row
from snippetlock.references.paragraphs import Flow, Run, column_of
from snippetlock.references.parts import Nesting
from snippetlock.references.scan import scan

__all__ = ["TOP", "Link", "Section", "Structure", "structure"]

TOP = "(top)"  # the anchor, as we write it, of what stands above the first heading
_LONG = 16  # hex digits of a digest: it tells versions of one section apart, and guards nothing
_BRACED = re.compile(r"\{:?[ ]*([^{}\n]*#[^{}\n]*)\}")
_ID = re.compile(r"\bid\s*=\s*[\"']?([^\s\"'>]+)")
_ITEM = re.compile(r"(?:([*+-])|\d+\.)[ ]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A link or an image, where it begins (1-based), and where it leads, as written."""

    line: int
    column: int
    target: str
    image: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """Lines `first` to `last` of a page; `anchor` is its heading's, `TOP` for what stands above all of them.

    `prose` are those of its units that are neither its title nor code: paragraphs, items, rows of tables, raw HTML.
    """

    anchor: str
    title: str
    first: int
    last: int
    units: tuple[str, ...]
    prose: tuple[str, ...]
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Structure:
    """What one page has. Everything in the order of its lines. `typed` are the code spans that may be commands."""

    headings: tuple[Heading, ...]
    links: tuple[Link, ...]
    sections: tuple[Section, ...]
    typed: tuple[Typed, ...] = ()
    tables: tuple[Table, ...] = ()

    def section(self, line: int) -> Section | None:
        """The section that a line stands in."""
        return next((one for one in reversed(self.sections) if one.first <= line), None)


def structure(text: str, seen: Scan | None = None) -> Structure:
    """Read a page. `seen` is its scan, where there is one already; it keeps what was read. Raises nothing."""
    seen = scan(text) if seen is None else seen
    layout = Layout(text) if seen.layout is None else seen.layout
    known = layout.memo.get("structure")
    if not isinstance(known, Structure):
        known = layout.memo["structure"] = _read(layout, seen)
    return known


def _read(layout: Layout, seen: Scan) -> Structure:
    out, nesting, code = layout.out, layout.nesting, layout.code
    defined = _defined(nesting)
    runs = list(_runs(layout))
    found = headings(nesting.titles, defined, _taken(out, runs, nesting))
    links = sorted(_links(out, runs, defined, code), key=lambda one: (one.line, one.column))
    titles = {title.line + 1 for title in nesting.titles}
    units = [(line, text, line not in titles) for line, text in _texts(runs, nesting, defined)]
    units += [(line, text, False) for line, text in _blocks(seen)]
    units += [(line, text, True) for line, text in _raws(out, code)]
    units.sort(key=lambda one: one[0])
    return Structure(
        headings=found,
        links=tuple(links),
        sections=tuple(_sections(found, units, seen.front, out.lines)),
        typed=tuple(sorted(typed(runs, out.raw), key=lambda one: (one.line, one.column))),
        tables=tuple(tables(nesting.table)),
    )


def _runs(layout: Layout) -> Iterator[Run]:
    """Each paragraph, without the rows that say where references lead."""
    aside = {row.line for row in layout.nesting.defined}
    for run in layout.runs:
        if not aside or not any(row.line in aside for row in run.rows):
            yield run
            continue
        left: list[Row] = []
        for row in run.rows:
            if row.line not in aside:
                left.append(row)
            elif left:
                yield Run(left)
                left = []
        if left:
            yield Run(left)


def _defined(nesting: Nesting) -> dict[str, str]:
    """Where the names of references lead."""
    found: dict[str, str] = {}
    for row in nesting.defined:
        label, _, rest = row.text.lstrip("> ")[1:].partition("]:")
        written = rest.split()[0].lstrip("<").rstrip(">")
        found[label_of(label)] = target_of(written)
    return found


def _taken(out: Outline, runs: list[Run], nesting: Nesting) -> Iterator[str]:
    """The anchors that other elements than headings state."""
    titles = {title.line for title in nesting.titles}
    for run in runs:
        bare = run.flow.bare
        if "{" in bare and run.rows[0].line not in titles:
            yield from (own for match in _BRACED.finditer(bare) if (own := stated(match[1])))
    for piece in out.pieces.values():
        if piece.kind == "open":
            yield from _ID.findall(" ".join(out.lines[piece.first : piece.last + 1]).partition(">")[0])


def _links(out: Outline, runs: list[Run], defined: Mapping[str, str], code: set[int]) -> Iterator[Link]:
    about = {row.line for run in runs for row in run.rows}
    for run in runs:
        one = run.flow
        for found in find_links(one.text, one.bare, defined):
            line, column = one.place(found.start)
            at = column_of(out.raw[line], column)
            yield from (Link(line=line + 1, column=at, target=one, image=found.image) for one in _targets(found))
    for piece in out.pieces.values():
        if piece.kind not in ("raw", "html", "open") or piece.first in code or piece.first in about:
            continue
        lines = out.lines[piece.first : piece.last + 1]
        text = "\n".join(lines)
        for found in html_links(text):
            before = text[: found.start]
            line = piece.first + before.count("\n")
            column = found.start - before.rfind("\n") - 1
            at = column_of(out.raw[line], column)
            yield from (Link(line=line + 1, column=at, target=one, image=found.image) for one in _targets(found))


def _targets(found: Found) -> tuple[str, ...]:
    return (found.target, *found.more)


# What readers see, without its layout


def _texts(runs: list[Run], nesting: Nesting, defined: Mapping[str, str]) -> Iterator[tuple[int, str]]:
    titles = {title.line: title for title in nesting.titles}
    for run in runs:
        rows, whole = run.rows, run.flow
        first = rows[0].line
        if first in titles:
            yield first + 1, attributes(titles[first].text)[0]
            rows = [row for row in rows[1:] if row.text.strip("=- ")]
            if not rows:
                continue
            whole = Run(rows).flow
        row = rows[0].line in nesting.table
        said = _cells(_shown(whole, 0, len(whole.text))) if row else _said(whole, defined)
        if said and not rule_line(said):
            yield rows[0].line + 1, said


def _cells(row: str) -> str:
    """A row of a table, its cells apart; nothing for the one that rules it off."""
    if not row.strip("|:- "):
        return ""
    return " | ".join(" ".join(cell.split()) for cell in row.strip("| ").split("|"))


def _said(one: Flow, defined: Mapping[str, str]) -> str:
    """A paragraph on one line: comments gone, where a reference leads written out, one mark for each kind of list."""
    parts, at = [], 0
    for found in find_links(one.text, one.bare, defined):
        if found.by_name and found.start >= at:
            parts += [_shown(one, at, found.last), f"]({found.target})"]
            at = found.end
    text = " ".join("".join([*parts, _shown(one, at, len(one.text))]).split())
    mark = _ITEM.match(text)
    return text if mark is None else f"{'-' if mark[1] else '1.'} {text[mark.end() :]}"


def _shown(one: Flow, first: int, last: int) -> str:
    """A part of a paragraph without its comments, which `bare` has blanked and no code span explains."""
    if "<!--" not in one.text and OPAQUE not in one.text:
        return one.text[first:last]
    kept, at = [], first
    for start, end in [*(span for span in one.spans if first <= span[0] and span[1] <= last), (last, last)]:
        kept += [one.bare[at:start], one.text[start:end]]
        at = end
    return "".join(kept).replace(OPAQUE, "")


def _blocks(seen: Scan) -> Iterator[tuple[int, str]]:
    for marker in seen.markers:
        yield marker.first, f"<!-- snippetlock: {marker.name} -->"
    for block in seen.blocks:
        if block.kind != "html":  # read with the HTML that it stands in
            yield block.first, _block(block)


def _block(block: Block) -> str:
    options = " ".join(f'{name}="{value}"' for name, value in block.options.items())
    return "\n".join([" ".join(part for part in ("```", block.language, options) if part), *block.content])


def _raws(out: Outline, code: set[int]) -> Iterator[tuple[int, str]]:
    """Raw HTML, its blanks run together."""
    for piece in out.pieces.values():
        if piece.kind in ("raw", "html", "open") and piece.first not in code:
            last = piece.last + 1
            yield piece.first + 1, " ".join(" ".join(out.lines[piece.first : last]).split())


def _sections(
    found: tuple[Heading, ...], units: list[tuple[int, str, bool]], front: int, lines: tuple[str, ...]
) -> Iterator[Section]:
    starts = [(front + 1, TOP, ""), *((one.line, one.anchor, one.title) for one in found)]
    at = 0
    for number, (first, anchor, title) in enumerate(starts):
        end = starts[number + 1][0] if number + 1 < len(starts) else len(lines) + 1
        own = []
        while at < len(units) and (units[at][0] < end or number + 1 == len(starts)):
            own.append(units[at])
            at += 1
        if own or anchor != TOP:
            whole = tuple(text for _, text, _ in own)
            prose = tuple(text for _, text, spoken in own if spoken)
            digest = sha256("\0".join(whole).encode("utf-8", "surrogatepass")).hexdigest()[:_LONG]
            last = next((line for line in range(end - 1, first, -1) if lines[line - 1]), first)
            yield Section(anchor=anchor, title=title, first=first, last=last, units=whole, prose=prose, digest=digest)
