"""Read what a built HTML page shows as code, as a browser reads it: every `<pre>`, in order. Pure.

Older elements that show text as it stands (`<xmp>`, `<listing>`, `<plaintext>`), and the one that shows it to
be changed (`<textarea>`), are read like `<pre>`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from snippetlock.references.markup import Token, tokens
from snippetlock.text import line_of, line_starts, normalise

_FOOTNOTE = "fn:"  # how Python-Markdown begins the id of a footnote
_CODE = frozenset({"pre", "listing", "xmp", "plaintext", "textarea"})
_TRIMS = frozenset({"pre", "listing", "textarea"})  # those that drop a line feed right after their start tag
# What may stand within code: it changes how letters look, not which there are.
_INLINES = "span code a b i u s em strong mark small var kbd samp ins del"
_INLINE = frozenset(_INLINES.split())
_VOIDS = "area base br col embed hr img input link meta param source track wbr"
_VOID = frozenset(_VOIDS.split())
_MAYBE = re.compile(r"<(?:[^\s<>:]*:)?(?:pre|listing|xmp|plaintext|textarea|iframe|frame|object|embed)\b", re.I)
_HIDES = re.compile(
    r"display|visibility|opacity|position|clip|transform|transparent|content|font-size|height|width|direction|order",
    re.I,
)


class Figure(NamedTuple):
    """What a snippet's figure says beside its code: the text around `<pre>`, and where its two links lead.

    `name` is what is read aloud, `snippet` the id; what is not there is empty. Blanks of `caption` are run together.
    """

    snippet: str
    name: str
    caption: str
    source: str
    repository: str


class Pre(NamedTuple):
    """One `<pre>`: its text, its classes, the line of the HTML that opens it, the footnote that holds it.

    `figure` is the snippet's figure that it is the first block of; `numbers` are those before its lines. `odd` is
    what makes readers see something else than the text.
    """

    text: str
    classes: tuple[str, ...]
    line: int
    footnote: str
    figure: Figure | None = None
    numbers: tuple[str, ...] = ()
    odd: tuple[str, ...] = ()


class Doubt(NamedTuple):
    """Something of a page that browsers and this reader may take differently, and its line."""

    line: int
    what: str


class Shown(NamedTuple):
    """What a page shows as code, and what of it is uncertain."""

    blocks: tuple[Pre, ...] = ()
    doubts: tuple[Doubt, ...] = ()


def read(html: str) -> Shown:
    """Every outermost block of a page. The file's own line ends become line feeds, as in a browser."""
    if not _MAYBE.search(html):
        return Shown()
    html = normalise(html)
    reader = _Reader(line_starts(html))
    for token in tokens(html):
        reader.take(token)
    reader.end()
    return Shown(tuple(reader.found), tuple(reader.doubts))


class _Reader:
    def __init__(self, starts: tuple[int, ...]) -> None:
        self.found: list[Pre] = []
        self.doubts: list[Doubt] = []
        self._starts = starts
        self._open = ""  # the element that is being read
        self._depth = 0
        self._fresh = False  # nothing but the start tag so far: HTML drops a line feed here
        self._parts: list[str] = []
        self._classes: tuple[str, ...] = ()
        self._line = 0
        self._numbers: list[str] = []
        self._odd: dict[str, None] = {}
        self._items: list[str] = []  # open list items: the label of the footnote that each is in, or ""
        self._hidden: dict[str, int] = {}  # open elements that are not shown, with how many of their name are open
        self._figure: dict[str, str] | None = None  # the figure that is open: its attributes, and where its links lead
        self._said: list[str] = []  # its text outside <pre>
        self._holder = -1  # which block it holds; -1 before there is one

    def take(self, token: Token) -> None:
        """Go one piece further."""
        fresh, self._fresh = self._fresh, False
        if token.kind == "text":
            self._text(token.name, fresh)
        elif token.kind == "open":
            self._start(token.name, token.attributes, token.at)
        elif token.kind == "close":
            self._end(token.name)
        elif token.kind == "doubt":
            self.doubts.append(Doubt(line_of(self._starts, token.at), token.name))

    def end(self) -> None:
        """The page ends, and all that is open with it."""
        if self._depth:
            self._finish()
        self._close_figure()

    def _text(self, text: str, fresh: bool) -> None:
        if self._depth:
            self._parts.append(text[1:] if fresh and text.startswith("\n") else text)
        elif self._figure is not None:
            self._said.append(text)

    def _start(self, tag: str, attributes: Mapping[str, str], at: int) -> None:
        if self._depth:
            self._inside(tag, attributes)
        elif tag in _CODE:
            self._begin(tag, attributes, at)
            return
        if tag not in _VOID:
            if tag in self._hidden:
                self._hidden[tag] += 1
            elif "hidden" in attributes:
                self._hidden[tag] = 1
        if tag == "figure":
            self._open_figure(attributes)
        elif tag == "a" and self._figure is not None:
            names = attributes.get("class", "").split()
            self._figure.update(dict.fromkeys(names, attributes.get("href", "")))
        elif tag == "li":
            name = attributes.get("id", "")
            above = self._items[-1] if self._items else ""
            self._items.append(name[len(_FOOTNOTE) :] if name.startswith(_FOOTNOTE) else above)

    def _begin(self, tag: str, attributes: Mapping[str, str], at: int) -> None:
        self._open, self._depth = tag, 1
        self._classes = tuple(attributes.get("class", "").split())
        self._line = line_of(self._starts, at)
        self._parts, self._numbers = [], []
        self._odd = {} if tag == "pre" else {f"it is a <{tag}>": None}
        if self._hidden:
            self._odd[f"it stands in a <{next(iter(self._hidden))}> that is hidden"] = None
        self._look(tag, attributes)
        self._fresh = tag in _TRIMS

    def _inside(self, tag: str, attributes: Mapping[str, str]) -> None:
        if tag == self._open:
            self._depth += 1
        if tag not in _INLINE:
            self._odd[f"<{tag}> stands in it"] = None
        if tag == "span" and "data-n" in attributes:
            self._numbers.append(attributes["data-n"])
        self._look(tag, attributes)

    def _look(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Remember what hides or moves text."""
        for name in ("hidden", "dir"):
            if name in attributes:
                self._odd[f"its <{tag}> has the attribute {name!r}"] = None
        if "style" in attributes and _HIDES.search(attributes["style"]):
            self._odd[f"its <{tag}> has a style of its own: {attributes['style']}"] = None

    def _end(self, tag: str) -> None:
        if self._depth and tag == self._open:
            self._depth -= 1
            if not self._depth:
                self._finish()
            return
        if self._depth and tag not in _INLINE:
            self._odd[f"</{tag}> stands in it"] = None
        if tag in self._hidden:
            self._hidden[tag] -= 1
            if not self._hidden[tag]:
                del self._hidden[tag]
        if tag == "li" and self._items:
            self._items.pop()
        elif tag == "figure":
            self._close_figure()

    def _open_figure(self, attributes: Mapping[str, str]) -> None:
        self._close_figure()
        names = attributes.get("class", "").split()
        if "snippetlock" in names and "snippetlock-unsourced" not in names:
            self._figure, self._said, self._holder = dict(attributes), [], -1

    def _close_figure(self) -> None:
        """Give the figure that ends to the block it holds: its caption may stand below the code too."""
        if self._figure is not None and self._holder >= 0:
            asked = ("data-snippet", "aria-label", "", "snippetlock-source", "snippetlock-repository")
            snippet, name, _, source, repository = (self._figure.get(key, "") for key in asked)
            said = Figure(snippet, name, " ".join("".join(self._said).split()), source, repository)
            self.found[self._holder] = self.found[self._holder]._replace(figure=said)
        self._figure = None

    def _finish(self) -> None:
        self._depth = 0
        text = "".join(self._parts)
        if self._open == "textarea" and not text.strip():
            return  # a field to write in
        footnote = self._items[-1] if self._items else ""
        if self._figure is not None and self._holder < 0:
            self._holder = len(self.found)
        numbers, odd = tuple(self._numbers), tuple(self._odd)
        self.found.append(Pre(text, self._classes, self._line, footnote, numbers=numbers, odd=odd))
