"""Read what a built HTML page shows as code, as a browser reads it: every `<pre>`, in order. Pure."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import NamedTuple

from snippetlock.text import normalise

_FOOTNOTE = "fn:"  # how Python-Markdown begins the id of a footnote


class Pre(NamedTuple):
    """One `<pre>`: its text, its classes, the line of the HTML that opens it, the footnote that holds it."""

    text: str
    classes: tuple[str, ...]
    line: int
    footnote: str


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
        self._items: list[str] = []  # open list items: the label of a footnote, or ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "li":
            name = dict(attrs).get("id") or ""
            self._items.append(name[len(_FOOTNOTE) :] if name.startswith(_FOOTNOTE) else "")
        elif tag == "pre":
            self._depth += 1
            if self._depth == 1:
                self._classes = tuple((dict(attrs).get("class") or "").split())
                self._line = self.getpos()[0]
                self._parts = []
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

    def handle_data(self, data: str) -> None:
        if self._depth:
            self._parts.append(data[1:] if self._fresh and data.startswith("\n") else data)
        self._fresh = False

    def close(self) -> None:
        super().close()
        if self._depth:
            self._finish()

    def _finish(self) -> None:
        footnote = next((label for label in reversed(self._items) if label), "")
        self.found.append(Pre("".join(self._parts), self._classes, self._line, footnote))
