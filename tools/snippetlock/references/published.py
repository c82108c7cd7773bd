"""Read what a built HTML page shows as code, as a browser reads it: every `<pre>`, in order. Pure."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import NamedTuple

from snippetlock.text import normalise

_FOOTNOTE = "fn:"  # how Python-Markdown begins the id of a footnote


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

    `figure` is the snippet's figure that it is the first block of; `numbers` are those before its lines.
    """

    text: str
    classes: tuple[str, ...]
    line: int
    footnote: str
    figure: Figure | None = None
    numbers: tuple[str, ...] = ()


def preformatted(html: str) -> tuple[Pre, ...]:
    """Every outermost `<pre>` of a page. The file's own line ends become line feeds, as in a browser."""
    if "<pre" not in html and "<PRE" not in html.upper():
        return ()
    reader = _Reader()
    reader.feed(normalise(html))
    reader.close()
    return tuple(reader.found)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[Pre] = []
        self._depth = 0
        self._fresh = False  # nothing but the start tag so far: HTML drops a line feed here
        self._parts: list[str] = []
        self._classes: tuple[str, ...] = ()
        self._line = 0
        self._numbers: list[str] = []
        self._items: list[str] = []  # open list items: the label of a footnote, or ""
        self._figure: dict[str, str] | None = None  # the figure that is open: its attributes, and where its links lead
        self._said: list[str] = []  # its text outside <pre>
        self._holder = -1  # which block it holds; -1 before there is one

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "span":
            if self._depth:
                self._numbers += [value or "" for key, value in attrs if key == "data-n"]
        elif tag == "figure":
            self._open_figure({key: value or "" for key, value in attrs})
        elif tag == "a":
            if self._figure is not None:
                known = {key: value or "" for key, value in attrs}
                self._figure.update(dict.fromkeys(known.get("class", "").split(), known.get("href", "")))
        elif tag == "li":
            name = dict(attrs).get("id") or ""
            self._items.append(name[len(_FOOTNOTE) :] if name.startswith(_FOOTNOTE) else "")
        elif tag == "pre":
            self._depth += 1
            if self._depth == 1:
                self._classes = tuple((dict(attrs).get("class") or "").split())
                self._line = self.getpos()[0]
                self._parts = []
                self._numbers = []
                self._fresh = True
                return
        self._fresh = False

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)  # `<pre/>` opens an element in HTML; a slash means nothing

    def handle_endtag(self, tag: str) -> None:
        self._fresh = False
        if tag == "li" and self._items:
            self._items.pop()
        elif tag == "pre" and self._depth:
            self._depth -= 1
            if not self._depth:
                self._finish()
        elif tag == "figure":
            self._close_figure()

    def handle_data(self, data: str) -> None:
        if self._depth:
            self._parts.append(data[1:] if self._fresh and data.startswith("\n") else data)
        elif self._figure is not None:
            self._said.append(data)
        self._fresh = False

    def close(self) -> None:
        super().close()
        if self._depth:
            self._finish()
        self._close_figure()

    def _open_figure(self, attributes: dict[str, str]) -> None:
        self._close_figure()
        names = attributes.get("class", "").split()
        if "snippetlock" in names and "snippetlock-unsourced" not in names:
            self._figure, self._said, self._holder = attributes, [], -1

    def _close_figure(self) -> None:
        """Give the figure that ends to the block it holds: its caption may stand below the code too."""
        if self._figure is not None and self._holder >= 0:
            asked = ("data-snippet", "aria-label", "", "snippetlock-source", "snippetlock-repository")
            snippet, name, _, source, repository = (self._figure.get(key, "") for key in asked)
            said = Figure(snippet, name, " ".join("".join(self._said).split()), source, repository)
            self.found[self._holder] = self.found[self._holder]._replace(figure=said)
        self._figure = None

    def _finish(self) -> None:
        footnote = next((label for label in reversed(self._items) if label), "")
        if self._figure is not None and self._holder < 0:
            self._holder = len(self.found)
        numbers = tuple(self._numbers)
        self.found.append(Pre("".join(self._parts), self._classes, self._line, footnote, numbers=numbers))
