"""Markdown by heading: a section is its heading and what follows, up to the next heading that is not below it.

By the heading's text (`README.md:Quick start`) or its anchor (`README.md:#quick-start`), as GitHub makes them or
as `{#anchor}` gives it. Headings are lines of the page itself: not in a fence, a comment, a list or a quote.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from snippetlock.errors import LISTED, AmbiguousSymbol, UnknownSymbol, nearest
from snippetlock.model import Found, Part, Region, Selector, Tree
from snippetlock.text import decode, is_blank, line_at, sha256, split_lines

__all__ = ["find_section", "sections"]

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")
_ATX = re.compile(r" {0,3}(#{1,6})(?=[ \t]|\Z)")
_SETEXT = re.compile(r" {0,3}(=+|-+)[ \t]*")
_NO_PARAGRAPH = re.compile(r"(?: {4}|\t| {0,3}(?:[-*+>|]|\d{1,9}[.)][ \t]|<))")
_ANCHOR = re.compile(r"\{:?[^{}#]*#([^\s{}]+)[^{}]*\}")
_LONGEST = 1000  # characters of a title that are looked at for markup
_MARKUP = re.compile(
    r"`+|\*+|!?\[([^\]]*)\](?:\([^()]*\)|\[[^\]]*\])|(?<!\w)_+|_+(?!\w)|<[^<>]*>|\\(?=[!-/:-@\[-`{-~])"
)
_NO_SLUG = re.compile(r"[^\w\- ]")


class _Heading(NamedTuple):
    level: int
    title: str
    anchor: str
    start: int


def find_section(tree: Tree, selector: Selector) -> Found:
    """Find one section of a Markdown file. Raises as `find` does."""
    path = selector.path
    data = tree.read(path)
    text = decode(data, path, python=False)
    headings = list(_headings(text))
    asked = selector.name
    if len(asked) > 1 and asked[0] == asked[-1] == '"':
        asked = asked[1:-1]
    found = _named(headings, asked)
    numbered = re.fullmatch(r"(.+)#([1-9]\d*)", asked)
    if not found and numbered:
        found = _named(headings, numbered[1])[int(numbered[2]) - 1 : int(numbered[2])]
    if not found:
        raise _unknown(selector, asked, text, headings)
    if len(found) > 1:
        rows = [(f"{path}:{asked}#{i}", path, line_at(text, h.start)) for i, h in enumerate(found[:LISTED], start=1)]
        raise AmbiguousSymbol(asked, path=path, candidates=rows, count=len(found))
    whole = _section(text, headings, found[0])
    head = Region(start=whole.start, end=whole.start)
    part = Part(name=found[0].title, selector=selector.name, kind="key", whole=whole, head=head)
    return Found(
        selector=selector, path=path, text=text, language="markdown", part=part, consulted=((path, sha256(data)),)
    )


def sections(text: str) -> Iterator[tuple[str, str, Region]]:
    """The title, the anchor and all of each section."""
    headings = list(_headings(text))
    for heading in headings:
        yield heading.title, heading.anchor, _section(text, headings, heading)


def _named(headings: list[_Heading], asked: str) -> list[_Heading]:
    """Those of this title; where there is none, those of this anchor."""
    titled = [h for h in headings if asked in (h.title, _plain(h.title))]
    return titled or [h for h in headings if h.anchor == asked.removeprefix("#")]


def _section(text: str, headings: list[_Heading], heading: _Heading) -> Region:
    after = (h.start for h in headings if h.start > heading.start and h.level <= heading.level)
    end = next(after, len(text))
    lines = split_lines(text[heading.start : end])
    while is_blank(lines[-1]):
        lines = lines[:-1]
    return Region(start=heading.start, end=heading.start + sum(map(len, lines)))


def _headings(text: str) -> Iterator[_Heading]:
    seen: dict[str, int] = {}
    for level, words, start in _titles(text):
        anchor = _ANCHOR.fullmatch(words, max(0, words.rfind("{")))
        title = words[: anchor.start()].strip() if anchor else words
        slug = anchor[1] if anchor else _NO_SLUG.sub("", _plain(title).lower()).replace(" ", "-")
        count = seen[slug] = seen.get(slug, -1) + 1
        yield _Heading(level, title, f"{slug}-{count}" if count and not anchor else slug, start)


def _plain(title: str) -> str:
    return _MARKUP.sub(lambda found: found[1] or "", title[:_LONGEST])


def _titles(text: str) -> Iterator[tuple[int, str, int]]:
    """(level, text, where it starts) of each heading."""
    fence, comment = "", False
    paragraph: tuple[str, int] | None = None  # a line that an underline would make a heading
    at = 0
    front = text.startswith("---") and is_blank(split_lines(text)[0][3:])
    for number, line in enumerate(split_lines(text)):
        start, at = at, at + len(line)
        line = line.rstrip("\r\n")
        before, paragraph = paragraph, None
        if front:
            front = number == 0 or line.rstrip() not in ("---", "...")
        elif fence:
            closes = _FENCE.fullmatch(line)
            if closes and closes[1].startswith(fence) and not closes[2].strip():
                fence = ""
        elif comment or line.lstrip().startswith("<!--"):
            comment = "-->" not in line[line.find("<!--") + 4 if not comment else 0 :]
        elif (opens := _FENCE.fullmatch(line)) and not (opens[1][0] == "`" and "`" in opens[2]):
            fence = opens[1]
        elif atx := _ATX.match(line):
            yield len(atx[1]), _unclosed(line[atx.end() :].strip(" \t")), start
        elif before and (under := _SETEXT.fullmatch(line)):
            yield 1 if under[1][0] == "=" else 2, before[0], before[1]
        elif line.strip() and not _NO_PARAGRAPH.match(line):
            paragraph = (f"{before[0]} {line.strip()}", before[1]) if before else (line.strip(), start)


def _unclosed(title: str) -> str:
    """A title without the `##` that may close it: in `C#` it closes nothing."""
    bare = title.rstrip("#")
    return bare.rstrip(" \t") if bare == "" or bare[-1] in " \t" else title


def _unknown(selector: Selector, asked: str, text: str, headings: list[_Heading]) -> UnknownSymbol:
    names = {(f"#{h.anchor}" if asked.startswith("#") else h.title): h for h in reversed(headings)}
    near = nearest(asked, names)
    shown = near or [name for name, _ in sorted(names.items(), key=lambda pair: pair[1].start)][:8]
    return UnknownSymbol(
        asked,
        path=selector.path,
        known=near,
        noun="heading",
        evidence=[f"{selector.path}:{line_at(text, names[n].start)}  {selector.path}:{n}" for n in shown],
        mend="" if near else "name one of the headings that are there" if names else "the file has no headings",
    )
