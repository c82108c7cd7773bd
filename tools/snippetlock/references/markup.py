"""Take HTML apart into tags and text, as the standard's tokeniser does. Pure, and linear in the text.

No parser of a library is asked: those that Python comes with differ from browsers, and from each other. Where
what a browser makes of a page depends on more than its tags, that is said (`doubt`) and not guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import unescape
from typing import NamedTuple

# Elements whose content is no markup. What is in the first is on the page, what is in the second nowhere.
_SPOKEN = frozenset({"textarea", "xmp", "title"})
_SILENT = frozenset({"script", "style", "iframe", "noembed", "noframes"})
_ESCAPES = frozenset({"textarea", "title"})  # those in which `&lt;` is a `<`
_FRAMES = frozenset({"iframe", "frame", "object", "embed"})
# All that a drawing within a page may be made of, so that where it ends is certain.
_ELEMENTS = (
    "svg g path circle ellipse rect line polyline polygon text tspan textpath defs use symbol marker mask pattern a "
    "clippath lineargradient radialgradient stop image switch view filter animate animatetransform animatemotion set "
    "title desc metadata style script math mrow mi mn mo ms mtext mfrac msqrt mroot msub msup msubsup munder mover "
    "munderover mtable mtr mtd mspace mstyle mpadded mphantom semantics annotation"
)
_DRAWING = frozenset(_ELEMENTS.split())
_WORDS = _DRAWING & {"title", "desc", "metadata", "style", "script", "mi", "mn", "mo", "ms", "mtext", "annotation"}

_DEEPEST = 8  # drawings within each other that are followed

_OPEN = re.compile(r"<(?:(?P<close>/?)(?P<name>[A-Za-z][^\t\n\f />]*)|(?P<comment>!--)|(?P<odd>[!?]|/(?=.)))", re.S)
_COMMENT = re.compile(r"-?>|.*?(?:--!?>|\Z)", re.S)
_ATTRIBUTE = re.compile(
    r"[\t\n\f /]*(?:(?P<end>>)|(?P<name>[^\t\n\f />][^\t\n\f />=]*)"
    r"(?P<value>[\t\n\f ]*=[\t\n\f ]*(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)'|(?P<bare>[^\t\n\f >\"'][^\t\n\f >]*)"
    r"|(?=>)))?)"
)
_ASSIGNED = re.compile(r"[\t\n\f ]*=")
_PLAIN = re.compile(r"(?:[^<]|</?[A-Za-z](?:[^<>\"']|\"[^\"<>]*\"|'[^'<>]*')*>)*")
_HELD = re.compile(r"<(?:pre|xmp|listing|plaintext|textarea|iframe|script|style|title|noembed|noframes)\b", re.I)


class _Within:
    """What is open: the drawings, and how far the last `<noscript>` reaches."""

    def __init__(self) -> None:
        self.drawings: list[str] = []
        self.silence = 0


class Token(NamedTuple):
    """A piece of a page: `kind` is "open", "close", "text", "comment" or "doubt". `at` is an offset.

    `name` is a tag's, in small letters; the text of a text, what is uncertain of a doubt. `empty`: written `<tag/>`,
    which in a drawing ends it at once, and elsewhere says nothing.
    """

    kind: str
    name: str
    at: int
    attributes: Mapping[str, str] = {}
    empty: bool = False


def tokens(html: str, *, xml: bool = False) -> Iterator[Token]:
    """Every piece of a page whose line ends are line feeds. A tag that is cut off by the end is none.

    `xml`: it is a file of XML, in which no element's content is anything but markup. No entity that it declares is
    resolved, and nothing that it leads to is read.
    """
    within = _Within()
    start = at = 0
    while (at := html.find("<", at)) >= 0:
        found = _OPEN.match(html, at)
        if found is None:
            at += 1
            continue
        if at > start:
            yield Token("text", unescape(html[start:at]), start)
        if found["comment"]:
            yield Token("comment", "", at)
            closed = _COMMENT.match(html, found.end())
            start = at = closed.end() if closed else len(html)
        elif found["odd"]:
            start, doubt = _odd(html, at)
            if doubt:
                yield Token("doubt", doubt, at)
            at = start
        else:
            name, first = found["name"].lower(), at
            attributes, at, empty = _attributes(html, found.end())
            if at < 0:
                return
            for doubt in _doubts(html, at, name, attributes, bool(found["close"]), empty, within):
                yield Token("doubt", doubt, first)
            yield Token("close" if found["close"] else "open", name, first, attributes, empty)
            if not found["close"] and not within.drawings and not xml:
                inside, at = _within(html, at, name)
                yield from inside
            start = at
    if start < len(html):
        yield Token("text", unescape(html[start:]), start)


def _odd(html: str, at: int) -> tuple[int, str]:
    """The end of `<!…>`, `<?…>` or `</…>`, none of which shows anything, and what is uncertain about it."""
    end = html.find(">", at) + 1 or len(html)
    if html.startswith("<![CDATA[", at):
        return end, "a CDATA section"
    if html.startswith("<?", at) and html[end - 2 : end] != "?>":
        return end, "a processing instruction"
    return end, "a document type with declarations" if html.startswith("<!", at) and "[" in html[at:end] else ""


def _attributes(html: str, at: int) -> tuple[dict[str, str], int, bool]:
    """A tag's attributes, where it ends (-1: nowhere), and whether with a slash. The first of a name counts."""
    found: dict[str, str] = {}
    while part := _ATTRIBUTE.match(html, at):
        at = part.end()
        if part["end"]:
            return found, at, part[0][-2:-1] == "/"
        if part["value"] is None and _ASSIGNED.match(html, at):
            break  # a quote that nothing closes
        value = part["double"] or part["single"] or part["bare"] or ""
        found.setdefault(part["name"].lower(), unescape(value))
    return {}, -1, False


def _within(html: str, at: int, name: str) -> tuple[tuple[Token, ...], int]:
    """What is between the tags of an element whose content is no markup, and where its end tag begins."""
    if name == "plaintext":
        return (Token("text", html[at:], at),), len(html)
    if name not in _SPOKEN and name not in _SILENT:
        return (), at
    end = _end_tag(html, at, name)
    if end == at or name in _SILENT:
        return (), end
    return (Token("text", unescape(html[at:end]) if name in _ESCAPES else html[at:end], at),), end


def _end_tag(html: str, at: int, name: str) -> int:
    found = re.compile(rf"</{name}[\t\n\f />]", re.I).search(html, at)
    return found.start() if found else len(html)


def _doubts(
    html: str, at: int, name: str, attributes: Mapping[str, str], closing: bool, empty: bool, within: _Within
) -> Iterator[str]:
    """What a tag that ends at `at` makes uncertain. Keeps `within`."""
    drawing = within.drawings
    if not closing and name in _FRAMES:
        address = (attributes.get("src") or attributes.get("data") or "").strip().lower()
        if "srcdoc" in attributes or address.startswith(("data:", "javascript:")):
            yield f"a page within the page (<{name}>)"
    if not closing and ":" in name and _HELD.match(f"<{name.rpartition(':')[2]}"):
        yield f"an element of a namespace (<{name}>)"
    if drawing and name not in _DRAWING:
        yield f"<{'/' * closing}{name}> within a drawing"
        drawing.clear()
    elif closing:
        while drawing and name in ("svg", "math") and name in drawing and drawing.pop() != name:
            pass
    elif drawing and name in _WORDS and not empty:
        following = html.find("<", at)
        if following >= 0 and html[following : following + len(name) + 2].lower() != f"</{name}":
            yield f"<{name}> within a drawing, with more than words in it"
            drawing.clear()
    elif name in ("svg", "math") and not empty:
        drawing.append(name)
        if len(drawing) > _DEEPEST:
            yield "drawings within drawings"
            drawing.clear()
    elif not drawing and name == "script":
        if html.find("<!--", at, _end_tag(html, at, name)) >= 0:
            yield "a comment within a <script>"
    elif not drawing and name == "noscript" and at > within.silence:
        within.silence = _end_tag(html, at, name)
        inside = html[at : within.silence]
        if not _PLAIN.fullmatch(inside) or _HELD.search(inside):
            yield "what is shown where no script runs (<noscript>)"
