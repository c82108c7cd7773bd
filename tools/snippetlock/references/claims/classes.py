"""What is asked of classes: what they derive from, what derives from them, whether they are abstract."""

from __future__ import annotations

from typing import Any

from snippetlock.index import Definition, lineage, rows
from snippetlock.index import bases as bases_of
from snippetlock.index import members as members_of
from snippetlock.index.standard import above
from snippetlock.references.claims.answers import Made, Stop
from snippetlock.references.claims.library import Library
from snippetlock.references.claims.meant import defined, lines_of
from snippetlock.references.claims.terms import Reference

__all__ = ["bases", "is_abstract", "is_subclass", "subclasses"]

_PLAIN = frozenset(("abc.ABC", "builtins.object", "typing.Generic", "typing.Protocol", "typing_extensions.Protocol"))
_LINES = 3


def bases(library: Library, reference: Reference) -> Made:
    """The bases of a class as its header writes them."""
    cls = defined(library, reference, "class")
    return Made(value=cls.bases, places=(cls.place,))


def is_subclass(library: Library, reference: Reference, other: Any) -> Made:
    """Whether a class derives from another one; of those in Python's modules only as far as the library says it."""
    cls = defined(library, reference, "class")
    line = lineage(library.index, cls)
    if isinstance(other, Reference):
        base = defined(library, other, "class")
        found = any(each.number == base.number for each in line.order)
        doubt: list[str] = []  # what is outside of the library does not derive from what is in it
    else:
        wanted = other.removeprefix("builtins.")
        higher = {name for each in line.standard for name in above(each)}
        found = wanted in higher or bool({wanted, f"builtins.{wanted}"} & {*line.standard, *line.outside})
        doubt = [each for each in (*line.outside, *line.standard) if each not in _PLAIN and not above(each)]
    if not found and (doubt or line.endless):
        what = f"what {(*doubt, cls.name)[0]} derives from, and so {reference.text}, is not told"
        raise Stop("unknown", what, evidence=(cls.place,))
    return Made(value=found, places=(cls.place,))


def subclasses(library: Library, given: Any) -> Made:
    """The names of all classes that derive from one, directly or not, by file and in order."""
    unread = [each for each in library.index.unread if each.path.endswith(".py")]
    if unread:
        raise Stop("unknown", f"{unread[0].path} cannot be read: {unread[0].why}")
    if "below" not in library.known:
        library.known["below"] = _below(library)
    below: dict[Any, list[Definition]] = library.known["below"]
    named = isinstance(given, str)
    waiting: list[Any] = [given, f"builtins.{given}"] if named else [defined(library, given, "class").number]
    found: dict[tuple[int, int], Definition] = {}
    while waiting:
        for each in below.get(waiting.pop(), ()):
            if each.number not in found:
                found[each.number] = each
                waiting.append(each.number)
    ordered = sorted(found.values(), key=lambda each: each.number)
    return Made(value=tuple(each.name for each in ordered), places=lines_of(ordered))


def _below(library: Library) -> dict[Any, list[Definition]]:
    """The classes directly below each class of the library, and below each of elsewhere by its name."""
    found: dict[Any, list[Definition]] = {}
    for cls in library.definitions(lambda _, row: row[rows.KIND] == "c"):
        for base in bases_of(library.index, cls):
            found.setdefault(base if isinstance(base, str) else base.number, []).append(cls)
    return found


def is_abstract(library: Library, reference: Reference) -> Made:
    """Whether a method is abstract, or a class has such methods and cannot be instantiated for it."""
    target = defined(library, reference, "function", "class")
    if target.kind == "function":
        return Made(value="abstract" in target.roles, places=(target.place,))
    line = lineage(library.index, target)
    left = [each for found in members_of(library.index, target).values() for each in found if "abstract" in each.roles]
    meta = "abc.ABC" in line.standard or any("ABCMeta" in value for each in line.order for _, value in each.keywords)
    if line.outside and not (left and meta):
        what = f"{reference.text} derives from {line.outside[0]}, which is not in the library"
        raise Stop("unknown", what, evidence=(target.place,))
    return Made(value=bool(left and meta), places=(target.place, *(each.place for each in left[:_LINES])))
