"""A source view: one pinned file as a page of its own, with the lines that the docs quote marked. Pure.

Standalone on purpose: any builder can put it into its site, and no request leaves it. The text of its first
`<pre>` is the file's text, byte for byte; numbers and marks are attributes that the style sheet draws.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache
from html import escape
from importlib.resources import files

from snippetlock.links import fragment
from snippetlock.model import Pin
from snippetlock.records import dataclass
from snippetlock.report.html import line_ends, permalink
from snippetlock.report.labels import Labels

_CHUNK = 200  # lines that a browser lays out together, or not at all while they are far from the screen

# The colour scheme that the reader chose on a Material page of the same site, before the first paint.
_PALETTE = (
    '(function(){try{var c=JSON.parse(localStorage.getItem(new URL("%s",location).pathname+".__palette")).color;'
    'if(c.media!=="(prefers-color-scheme)")document.documentElement.dataset.scheme=c.scheme==="slate"?"dark":"light"}'
    "catch(e){}})()"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """An address as the view sees it, and its text."""

    href: str
    text: str
    language: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Quoted:
    """A snippet of this file: its lines from first to last, those of them that are shown, and who shows them."""

    id: str
    first: int
    last: int
    shown: frozenset[int]
    pages: tuple[Link, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """Everything a source view says. `code` is what `source_code` made of the file, in UTF-8, whatever the language.

    `root` and `home` are addresses of the site's root folder and of the start page in this language.
    """

    path: str
    code: bytes
    count: int  # lines
    digest: str
    pin: Pin
    quoted: tuple[Quoted, ...]
    licence: str
    root: str
    home: str
    twins: tuple[Link, ...] = ()
    own: bool = False  # a file of the docs, of no release and no repository of the library's


def source_page(view: View, labels: Labels) -> bytes:
    """The HTML of a source view in UTF-8. The code, which is most of it, is only put in its place."""
    return b"".join((_utf8(_before(view, labels)), view.code, _utf8(_after(view, labels))))


def _before(view: View, labels: Labels) -> str:
    title = labels.source_of.format(path=view.path, pin=_origin(view, labels))
    digits = len(str(max(1, view.count)))
    return (
        f'<!doctype html>\n<html lang="{escape(labels.language)}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<link rel="icon" href="data:,">\n'  # or a browser asks the server for one that is not there
        f"<title>{escape(title)}</title>\n<script>{_PALETTE % _script(view.root)}</script>\n"
        f'<style>\n{_asset("sourceview.css")}</style>\n</head>\n<body style="--digits:{digits}">\n'
        f'<a class="skip" href="#code">{escape(labels.skip)}</a>\n{_header(view, labels)}'
        '<main id="code">\n<div class="code" tabindex="0" role="region" '
        f'aria-label="{escape(view.path)}"><pre><code>'
    )


def _after(view: View, labels: Labels) -> str:
    return (
        f"</code></pre></div>\n{_notes(view.quoted, labels)}</main>\n{_footer(view, labels)}"
        f"<script>\n{_asset('sourceview.js')}</script>\n</body>\n</html>\n"
    )


def _utf8(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


@cache
def _asset(name: str) -> str:
    return files("snippetlock.report").joinpath(name).read_text(encoding="utf-8")


def _script(text: str) -> str:
    """Text inside a string of an inline script."""
    return escape(text).replace("\\", "\\\\")


def _header(view: View, labels: Labels) -> str:
    folder, slash, file = view.path.rpartition("/")
    name = f"<span>{escape(folder + slash).replace('/', '/<wbr>')}</span>{escape(file)}"
    twins = " ".join(
        f'<a href="{escape(t.href)}" hreflang="{escape(t.language)}">{escape(t.text)}</a>' for t in view.twins
    )
    link = "" if view.own else permalink(view.pin, view.path)
    repository = f'<div><a href="{escape(link)}">{escape(labels.repository)}</a></div>' if link else ""
    facts = (
        f'<dl class="facts"><div><dt>{escape(_origin(view, labels))}</dt></div>'
        f"<div><dt>{escape(labels.sha256)}</dt><dd><code>{view.digest}</code></dd></div>{repository}</dl>"
    )
    licence = f' <a href="#licence">{escape(labels.licence.format(name=view.pin.name))}</a>' if view.licence else ""
    whose = labels.ours if view.own else labels.not_ours
    return (
        f'<nav><a href="{escape(view.home)}">← {escape(labels.home)}</a> '
        f'<a class="top" href="#code">{escape(view.path)}</a> <span>{twins}</span></nav>\n'
        f'<header>\n<h1>{name}</h1>\n{facts}\n<p class="note">{escape(whose)}{licence}</p>\n'
        f"{_uses(view.quoted, labels)}</header>\n"
    )


def _origin(view: View, labels: Labels) -> str:
    return labels.own if view.own else view.pin.label


def _uses(quoted: Sequence[Quoted], labels: Labels) -> str:
    if not quoted:
        return ""
    items = "".join(
        f'<li><a href="#{fragment(q.first, q.last)}">{escape(labels.span(q.first, q.last))}</a>'
        f"<span>{_links(q.pages, labels)}</span></li>\n"
        for q in quoted
    )
    return f'<section class="uses"><h2>{escape(labels.quoted)}</h2>\n<ul>\n{items}</ul></section>\n'


def _links(pages: Sequence[Link], labels: Labels) -> str:
    return escape(labels.comma).join(f'<a href="{escape(page.href)}">{escape(page.text)}</a>' for page in pages)


def source_code(text: str, lines: Sequence[str], marks: Sequence[tuple[int, int, Collection[int]]]) -> str:
    """Every line of a file as a block with its number; its text is the file's.

    `lines` are the file's, highlighted (`report.html.code_lines`), without their ends. `marks` are its quotations:
    the first line, the last, and the lines that are shown. `#L7-L9` of one is an anchor too, for readers without
    scripts.
    """
    marked = {number for _, _, shown in marks for number in shown}
    ranges: dict[int, str] = {}
    for name, first in sorted({(fragment(first, last), first) for first, last, _ in marks if first < last}):
        ranges[first] = ranges.get(first, "") + f'<span id="{name}"></span>'
    ends = line_ends(text)
    parts: list[str] = []
    for number, (line, end) in enumerate(zip(lines, ends, strict=True), start=1):
        if number % _CHUNK == 1:
            size = min(_CHUNK, len(ends) - number + 1)
            parts.append(f'{"</span>" if parts else ""}<span class="c" style="--n:{size}">')
        name = "l q" if number in marked else "l"
        parts.append(
            f'<span class="{name}" id="L{number}" data-n="{number}">{ranges.get(number, "")}{line}{end}</span>'
        )
    return "".join(parts) + ("</span>" if parts else "")


def _notes(quoted: Sequence[Quoted], labels: Labels) -> str:
    """The margin: beside each quotation, who shows it. A note that would lie on another moves down."""
    notes, free = [], 1
    for q in sorted(quoted, key=lambda q: (q.first, q.last)):
        at = max(q.first, free)
        links = "".join(
            f'<a href="{escape(page.href)}" title="{escape(page.text)}">{escape(page.text)}</a>' for page in q.pages
        )
        where = f'<span class="where">{escape(labels.span(q.first, q.last))}</span>'
        notes.append(f'<div style="--at:{at}">{where}{links}</div>')
        free = at + 2 + len(q.pages)
    return f'<aside class="notes" aria-label="{escape(labels.quoted)}">{"".join(notes)}</aside>\n' if notes else ""


def _footer(view: View, labels: Labels) -> str:
    if not view.licence:
        return ""
    title = escape(labels.licence.format(name=view.pin.name))
    return f'<footer id="licence"><h2>{title}</h2>\n<pre>\n{escape(view.licence)}</pre></footer>\n'
