"""Judge a name that prose writes: does the library have it, is it somebody else's, or nobody's?

Precision before recall: whatever could be right in a way that the source does not tell is left aside.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from snippetlock.index import Definition, files, follow, lookup, occurs, outside, within
from snippetlock.index import unproven as reasons_against
from snippetlock.references.bench import Bench
from snippetlock.references.characters import plain_of
from snippetlock.references.had import WORDS, owners_of, resolved
from snippetlock.references.known import SAMPLE, is_file, known
from snippetlock.references.missing import misspelt, respelled, unknown
from snippetlock.references.results import held_by, member_of_like
from snippetlock.references.selves import of_self
from snippetlock.references.slips import slip_of
from snippetlock.references.verdicts import Verdict
from snippetlock.references.wording import humped, shaped, snake

__all__ = ["judge_name"]

_MOST = 3  # places or names that a message lists
_SELF = ("self", "cls")
# How the index ends its reasons that a module makes names when asked for them.
_MAKES = ("has __getattr__", "asks for its globals()")


def judge_name(bench: Bench, name: str, *, sure: bool = True, named: bool = False) -> Verdict:
    """The verdict on a bare or dotted name.

    `sure` is False for a name within other code: only what is proven is a finding there. `named` says that it can be
    no word of a language: it is called, or given a value.
    """
    plain = name.replace(":", ".")
    like = plain_of(plain)
    if like:
        return _disguised(bench, name, like)
    first, *rest = plain.split(".")
    found = "" if first in _SELF and rest else resolved(bench, plain)
    if found:
        return Verdict(text=name, state="resolved", why=found)
    excuse = _excused(bench, plain)
    if first in bench.packages and rest:
        return _excused_as(name, excuse) or _below_package(bench, name, plain)
    if first in _SELF and rest:
        return _excused_as(name, excuse) or of_self(bench, name, rest)
    if excuse:
        return Verdict(text=name, state="known", why=excuse)
    if rest:
        return _dotted(bench, name, first, rest)
    return _bare(bench, name, sure=sure, named=named)


def _disguised(bench: Bench, name: str, like: str) -> Verdict:
    """The verdict on a name with letters that only look like those of another."""
    there = resolved(bench, like) or _excused(bench, like)
    if not there:
        return Verdict(text=name, state="aside", why="written in letters that no name of the library has")
    strange = [char for char in name if not char.isascii()]
    said = ", ".join(f"U+{ord(char):04X} ({unicodedata.name(char, '?')})" for char in dict.fromkeys(strange))
    return Verdict(
        text=name,
        state="unknown",
        why=f"it only looks like {like!r}",
        rule="SL504",
        message=f"it looks like {like!r}, and is another name: it has {said}",
        evidence=(f"{like}: {there}",),
        mend=f"type it anew: {like}",
        certain=True,
    )


def _excused_as(name: str, excuse: str) -> Verdict | None:
    return Verdict(text=name, state="known", why=excuse) if excuse else None


def _excused(bench: Bench, name: str) -> str:
    """Whose a name is, if not the library's; empty for nobody's."""
    first, _, rest = name.partition(".")
    last = rest.rpartition(".")[2] or first
    if _is_own(bench, last if first in _SELF else name):
        return "an example of this page has it"
    if first in _SELF or first in bench.packages:
        return ""
    if _is_own(bench, first):
        return f"{first} is of an example of this page"
    if lookup(bench.index, first):
        return ""
    origin = _outside(bench, first)
    return f"the library itself imports it: {origin}" if origin else known(name)


def _is_own(bench: Bench, name: str) -> bool:
    """Whether an example of the page defines a name, or only has the word where that is no misspelling."""
    if name in bench.own.defined:
        return True
    return name in bench.own.spoken and not (humped(name) and respelled(bench, name))


def _outside(bench: Bench, name: str) -> str:
    """What a name is that the library imports from elsewhere; empty for any other."""
    kept: dict[str, str] = bench.index.memo.setdefault("prose: outside", {})
    if name not in kept:
        kept[name] = next(iter(outside(bench.index, name)), "")
    return kept[name]


def _below_package(bench: Bench, name: str, plain: str) -> Verdict:
    """A dotted name that begins with the package: the library must have it, as far as the source tells."""
    parts = plain.split(".")
    for end in range(len(parts) - 1, 0, -1):
        owners = [follow(bench.index, each) for each in lookup(bench.index, ".".join(parts[:end]))]
        if owners:
            held = held_by(bench, name, owners, parts[end:], certain=True)
            return held or _from_outside(bench, name, owners, parts[end]) or _missing(bench, name, owners, parts[end])
    return Verdict(text=name, state="aside", why="the library's own package, but nothing of it is in the index")


def _from_outside(bench: Bench, name: str, owners: Sequence[Definition], member: str) -> Verdict | None:
    """The verdict on what the library imports from elsewhere, or on a name that stands for any."""
    for owner in owners:
        for each in within(bench.index, owner, member):
            if isinstance(each, str):
                return Verdict(text=name, state="known", why=f"{owner.name} imports it: {each}")
    return _sample(name, member)


def _sample(name: str, member: str) -> Verdict | None:
    """The verdict on a name of which a part stands for any: `Op.my_kernel`."""
    return Verdict(text=name, state="aside", why=SAMPLE) if known(member) == SAMPLE else None


def _dotted(bench: Bench, name: str, first: str, rest: Sequence[str]) -> Verdict:
    """A name behind something else's: the class or module must have it; of a variable, something must."""
    owners = [follow(bench.index, each) for each in lookup(bench.index, first)]
    at = 0
    while owners and at < len(rest) and all(each.kind in ("class", "module") for each in owners):
        inner = [each for owner in owners for each in within(bench.index, owner, rest[at])]
        if not inner:
            if at == 0 and owners[0].kind == "module" and member_of_like(bench, first, rest[0]):
                owners = []  # an object may be called as the module of its class is
                break
            if humped(first) or len(owners) == 1:
                return _sample(name, rest[at]) or _missing(bench, name, owners, rest[at])
            break
        owners = [follow(bench.index, each) for each in inner if isinstance(each, Definition)]
        at += 1
    held = held_by(bench, name, owners, rest[at:], certain=humped(first)) if owners and 0 < at < len(rest) else None
    if at == 0 and not any(each.kind in ("class", "module") for each in owners):
        held = _of_object(bench, name, first, rest)
    if held:
        return held
    last = rest[-1]
    # The name of a class is held before what it has: many classes have the same members.
    class_like = humped(first)
    misnamed = judge_name(bench, first) if (class_like or first[:1].isupper()) and not owners else None
    if misnamed and misnamed.rule:
        return misnamed
    if resolved(bench, last):
        return Verdict(text=name, state="resolved", why=f"the library has {last!r}; of {first!r} nothing is known")
    if misnamed and class_like:
        return misnamed
    excuse = known(".".join([first, *rest]))
    if excuse:
        return Verdict(text=name, state="known", why=excuse)
    if shaped(last) and occurs(bench.index, first) and not _part_of(bench, last):
        return unknown(bench, name, f"nothing in the library has {last!r}", certain=False)
    slip = "" if last.islower() else slip_of(bench.index, last)
    if slip and occurs(bench.index, first) | {each.kind for each in lookup(bench.index, first)}:
        return misspelt(bench, name, slip, f"nothing in the library has {last!r}")
    return Verdict(text=name, state="aside", why=f"of {first!r} nothing is known")


def _of_object(bench: Bench, name: str, first: str, rest: Sequence[str]) -> Verdict | None:
    """The verdict on what is read of a member of an object: of one that is called as its class, or of any.

    None where nothing is known of it. What is found is not certain, as others may call their objects so.
    """
    if len(rest) < 2:
        return None
    found = member_of_like(bench, first, rest[0])
    if not found and snake(rest[0]) and not known(rest[0]):
        found = owners_of(bench, rest[0])
    return held_by(bench, name, found, rest[1:], certain=False) if found else None


def _missing(bench: Bench, name: str, owners: Sequence[Definition], member: str) -> Verdict:
    """None of these has the member: a finding, where the source proves it, or all that is against it is explained."""
    certain = True
    for owner in owners:
        if owner.kind not in ("class", "module"):
            return Verdict(text=name, state="aside", why=f"{owner.name} is a {owner.kind}: what it has is not told")
        folder = f"{owner.module.replace('.', '/')}/{member}/"
        if owner.kind == "module" and folder in files(bench.index, folder):
            return Verdict(text=name, state="resolved", why=f"the folder {folder}")
        reasons = reasons_against(bench.index, owner, member)
        if reasons and not _explained(bench, owner, member, reasons):
            why = f"that {owner.name} lacks it is not certain: {reasons[0]}"
            return Verdict(text=name, state="aside", why=why)
        certain = certain and not reasons
    owner = owners[0]
    what = owner.qualified or owner.module
    places = tuple(f"{each.place}  {each.selector}" for each in owners[:_MOST])
    first = name.replace(":", ".").partition(".")[0]
    # A module below the package may be called as somebody else's package is.
    certain = certain and (owner.kind == "class" or first in bench.packages)
    message, last = f"{what} has no {member!r}", f"{what}.{member}"
    if owner.kind == "module" and owner.module in bench.packages and is_file(name, perhaps=True):
        return Verdict(text=name, state="aside", why="a file that is called as the library is")
    other = _in_others(bench, member) if all(each.kind == "module" for each in owners) else []
    if other and not respelled(bench, member):
        places = (*places, *(f"{each.place}  {each.selector}" for each in other))
        mend = f"did you mean {' or '.join(repr(f'{each.module}.{member}') for each in other)}?"
        return unknown(bench, name, message, evidence=places, mend=mend, last=last, certain=certain)
    return unknown(bench, name, message, evidence=places, last=last, certain=certain)


def _in_others(bench: Bench, member: str) -> list[Definition]:
    """Where modules have what another one lacks, the first few."""
    found = [each for each in lookup(bench.index, member) if each.qualified and not (each.owner or each.local)]
    return found[:_MOST]


def _explained(bench: Bench, owner: Definition, member: str, reasons: Sequence[str]) -> bool:
    """Whether what speaks for a member need not mean it.

    A class may lack what others have, though a string says the word. A module that makes names when it is asked for
    them has most likely written them down, where it refuses others.
    """
    if owner.kind == "class":
        return all(each.startswith(WORDS) for each in reasons) and bool(owners_of(bench, member))
    made = [each for each in within(bench.index, owner, "__getattr__") if isinstance(each, Definition)]
    refuses = all(any("AttributeError" in raised for raised in each.raises) for each in made)
    return refuses and all(each.endswith(_MAKES) for each in reasons)


def _bare(bench: Bench, name: str, *, sure: bool, named: bool) -> Verdict:
    if not shaped(name) and not _setting(bench, name):
        slip = slip_of(bench.index, name, named=named) if sure or not name.islower() else ""
        if slip and not _part_of(bench, name):
            return misspelt(bench, name, slip)
        return Verdict(text=name, state="aside", why="a word, which need not be a name")
    partial = _part_of(bench, name)
    if partial:
        return Verdict(text=name, state="resolved", why=f"a part of {partial}")
    if name.endswith("_"):
        return Verdict(text=name, state="aside", why="the beginning of a name")
    if not sure and not respelled(bench, name):
        return Verdict(text=name, state="aside", why="nothing in the library is called so")
    return unknown(bench, name, f"the library has no {name!r}")


def _setting(bench: Bench, name: str) -> bool:
    """Whether a name is that of a constant or an environment variable of the library's."""
    return name.isupper() and any(name.startswith(f"{package.upper()}_") for package in bench.packages)


def _part_of(bench: Bench, name: str) -> str:
    """A name of the library that a partial one (`_ops`, `FwdOp`, `gemm_`) is the beginning or the end of."""
    word = name.removesuffix("s") if humped(name) else name
    if word != name and resolved(bench, word):
        return word
    if name[0] == "_" or name[-1] == "_" or humped(name):
        if "prose: names" not in bench.index.memo:
            bench.index.memo["prose: names"] = f"\n{chr(10).join(sorted(bench.index.names))}\n"
        listed: str = bench.index.memo["prose: names"]
        at = max(listed.find(f"{name}\n"), listed.find(f"\n{name}") + 1)
        if at > 0:
            return listed[listed.rfind("\n", 0, at + 1) + 1 : listed.find("\n", at + 1)]
        folder = files(bench.index, f"{name}/") or files(bench.index, f"{name}.py")
        return folder[0] if folder else ""
    return ""
