"""Find the links and images of a paragraph, as Python-Markdown resolves them. Pure, and linear in the text.

Inline ones, those by reference, addresses in angle brackets, and `<a>`, `<img>` and what else shows a file written out.
A title with brackets that do not pair is not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import unescape
from typing import NamedTuple

__all__ = ["Found", "find_links", "html_links", "label_of", "target_of"]

_NEXT = re.compile(r"\\|<|!?\[")
_BRACKET = re.compile(r"\\.|[\[\]()]", re.S)
_ADDRESS = re.compile(r"<([A-Za-z][A-Za-z0-9+.-]*://[^<>]*)>")
_MAIL = re.compile(r"<([^<> !@]+@[^@<> ]+)>")
# In a paragraph a tag is one only where all of its attributes are; in raw HTML whatever browsers take for one.
_TAG = re.compile(
    r"</?([a-zA-Z][^\s\"'<>/@]*+)((?:\s++[^\s\"'=<>]++(?:\s*+=\s*+(?:\"[^\"]*+\"|'[^']*+'|[^\s\"'=<>]++))?+)*+\s*+/?)>"
)
_ANY_TAG = re.compile(r"</?([a-zA-Z][^\s\"'<>/@]*)((?:[^<>\"']|\"[^\"<]*\"|'[^'<]*')*)>")
_LEADS = re.compile(r"(?<![\w-])(href|srcset|src|data)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'=<>]+))", re.I)
# What has the address of a picture; a frame shows one where it leads to a drawing.
_SHOWS = {"img": ("src", "srcset"), "source": ("srcset",), "object": ("data",), "embed": ("src",), "iframe": ("src",)}
_POINTED = re.compile(r"\(\s*<([^<>]*)>\s*(?:'[^'<>]*'\s*|\"[^\"<>]*\"\s*)?\)")
_SECOND = re.compile(r"\s?\[([^\]]*)\]")
_ESCAPE = re.compile(r"\\([\\`*_{}\[\]()>#+.!-])")


class Found(NamedTuple):
    """A link or an image at `start` up to `end` of a text; `first` to `last` is what it shows, both 0 for nothing."""

    start: int
    end: int
    first: int
    last: int
    target: str
    image: bool
    by_name: bool = False  # its target stands somewhere else
    more: tuple[str, ...] = ()  # what is shown in its place, on other screens


def find_links(text: str, bare: str, defined: Mapping[str, str]) -> Iterator[Found]:
    """Every link, in order, an image within a link after it. `bare` is the text with its code spans blanked.

    `defined` says where the names of references lead, as `label_of` writes them.
    """
    pairs = _pairs(bare)
    at, within = 0, 0
    while match := _NEXT.search(bare, at):
        at, mark = match.start(), match[0]
        if mark == "\\":
            at += 2
            continue
        found = _angled(text, at) if mark == "<" else _bracketed(text, at, mark == "![", pairs, defined)
        if found is None or (at < within and not found.image):
            at = _behind_tag(bare, at) if mark == "<" else at + len(mark)
            continue
        yield found
        if found.first and not found.image:
            within, at = found.last, found.first
            yield from _images(text, bare, found, pairs, defined)
        at = found.end


def _images(text: str, bare: str, link: Found, pairs: Mapping[int, int], defined: Mapping[str, str]) -> Iterator[Found]:
    """The images that a link shows."""
    at = link.first
    while (match := _NEXT.search(bare, at, link.last)) is not None:
        at = match.start()
        if match[0] == "\\":
            at += 2
            continue
        found = _angled(text, at) if match[0] == "<" else None
        if match[0] == "![":
            found = _bracketed(text, at, True, pairs, defined)
        if found and found.image:
            yield found
        at = found.end if found else at + len(match[0])


def html_links(text: str) -> Iterator[Found]:
    """The links and images of raw HTML."""
    at = text.find("<")
    while at >= 0:
        if text.startswith("<!--", at):
            at = max(text.find("-->", at), at + 4)
        elif found := _tagged(text, at, _ANY_TAG):
            yield found
        at = text.find("<", at + 1)


def label_of(text: str) -> str:
    """The name of a reference as it is looked up."""
    return " ".join(text.split()).lower()


def target_of(written: str) -> str:
    """Where a link leads, from what stands for it: escapes and entities resolved."""
    return unescape(_ESCAPE.sub(r"\1", written.strip()))


def _pairs(bare: str) -> dict[int, int]:
    """For each bracket that is closed, the offset of its other half. `[` and `(` are counted apart."""
    pairs: dict[int, int] = {}
    open_: dict[str, list[int]] = {"]": [], ")": []}
    for match in _BRACKET.finditer(bare):
        mark = match[0]
        if mark in ("[", "("):
            open_["]" if mark == "[" else ")"].append(match.start())
        elif open_.get(mark):
            pairs[open_[mark].pop()] = match.start()
    return pairs


def _bracketed(text: str, at: int, image: bool, pairs: Mapping[int, int], defined: Mapping[str, str]) -> Found | None:
    start = at + image
    close = pairs.get(start)
    if close is None:
        return None
    label, after = text[start + 1 : close], close + 1
    if text.startswith("(", after) and (there := _destination(text, after, pairs)):
        return Found(at, there[0], start + 1, close, there[1], image)
    second = _SECOND.match(text, after)
    if second and (name := label_of(second[1] or label)) in defined:
        return Found(at, second.end(), start + 1, close, defined[name], image, True)
    if len(label) < 1000 and (name := label_of(label)) in defined:
        return Found(at, after, start + 1, close, defined[name], image, True)
    return None


def _destination(text: str, at: int, pairs: Mapping[int, int]) -> tuple[int, str] | None:
    """Where the destination in parentheses ends, and what it says; its title is left out."""
    if match := _POINTED.match(text, at):
        return match.end(), target_of(match[1])
    close = pairs.get(at)
    if close is None:
        return None
    body = text[at + 1 : close].strip()
    if body[-1:] in ("'", '"') and len(body) > 1:
        quote = body[-1]
        found = min((i for i in (body.find(f" {quote}"), body.find(f"\n{quote}")) if i >= 0), default=-1)
        if 0 <= found < len(body) - 2:
            body = body[:found]
    return close + 1, target_of(body)


def _angled(text: str, at: int) -> Found | None:
    """An address or a tag in angle brackets."""
    if match := _ADDRESS.match(text, at):
        return Found(at, match.end(), 0, 0, target_of(match[1]), False)
    if match := _MAIL.match(text, at):
        return Found(at, match.end(), 0, 0, f"mailto:{unescape(match[1])}".replace("mailto:mailto:", "mailto:"), False)
    return _tagged(text, at)


def _tagged(text: str, at: int, form: re.Pattern[str] = _TAG) -> Found | None:
    match = form.match(text, at)
    tag = match[1].lower() if match else ""
    wanted = ("href",) if tag == "a" else _SHOWS.get(tag)
    if match is None or wanted is None or text[at + 1] == "/":
        return None
    given: dict[str, str] = {}
    for name, *values in _LEADS.findall(match[2]):
        given.setdefault(name.lower(), unescape("".join(values)))
    shown = [each for name in wanted if name in given for each in _addresses(given[name], name == "srcset")]
    if not shown or (tag == "iframe" and not shown[0].partition("#")[0].partition("?")[0].lower().endswith(".svg")):
        return None
    return Found(at, match.end(), 0, 0, shown[0], tag != "a", more=tuple(shown[1:]))


def _addresses(value: str, several: bool) -> list[str]:
    """The addresses that an attribute has: of `srcset` those of all candidates, each once."""
    if not several:
        return [value]
    found: dict[str, None] = {}
    described = False
    for word in value.split():
        if described:  # up to a comma, behind which the next one may begin at once
            _, comma, word = word.partition(",")
            described = not comma
        if word and not described:
            address = word.rstrip(",")
            found |= {address: None} if address else {}
            described = address == word
    return list(found)


def _behind_tag(bare: str, at: int) -> int:
    match = _TAG.match(bare, at)
    return match.end() if match else at + 1
