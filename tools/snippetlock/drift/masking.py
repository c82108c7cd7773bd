"""A found definition under another name: so that a new name alone is no difference. The file is not touched."""

from __future__ import annotations

import re

from snippetlock.model import Found, Part, Region
from snippetlock.records import replace
from snippetlock.text import late
from snippetlock.tokens import NAME

__all__ = ["under_name"]

_DEFINED = late(rf"^[ \t\f]*(?:async\s+)?(?:def|class)\s+({NAME})", re.MULTILINE)


def under_name(found: Found, name: str) -> Found:
    """`found` as if its part were called `name`; as it is where the name cannot be seen in its head."""
    part = found.part
    if part.name == name:
        return found
    region = part.head if part.head.start < part.head.end else part.whole  # of C and of a section no head is known
    dotted = "" if found.language == "toml" else "."  # the header of a table says in what it is
    names = (
        _DEFINED
        if part.kind in ("class", "function")
        else re.compile(rf"(?<![\w{dotted}])({re.escape(part.name)})(?!\w)")
    )
    every = names.finditer(found.text, region.start, region.end)
    places = (place.end() for place in every if place[1] == part.name)
    end = next((at for at in places if not any(c.start < at <= c.end for c in part.comments)), 0)
    if not part.name or not end:
        return found
    text = found.text[: end - len(part.name)] + name + found.text[end:]
    return replace(found, text=text, part=replace(_moved(part, end, len(name) - len(part.name)), name=name))


def _moved(part: Part, after: int, by: int) -> Part:
    """The part, with everything from offset `after` on moved."""

    def move(region: Region) -> Region:
        start, end = (at + by if at >= after else at for at in (region.start, region.end))
        return Region(start=start, end=end)

    return replace(
        part,
        whole=move(part.whole),
        lead=part.lead and move(part.lead),
        head=move(part.head),
        body=part.body and move(part.body),
        docstring=part.docstring and move(part.docstring),
        members=tuple(_moved(member, after, by) for member in part.members),
        comments=tuple(map(move, part.comments)),
        literals=tuple(map(move, part.literals)),
    )
