"""In which files to look for what most likely is in none of them: likeness alone is asked in its own, elsewhere a name.

For what is new in a state, and was nothing before; and for what has lost its name to something else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from snippetlock.drift.search import Search
from snippetlock.model import Found
from snippetlock.text import is_blank, late, margin

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
        having = search.having(text, (path for path in places if path not in own))
        known.update(path for path in having if path in known or not _stayed(search, path, text))
    return search.within((path for path in places if path in known), narrow=True)


def _naming(search: Search, places: tuple[str, ...], name: str) -> list[str]:
    """The files that can define a name."""
    if all(path.endswith(".py") for path in places):
        return search.naming(name)
    words = _WORD.findall(name.lower())
    return [path for path in places if all(word in search.file(path).text.lower() for word in words)]


def _stayed(search: Search, path: str, text: str) -> bool:
    """Whether all that has a text word for word in a file had it in the old state, in the same order and places."""
    if not path.endswith(".py") or not search.old.has(path):
        return False
    old, new = (list(_places(file.text, text)) for file in (search.old_file(path), search.file(path)))
    return old == new


def _places(text: str, piece: str) -> Iterator[list[str]]:
    """Where a piece of a text stands, each time: what is before it on its line, and the lines that it is inside of."""
    at = text.find(piece)
    while at >= 0:
        start = text.rfind("\n", 0, at) + 1
        yield [text[start:at], *_around(text, start)]
        at = text.find(piece, at + 1)


def _around(text: str, start: int) -> Iterator[str]:
    """Of the lines before the one that starts here those that are indented less than all behind them."""
    indent = len(margin(text[start : text.find("\n", start)]))
    while start and indent:
        end, start = start - 1, text.rfind("\n", 0, start - 1) + 1
        line = text[start:end]
        if not is_blank(line) and (here := len(margin(line))) < indent:
            indent = here
            yield line


def _telling(found: Found) -> str:
    """The longest piece of its text in which its own name is not told: a copy has it too. Empty where that is short."""
    part = found.part
    start = part.head.start if part.head.start < part.head.end else part.whole.start
    text = found.text[start : part.whole.end]
    pieces = re.split(rf"\b{re.escape(part.name)}\b", text) if part.name else [text]
    longest = max(pieces, key=len).strip()
    return longest if len(_WORD.findall(longest)) >= _TELLING else ""
