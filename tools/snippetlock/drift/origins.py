"""What a snippet was before it had its name: the candidates of a comparison against time, but for those that stayed.

Where time runs back, a base class or a copy can be alike that is there now as before: nothing came from it. And
what is new is most often nothing but new: so outside of its own file a name is asked for, or the very text.
"""

from __future__ import annotations

import re
from dataclasses import replace

from snippetlock.config import parse_selector
from snippetlock.drift.classes import classify
from snippetlock.drift.likeness import folded
from snippetlock.drift.search import Search
from snippetlock.errors import RepositoryError, SnippetlockError
from snippetlock.model import Change, Definition, Found, Snippet, Tree
from snippetlock.render import render
from snippetlock.select import find

__all__ = ["narrowed", "origin"]

_WORD = re.compile(r"\w+")
_TELLING = 10  # words; a shorter text stands in many places
_FEW = 8  # files; a member's name that more have says nothing


def narrowed(back: Search, found: Found) -> Search:
    """A comparison against time as if nothing but these files differed: those that can have had what was found.

    They are its own, the one that git says this was, and those that define its name, in whatever case, or have its
    text word for word. Of a member it is the name of what holds it that counts, unless its own is in few files.
    """
    path, part = found.path, found.part
    places, own = back.places(path), {path, back.renames.get(path, path)}
    listed = back.old_file(path).at(part)
    if listed is None:
        name = path.rpartition("/")[2]
        return back.within((p for p in places if p in own or p.rpartition("/")[2] == name), narrow=True)
    known = set(_naming(back, places, part.name))
    if listed.owner:
        outer = re.split(r"[.@#]", listed.owner)[0]
        known = {*_naming(back, places, outer), *(known if len(known) <= _FEW else ())}
    text = _telling(found)
    return back.within(
        (p for p in places if p in own or p in known or (text and text in back.file(p).text)), narrow=True
    )


def _naming(back: Search, places: tuple[str, ...], name: str) -> list[str]:
    """The files that can define a name."""
    if all(path.endswith(".py") for path in places):
        return list(back.names.get(folded(name), ()))
    words = _WORD.findall(name.lower())
    return [path for path in places if all(word in back.file(path).text.lower() for word in words)]


def _telling(found: Found) -> str:
    """The longest piece of its text in which its own name is not told: a copy has it too. Empty where that is short."""
    part = found.part
    start = part.head.start if part.head.start < part.head.end else part.whole.start
    text = found.text[start : part.whole.end]
    pieces = re.split(rf"\b{re.escape(part.name)}\b", text) if part.name else [text]
    longest = max(pieces, key=len).strip()
    return longest if len(_WORD.findall(longest)) >= _TELLING else ""


def origin(definition: Definition, back: Change, old: Tree, new: Tree) -> str:
    """The selector of what it was in the old tree; empty where it was nothing.

    `back` is what became of it from the new tree to the old one. Raises `RepositoryError`.
    """
    if back.cls not in ("renamed", "moved"):
        return ""
    for candidate in back.candidates:
        called = replace(definition, selector=parse_selector(candidate.selector))
        before, after = _cut(called, old), _cut(called, new)
        if before and not (after and after.span != back.old and classify(before, after) in _STAYED):
            return candidate.selector
    return ""


_STAYED = ("same", "moved", "layout", "comment")


def _cut(definition: Definition, tree: Tree) -> Snippet | None:
    try:
        return render(definition.id, find(tree, definition.selector), definition.view)
    except RepositoryError:
        raise
    except SnippetlockError:
        return None
