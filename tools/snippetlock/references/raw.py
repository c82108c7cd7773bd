"""What HTML puts into code marks, and what a drawing writes: `<code>` in a page, `<text>` in an SVG. Pure; linear.

A drawing is read by the tokeniser that raw HTML is read by, in a page and in a file of its own. It makes no tree,
resolves no entity that a file declares and follows nothing that one leads to, so there is nothing to guard against
that a parser of XML would bring; it tells places as offsets; and no library is needed for it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from snippetlock.references.markup import Token, tokens

__all__ = ["Wrote", "wrote"]

_AROUND = 80  # characters of prose kept on each side
_SPOKEN = ("text", "title", "desc")
_SILENT = ("style", "script", "metadata", "pre", "id")
# Groups that a program made: their `<title>` is what its input called them, and no word of the picture.
_GENERATED = frozenset(["graph", "cluster", "node", "edge"])
# The elements that are followed; any other is as if its tags were not there.
_KEPT = frozenset((*_SPOKEN, *_SILENT, "svg", "g", "a", "switch", "symbol", "tspan", "textpath", "code"))
_WORD = re.compile(r"[^\W_]+")
_PLACED = ("x", "y", "dy")  # a `<tspan>` with one of these begins a line of its own
_BRACKETS = re.compile(r"[()\[\]{}]")


class Wrote(NamedTuple):
    """A piece of text, blanks run together; `at` is the offset of its first character.

    `code`: it stands in `<code>`, or in a drawing's element, or a group, of which a class has the word `code`. Else it
    is what a drawing writes, and `ats` are the offsets of its characters. `before` and `after` are the prose beside
    code of a page.
    """

    text: str
    at: int
    code: bool
    ats: tuple[int, ...] = ()
    before: str = ""
    after: str = ""


def wrote(html: str, *, xml: bool = False) -> Iterator[Wrote]:
    """Every such piece, in order. `xml`: it is a file of its own. Raises nothing."""
    reader = _Reader(_plain(html) if xml else html)
    for token in tokens(reader.html, xml=xml):
        reader.take(token)
    reader.end()
    prose = "".join(reader.prose)
    for one, first, last in reader.found:
        around = prose[max(0, first - _AROUND) : first], prose[last : last + _AROUND] if last else ""
        yield one._replace(before=around[0], after=around[1])


def _plain(xml: str) -> str:
    """A file with its CDATA sections as the text that they are; every character stays where it is."""
    parts, at = [], 0
    while (start := xml.find("<![CDATA[", at)) >= 0:
        end = xml.find("]]>", start)
        end = len(xml) if end < 0 else end
        inner = xml[start + len("<![CDATA[") : end].replace("<", " ").replace("&", " ")
        parts += [xml[at:start], " " * len("<![CDATA["), inner, " " * len("]]>")]
        at = end + len("]]>")
    return "".join([*parts, xml[at:]])


class _Reader:
    """What is open, and the piece that is being read."""

    def __init__(self, html: str) -> None:
        self.html = html
        self.open: list[tuple[str, bool]] = []  # name, and whether it or one around it marks code
        self.count: Counter[str] = Counter()
        self.chars: list[str] = []
        self.ats: list[int] = []
        self.depth = 0  # of the brackets in it
        self.prose: list[str] = []  # of a page, code blanked
        self.length = 0
        self.begun = (0, False, False)  # where the piece begins in the prose, whether it is code, and drawn
        self.found: list[tuple[Wrote, int, int]] = []

    def take(self, token: Token) -> None:
        """Read one token."""
        if token.kind == "text":
            self._text(token)
        elif token.kind in ("open", "close"):
            name = token.name.rpartition(":")[2]
            if name in _KEPT:
                (self._opened if token.kind == "open" else self._closed)(name, token)

    def end(self) -> None:
        """The text is read."""
        self._flush()

    @property
    def _drawn(self) -> bool:
        return self.count["svg"] > 0

    @property
    def _code(self) -> bool:
        return bool(self.open) and self.open[-1][1]

    def _opened(self, name: str, token: Token) -> None:
        if name == "g" and _GENERATED.intersection(token.attributes.get("class", "").split()):
            name = "g of ids"
        elif name == "title" and self.count["g of ids"]:
            name = "id"
        drawn = self._drawn or name == "svg"
        code = self._code or name == "code" or (drawn and _says_code(token.attributes))
        line = name == "tspan" and any(each in token.attributes for each in _PLACED)
        if name in _SPOKEN or code != self._code or (line and not self._unfinished()):
            self._flush()
        if not (token.empty and drawn):
            self.open.append((name, code))
            self.count[name] += 1

    def _closed(self, name: str, token: Token) -> None:
        name = self._called(name)
        if not self.count[name]:
            return
        left, code = "", self._code
        while left != name:
            left = self.open.pop()[0]
            self.count[left] -= 1
        if name in _SPOKEN or name == "svg" or code != self._code:
            self._flush()

    def _called(self, name: str) -> str:
        """The element that an end tag is of, as it was opened."""
        either = {"g": "g of ids", "title": "id"}.get(name, "")
        if not self.count[either]:
            return name
        return next(each for each, _ in reversed(self.open) if each in (name, either))  # all above it are popped next

    def _text(self, token: Token) -> None:
        if any(self.count[each] for each in _SILENT):
            return
        marked = self.count["code"] > 0
        if marked or (self._drawn and any(self.count[each] for each in _SPOKEN)):
            if not self.chars:
                self.begun = (self.length, self._code, self._drawn)
                self.depth = 0
            self.depth += sum(1 if mark in "([{" else -1 for mark in _BRACKETS.findall(token.name))
            self.chars += (" " if char.isspace() else char for char in token.name)
            self.ats += self._places(token)
        if not self._drawn:
            said = " " * len(token.name) if marked else token.name
            self.prose.append(said)
            self.length += len(said)

    def _places(self, token: Token) -> Iterator[int]:
        """Where each character of a text stands: an entity is one of several."""
        if self.html.startswith(token.name, token.at):
            yield from range(token.at, token.at + len(token.name))
            return
        at = token.at
        for char in token.name:
            yield at
            if self.html[at] == char != "&":
                at += 1
            else:
                end = self.html.find(";", at, at + 40)
                at = min(end + 1 if end >= 0 else at + 1, len(self.html) - 1)

    def _unfinished(self) -> bool:
        """Whether the piece is code with a bracket open: it goes on in the next line of its text."""
        on = self._code and bool(self.chars) and self.depth > 0
        if on:
            self.chars.append(" ")
            self.ats.append(self.ats[-1])
        return on

    def _flush(self) -> None:
        """The piece is over."""
        chars, ats, (first, code, drawn) = self.chars, self.ats, self.begun
        self.chars, self.ats = [], []
        kept = [at for at, char in enumerate(chars) if not (char.isspace() and chars[at - 1 : at] in ([], [" "]))]
        if kept and chars[kept[-1]] == " ":
            del kept[-1]
        if kept:
            places = tuple(ats[at] for at in kept)
            text = "".join(chars[at] for at in kept)
            one = Wrote(text=text, at=places[0], code=code, ats=() if code else places)
            self.found.append((one, 0, 0) if drawn else (one, first, self.length))


def _says_code(attributes: Mapping[str, str]) -> bool:
    """Whether a class has the word `code` in it: `d-code`, `code`, not `encoder`."""
    return any(word.lower() == "code" for word in _WORD.findall(attributes.get("class", "")))
