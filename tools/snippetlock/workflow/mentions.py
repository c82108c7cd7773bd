"""The prose that has to be read again: inline code on the pages of a snippet that names what changed in it. Pure."""

from __future__ import annotations

import keyword
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from snippetlock.errors import SourceError
from snippetlock.model import Place
from snippetlock.moves import Mention
from snippetlock.records import dataclass
from snippetlock.references.inline import inline_code
from snippetlock.references.speech import drawing
from snippetlock.tokens import tokenize
from snippetlock.workflow.figures import Figure
from snippetlock.workflow.pages import Page

__all__ = ["Names", "mentions", "names_of"]

_NAME = re.compile(r"[^\W\d]\w*")
_QUOTED = re.compile(r"`([^`]+)`")
_MARKS = re.compile(r"[#@]\w*")
_KEY = re.compile(r"""["'][^\W\d]\w*["']""")
_NO_NAMES = frozenset((*keyword.kwlist, "self", "cls"))


# Many snippets of one page change at once.
_read = lru_cache(maxsize=256)(inline_code)


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """What to look for: `own` anywhere on a page that shows the snippet, `parts` only under the heading of a use."""

    own: frozenset[str]
    parts: frozenset[str]


def names_of(selector: str, old_text: str, new_text: str, details: Sequence[str]) -> Names:
    """The names of what changed: its own, those that the facts name, and those that are shown no more."""
    name = _MARKS.sub("", selector.rpartition(":")[2] if ":" in selector else selector.rpartition(".")[2])
    own = frozenset(_NAME.findall(name.rpartition(".")[2])[:1])
    said = _said(details)
    gone = _words(old_text) - _words(new_text) if new_text else _outline(old_text)
    common = {word for word in own if word.startswith("__")}  # every class has one: elsewhere it is another's
    return Names(own=own - common, parts=frozenset(said | gone | common) - (own - common) - _NO_NAMES)


def _said(details: Iterable[str]) -> set[str]:
    return {word for line in details for quoted in _QUOTED.findall(line) for word in _NAME.findall(quoted)}


def _words(text: str) -> set[str]:
    """The names in a text, and the strings that could be one: a key is spoken of like a name, a comment is not."""
    found: set[str] = set()
    for kind, said in _tokens(text):
        if kind == "name":
            found.add(said)
        elif kind == "string":
            found.update(_NAME.findall(said) if _KEY.fullmatch(said) else ())
    return found


def _outline(text: str) -> set[str]:
    """The parameters of a definition that is gone, and what it defines; of its inner life nobody spoke."""
    found: set[str] = set()
    before, depth, in_head = "", 0, False
    for kind, said in _tokens(text):
        if kind == "name":
            defined = before in ("def", "class")
            if defined or (in_head and depth == 1 and before in ("(", ",", "*", "**")):
                found.add(said)
            in_head = in_head or (before == "def" and not found - {said})
        elif kind == "op":
            depth += (said in "([{") - (said in ")]}")
            in_head = in_head and not (said == ":" and not depth)
        if kind not in ("comment", "newline"):
            before = said
    return found


def _tokens(text: str) -> list[tuple[str, str]]:
    """What the text is made of; of one that is no Python, and nothing like it, its words."""
    try:
        return [(token.kind, text[token.start : token.end]) for token in tokenize(text)]
    except SourceError:
        return [("name", word) for word in _NAME.findall(text)]


def mentions(
    names: Names,
    uses: Iterable[Place],
    pages: Mapping[str, Page],
    drawn: Callable[[Page], Iterable[Figure]] = lambda page: (),
) -> tuple[Mention, ...]:
    """Every inline code that names one of them, page by page in the order of the uses.

    `drawn` gives the drawings in files of their own that a page shows: what they mark as code counts, once a drawing.
    """
    lines: dict[str, list[int]] = {}
    for use in uses:
        lines.setdefault(use.path, []).append(use.line or 1)
    found: dict[Place, Mention] = {}
    for path, used in lines.items():
        if path in pages:
            for one in (*_on(names, pages[path], used), *_drawn(names, pages[path], used, drawn(pages[path]))):
                found.setdefault(one.place, one)
    return tuple(found.values())


def _on(names: Names, page: Page, used: Sequence[int]) -> Iterator[Mention]:
    prose = _read(page.text)
    sections = {prose.section(line) for line in used}
    for one in prose.spans:
        near = one.section in sections
        if named := _named(names, one.text, near):
            yield Mention(place=page.place(one.line, one.column), text=one.text, name=named, near=near)


def _drawn(names: Names, page: Page, used: Sequence[int], figures: Iterable[Figure]) -> Iterator[Mention]:
    for figure in figures:
        prose = _read(page.text)
        section = prose.section(figure.line)
        near = section in {prose.section(line) for line in used}
        for one in drawing(figure.text, section).spans:
            if named := _named(names, one.text, near):
                place = Place(path=figure.path, line=one.line, column=one.column)
                yield Mention(place=place, text=one.text, name=named, near=near)


def _named(names: Names, text: str, near: bool) -> str:
    """The first of the names that a piece of code has; empty for none."""
    words = _NAME.findall(text)
    named = next((word for word in words if word in names.own), "")
    return named or next((word for word in words if near and word in names.parts), "")
