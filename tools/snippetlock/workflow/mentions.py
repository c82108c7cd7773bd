"""The prose that has to be read again: inline code on the pages of a snippet that names what changed in it. Pure."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from snippetlock.model import Place
from snippetlock.moves import Mention
from snippetlock.references.inline import inline_code
from snippetlock.workflow.pages import Page

__all__ = ["Names", "mentions", "names_of"]

_NAME = re.compile(r"[^\W\d]\w*")
_QUOTED = re.compile(r"`([^`]+)`")
_MARKS = re.compile(r"[#@]\w*")
_NO_NAMES = frozenset((*keyword.kwlist, "self", "cls"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """What to look for: `own` anywhere on a page that shows the snippet, `parts` only under the heading of a use."""

    own: frozenset[str]
    parts: frozenset[str]


def names_of(selector: str, old_text: str, new_text: str, details: Sequence[str]) -> Names:
    """The names of what changed: its own, those that the facts name, and those that are shown no more."""
    name = _MARKS.sub("", selector.rpartition(":")[2] if ":" in selector else selector.rpartition(".")[2])
    own = frozenset(_NAME.findall(name.rpartition(".")[2])[:1])
    said = {word for line in details for quoted in _QUOTED.findall(line) for word in _NAME.findall(quoted)}
    gone = set(_NAME.findall(old_text)) - set(_NAME.findall(new_text))
    return Names(own=own, parts=frozenset(said | gone) - own - _NO_NAMES)


def mentions(names: Names, uses: Iterable[Place], pages: Mapping[str, Page]) -> tuple[Mention, ...]:
    """Every inline code that names one of them, page by page in the order of the uses."""
    lines: dict[str, list[int]] = {}
    for use in uses:
        lines.setdefault(use.path, []).append(use.line or 1)
    return tuple(one for path, used in lines.items() if path in pages for one in _on(names, pages[path], used))


def _on(names: Names, page: Page, used: Sequence[int]) -> Iterator[Mention]:
    prose = inline_code(page.text)
    sections = {prose.section(line) for line in used}
    for one in prose.spans:
        near = one.section in sections
        words = _NAME.findall(one.text)
        named = next((word for word in words if word in names.own), "")
        if not named and near:
            named = next((word for word in words if word in names.parts), "")
        if named:
            yield Mention(place=page.place(one.line, one.column), text=one.text, name=named, near=near)
