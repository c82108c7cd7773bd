"""Which base class defines a member: for the message about an inherited one, not for selecting it."""

from __future__ import annotations

from collections.abc import Iterator

from snippetlock.errors import SnippetlockError
from snippetlock.select.files import Reader
from snippetlock.select.labels import Step, steps
from snippetlock.select.resolve import Target, resolve
from snippetlock.select.statements import code_tokens, header_colon

__all__ = ["defining", "outside"]

_MOST = 100


def defining(reader: Reader, target: Target, step: Step) -> Target | None:
    """The member called so of the first base class, in the order Python looks, that has it in its own body."""
    for base in _linear(reader, target):
        outline = base.module.outline
        found = outline.definitions(outline.inside(base.way[-1].statement), step.name)
        if found:
            return Target(base.module, (*base.way, found[0]))
    return None


def _linear(reader: Reader, target: Target) -> list[Target]:
    """The base classes that the tree defines, each after all that derive from it; of many, the first hundred met."""
    finished: list[Target] = []
    met = {target}
    waiting: list[tuple[Target, list[Target]]] = [(target, list(_bases(reader, target)))]
    while waiting:
        current, bases = waiting[-1]
        base = bases.pop() if bases else None
        if base is None:
            finished.append(current)
            waiting.pop()
        elif base not in met and len(met) < _MOST:
            met.add(base)
            waiting.append((base, list(_bases(reader, base))))
    return finished[-2::-1]


def _bases(reader: Reader, target: Target) -> Iterator[Target]:
    found = (_base(reader, target, name) for name in _written(target))
    return (base for base in found if base is not None)


def _base(reader: Reader, target: Target, name: str) -> Target | None:
    """The class of this name as the header of `target` sees it: beside it, or among the module's names."""
    for way in (target.way[:-1], ()):
        try:
            found = resolve(reader, target.module, steps(".".join([*(d.name for d in way), name])))
        except SnippetlockError:
            continue
        if found[0].way and found[0].way[-1].kind == "class" and found[0] != target:
            return found[0]
    return None


def outside(reader: Reader, target: Target) -> list[str]:
    """The base classes of a class, as written, that the tree does not define."""
    return [name for name in _written(target) if _base(reader, target, name) is None]


def _written(target: Target) -> Iterator[str]:
    """The dotted names of the bases in a class header; what is called or computed is no name."""
    skim, statement = target.module.outline.skim, target.way[-1].statement
    colon = header_colon(skim.text, statement.start, skim.ends[statement.line])
    words = [skim.text[t.start : t.end] for t in code_tokens(skim.text, statement.start, colon)]
    depth, clause = 0, ""
    for word in (*words[2:], ","):
        if word in ("(", "[", "{"):
            depth += 1
            clause += "" if depth == 1 or word == "[" else word  # a subscript is no part of the name
        elif word in (")", "]", "}"):
            depth -= 1
        elif word == "," and depth <= 1:
            if all(part.isidentifier() for part in clause.split(".")):
                yield clause
            clause = ""
        elif depth == 1:
            clause += word
