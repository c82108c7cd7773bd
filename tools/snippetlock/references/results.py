"""Judge what prose reads of what a property or an attribute holds, and of objects that are called as a class is."""

from __future__ import annotations

from collections.abc import Sequence

from snippetlock.errors import nearest
from snippetlock.index import Definition, gives, lineage, lookup, members, within
from snippetlock.index import unproven as reasons_against
from snippetlock.references.bench import Bench
from snippetlock.references.had import WORDS, owners_of
from snippetlock.references.missing import unknown
from snippetlock.references.verdicts import Verdict

__all__ = ["held_by", "member_of_like"]

_MOST = 3  # places that a message lists
_SHOWN = 8  # members that it lists where none is like the one that is missing


def held_by(
    bench: Bench, name: str, found: Sequence[Definition], rest: Sequence[str], *, certain: bool
) -> Verdict | None:
    """The verdict on a name whose beginning is `found` and of which `rest` is read; None where it is not told.

    `certain` says that no other object than one of the library can be meant.
    """
    for at, member in enumerate(rest):
        classes = [gives(bench.index, each) for each in found]
        known = [cls for cls in classes if cls is not None]
        if not known or len(known) < len(classes):
            return None
        inner = [each for cls in known for each in within(bench.index, cls, member)]
        if not inner:
            if not all(_lacks(bench, cls, member) for cls in known):
                return None
            return _missing(bench, name, found, known, member, certain=certain and at == len(rest) - 1)
        found = [each for each in inner if isinstance(each, Definition)]
        if len(found) < len(inner):
            return None
    return Verdict(text=name, state="resolved", why=f"{found[0].kind} {found[0].selector} ({found[0].place})")


def _missing(
    bench: Bench, name: str, found: Sequence[Definition], classes: Sequence[Definition], member: str, *, certain: bool
) -> Verdict:
    named = list(dict.fromkeys(cls.qualified for cls in classes))
    places = [f"{each.place}  {each.qualified} is of {cls.name}" for each, cls in zip(found, classes, strict=True)]
    message = f"{' and '.join(named[:_MOST])} {'has' if len(named) == 1 else 'have'} no {member!r}"
    has = list(dict.fromkeys(each for cls in classes for each in members(bench.index, cls) if each[0] != "_"))
    near = nearest(member, has)
    mend = f"did you mean {' or '.join(map(repr, near))}?" if near else f"it has {', '.join(has[:_SHOWN])}"
    evidence = tuple(dict.fromkeys(places))[:_MOST]
    last = f"{classes[0].qualified}.{member}"
    return unknown(bench, name, message, evidence=evidence, mend=mend, last=last, certain=certain)


def _lacks(bench: Bench, cls: Definition, member: str) -> bool:
    """Whether it is proven that no object of a class has a member: none of a class below it either."""
    having = owners_of(bench, member)
    for each in having:
        for owner in lookup(bench.index, f"{each.module}.{each.owner}"):
            if owner.kind == "class" and any(base.number == cls.number for base in lineage(bench.index, owner).order):
                return False
    reasons = reasons_against(bench.index, cls, member)
    return not reasons or (bool(having) and all(each.startswith(WORDS) for each in reasons))


def member_of_like(bench: Bench, word: str, member: str) -> list[Definition]:
    """A member of the classes that an object is of by its name, as names go: `kernel` and `gemm_kernel` of `Kernel`."""
    found = [each for cls in _called_like(bench, word) for each in within(bench.index, cls, member)]
    return [each for each in found if isinstance(each, Definition)]


def _called_like(bench: Bench, word: str) -> list[Definition]:
    kept: dict[str, list[str]] = bench.index.memo.setdefault("prose: classes by word", {})
    if not kept:
        for name in sorted(bench.index.names):
            if name.lstrip("_")[:1].isupper():
                kept.setdefault(name.replace("_", "").lower(), []).append(name)
    names = [*kept.get(word.replace("_", ""), ()), *kept.get(word.rpartition("_")[2], ())] if word.islower() else []
    found = {each.number: each for name in names for each in bench.index.named(name) if each.kind == "class"}
    return list(found.values())
