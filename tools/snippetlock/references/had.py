"""What the library has under a name, in words, and which of its classes have a member. Pure."""

from __future__ import annotations

from snippetlock.index import Definition, constant, general_first, keys, lookup, occurs, pieced
from snippetlock.references.bench import Bench
from snippetlock.references.known import is_file

__all__ = ["WORDS", "more", "of_class", "owners_of", "resolved"]

WORDS = ("the source has the string", "something is set as", "a string of the source holds")
"""How the index begins its reasons that only a word gives."""


def resolved(bench: Bench, name: str) -> str:
    """What the library has under a name, in words; empty for nothing."""
    kept: dict[str, str] = bench.index.memo.setdefault("prose: resolved", {})
    if name not in kept:
        kept[name] = _look_up(bench, name)
    return kept[name]


def _look_up(bench: Bench, name: str) -> str:
    index = bench.index
    found = general_first(index, lookup(index, name))
    if found:
        return f"{found[0].kind} {found[0].selector} ({found[0].place})" + more(len(found) - 1)
    bare = "." not in name
    if bare and name in bench.packages:
        return "the library itself"
    texts = constant(index, name)
    if texts:
        return f"a string of {texts[0].path}:{texts[0].line}" + more(len(texts) - 1)
    data = keys(index, name)
    if data:
        return f"a key of {data[0].path}:{data[0].line}" + more(len(data) - 1)
    if bare:
        how = occurs(index, name)
        if how - {"imported"}:
            return f"a word of the library's code ({', '.join(sorted(how))})"
        if any(name.replace("-", "_").lower() == package.lower() for package in bench.packages):
            return "the library itself"
        piece = pieced(index, name)
        if piece is not None:
            return f"a word of the text {piece.shown!r} ({piece.path}:{piece.line})"
    return ""


def more(count: int) -> str:
    """What says that a list goes on."""
    return f" and {count} more" if count > 0 else ""


def owners_of(bench: Bench, member: str) -> list[Definition]:
    """The definitions of a member, the most general first."""
    found = lookup(bench.index, f"self.{member}")
    return [each for each in general_first(bench.index, found) if each.owner]


def of_class(bench: Bench, name: str) -> bool:
    """Whether a dotted name begins with a class of the library: `Op.run`, and not `Op.py`, a file."""
    first = name.partition(".")[0]
    if is_file(name, perhaps=True):
        return False
    return first != name and first[:1].isupper() and any(each.kind == "class" for each in lookup(bench.index, first))
