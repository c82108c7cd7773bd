"""Judge what prose reads of `self`: a class that the page speaks of must have it, or one that all others derive from.

Which class is meant is not told, so what is found is never certain.
"""

from __future__ import annotations

from collections.abc import Sequence

from snippetlock.index import Definition, follow, lineage, lookup, members, within
from snippetlock.index import unproven as reasons_against
from snippetlock.index.public import public
from snippetlock.references.bench import Bench
from snippetlock.references.had import WORDS, more, owners_of, resolved
from snippetlock.references.known import SAMPLE, stands_for_any
from snippetlock.references.missing import misspelt, unknown
from snippetlock.references.results import held_by
from snippetlock.references.slips import slip_in
from snippetlock.references.verdicts import Verdict
from snippetlock.references.wording import humped, shaped

__all__ = ["of_self"]

_MOST = 3  # classes that a message lists


def of_self(bench: Bench, name: str, rest: Sequence[str]) -> Verdict:
    """`self.x`: a class that the page speaks of must have it, or, where it speaks of none, any class."""
    member = rest[0]
    # A base class is named in passing, and of what others of the library set one may speak then.
    owners = [each for each in bench.shown if humped(each.name) or _is_private(member)]
    having = owners_of(bench, member)
    if not having and stands_for_any(member):
        return Verdict(text=name, state="aside", why=SAMPLE)
    if not having:
        slip = "" if shaped(member) else _slip(bench, member)
        # Where the page speaks of a class, `self` is most likely one, and what no class has is no word of a language.
        code = shaped(member) or (bool(bench.shown) and len(member) > 2)
        if not code or resolved(bench, member):
            return Verdict(text=name, state="aside", why="what has it is not told")
        against = _against(bench, owners if shaped(member) else bench.shown, member)
        if against:
            return Verdict(text=name, state="aside", why=against)
        if slip:
            return misspelt(bench, name, f"self.{slip}", f"no class of the library has {member!r}")
        # Readers write classes of their own, on other pages too: what no class here has need not be a mistake.
        return unknown(bench, name, f"no class of the library has {member!r}", last=member, certain=False)
    if not owners and _is_private(member):
        lacking = _lacking(bench, having)
        if lacking:
            return _of_some(bench, name, having, f"{lacking} has no {member!r}: only classes below it have")
    # A base class that is named in passing need not be meant, but may be.
    shown = [each for cls in bench.shown for each in within(bench.index, cls, member) if isinstance(each, Definition)]
    if not owners or shown:
        held = held_by(bench, name, shown or having, rest[1:], certain=False) if len(rest) > 1 else None
        return held or Verdict(text=name, state="resolved", why=f"{having[0].selector} ({having[0].place})")
    if not (shaped(member) or _is_private(member)) or _against(bench, owners, member):
        return Verdict(text=name, state="aside", why="a class that this page does not speak of has it")
    return _of_some(bench, name, having, f"no class that this page speaks of has {member!r}, and no class above one")


def _of_some(bench: Bench, name: str, having: Sequence[Definition], message: str) -> Verdict:
    classes = list(dict.fromkeys(each.owner for each in having))
    listed = f"{', '.join(classes[:_MOST])}{more(len(classes) - _MOST)}"
    return unknown(
        bench,
        name,
        message,
        evidence=tuple(f"{each.place}  {each.qualified}" for each in having[:_MOST]),
        mend=f"it is of {listed}: name the class that is meant, or correct it",
        certain=False,
    )


def _slip(bench: Bench, member: str) -> str:
    """What the classes that the page speaks of have that a single word is a slip of."""
    return slip_in((each for cls in bench.shown for each in members(bench.index, cls)), member)


def _is_private(member: str) -> bool:
    return member.startswith("_") and not member.endswith("__")


def _lacking(bench: Bench, having: Sequence[Definition]) -> str:
    """The public class above all that have a member, which has none itself; empty where there is no such class."""
    exported: frozenset[str] | None = bench.index.memo.get("prose: exported")
    if exported is None:
        named = (f"{module}.{name}" for module, names in public(bench.index).items() for name in names)
        exported = frozenset(follow(bench.index, each).selector for name in named for each in lookup(bench.index, name))
        bench.index.memo["prose: exported"] = exported
    lines: list[dict[str, str]] = []
    for each in having:
        own = [cls for cls in lookup(bench.index, f"{each.module}.{each.owner}") if cls.kind == "class"]
        line = [base for cls in own for base in lineage(bench.index, cls).order if base.selector in exported]
        lines.append({base.selector: base.name for base in line})
    owners = {f"{each.module}:{each.owner}" for each in having}
    common = [each for each in lines[0] if each not in owners and all(each in line for line in lines)]
    return lines[0][common[0]] if common else ""


def _against(bench: Bench, owners: Sequence[Definition], member: str) -> str:
    """Why it is not certain that none of the classes has a member; empty where it is, as far as words can tell."""
    reasons = (reason for each in owners for reason in reasons_against(bench.index, each, member))
    elsewhere = bool(owners_of(bench, member))
    return next((reason for reason in reasons if not (elsewhere and reason.startswith(WORDS))), "")
