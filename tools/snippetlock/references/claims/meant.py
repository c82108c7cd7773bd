"""The one thing that a reference means, as a function can take it, and the lines of many. Imports and runs nothing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from snippetlock.index import Definition, follow
from snippetlock.references.claims.answers import Stop
from snippetlock.references.claims.library import Library
from snippetlock.references.claims.targets import Entry, Target, one, place_of
from snippetlock.references.claims.terms import Reference
from snippetlock.select.values import Unread, plain

__all__ = ["defined", "lines_of", "single", "whole"]

_LINES = 3  # of many things, the lines that are told
_ASIDE = frozenset(("setter", "deleter", "overload"))  # what stands beside the thing itself


def single(library: Library, reference: Reference) -> Target:
    """The one thing that is meant. Raises `Stop` where there are several."""
    found = one(library, reference)
    if len(found) > 1:
        plainly = [each for each in found if not (isinstance(each, Definition) and each.roles & _ASIDE)]
        if len(plainly) != 1:
            what = f"{reference.text} is defined {len(found)} times, and only a run tells which one counts"
            raise Stop("unknown", what, evidence=tuple(place_of(each) or str(each) for each in found[:5]))
        found = tuple(plainly)
    if isinstance(found[0], str):
        raise Stop("unknown", f"{reference.text} is {found[0]}, which is not in the library")
    return found[0]


def defined(library: Library, reference: Reference, *wanted: str) -> Definition:
    """The one definition that is meant, of one of the kinds. Another name for it is followed."""
    target = single(library, reference)
    kinds = " or ".join(wanted)
    if not isinstance(target, Definition):
        raise Stop("misfit", f"{reference.text} is no {kinds} of Python", mend="write `module:Name`")
    target = follow(library.index, target)
    if target.kind not in wanted:
        article = "an" if target.kind == "attribute" else "a"
        what = f"{reference.text} is {article} {target.kind}, and no {kinds}"
        raise Stop("misfit", what, evidence=(place_of(target),), mend=f"name a {kinds}")
    return target


def lines_of(found: Iterable[Target]) -> tuple[str, ...]:
    """The first lines of many things, and how many more there are."""
    lines = list(dict.fromkeys(place for each in found if (place := place_of(each))))
    more = (f"and {len(lines) - _LINES} more",) if len(lines) > _LINES else ()
    return (*lines[:_LINES], *more)


def whole(entry: Entry) -> Any:
    """The value of an entry. Raises `Stop` where its file does not tell."""
    try:
        return plain(entry.datum)
    except Unread as error:
        what = f"the value of {'.'.join(entry.keys) or entry.path} is not told: {error}"
        raise Stop("unknown", what, evidence=(place_of(entry),)) from None
