"""In which files to look for what most likely is in none of them: likeness alone is asked in its own, elsewhere a name.

For what is new in a state, and was nothing before; and for what has lost its name to something else.
"""

from __future__ import annotations

import re

from snippetlock.drift.search import Search
from snippetlock.model import Found
from snippetlock.text import late

__all__ = ["narrowed"]

_WORD = late(r"\w+")
_TELLING = 10  # words; a shorter text stands in many places
_FEW = 8  # files; a member's name that more have says nothing


def narrowed(search: Search, found: Found) -> Search:
    """A search in those files alone that can have what was found, by its name or as a copy.

    They are its own, the one that git says this is, and those that define its name, in whatever case. Files that
    have its text word for word are, where its own has not. Of a member it is the name of what holds it that
    counts, unless its own is in few files.
    """
    path, part = found.path, found.part
    places, own = search.places(path), {path, search.renames.get(path, path)}
    if part.kind == "module":
        name = path.rpartition("/")[2]
        return search.within((p for p in places if p in own or p.rpartition("/")[2] == name), narrow=True)
    if found.selector.name.startswith("@"):  # named in a comment
        telling = (part.name, _telling(found) or part.name)
        known = {p for p in places if any(text in search.file(p).text for text in telling)}
        return search.within(known | own, narrow=True)
    known = set(_naming(search, places, part.name))
    outer, dot, _ = found.selector.name.partition(".")
    if dot:
        holding = _naming(search, places, re.split("[@#]", outer)[0])
        known = {*holding, *(known if len(known) <= _FEW else ())}
    text, known = _telling(found), known | own
    if text and not any(text in search.file(path).text for path in places if path in own):
        known.update(search.having(text, (path for path in places if path not in own)))
    return search.within((path for path in places if path in known), narrow=True)


def _naming(search: Search, places: tuple[str, ...], name: str) -> list[str]:
    """The files that can define a name."""
    if all(path.endswith(".py") for path in places):
        return search.naming(name)
    words = _WORD.findall(name.lower())
    return [path for path in places if all(word in search.file(path).text.lower() for word in words)]


def _telling(found: Found) -> str:
    """The longest piece of its text in which its own name is not told: a copy has it too. Empty where that is short."""
    part = found.part
    start = part.head.start if part.head.start < part.head.end else part.whole.start
    text = found.text[start : part.whole.end]
    pieces = re.split(rf"\b{re.escape(part.name)}\b", text) if part.name else [text]
    longest = max(pieces, key=len).strip()
    return longest if len(_WORD.findall(longest)) >= _TELLING else ""
