"""The finding for a name that nobody has: what is nearest to it, and whether the vocabulary excuses it."""

from __future__ import annotations

from collections.abc import Sequence

from snippetlock.index import general_first, lookup, nearest, taker
from snippetlock.references.bench import Bench
from snippetlock.references.verdicts import Verdict
from snippetlock.references.wording import humped

__all__ = ["misspelt", "respelled", "unknown"]

_MOST = 3  # places or names that a message lists


def respelled(bench: Bench, name: str) -> list[str]:
    """The names of the library that are the same in other letters: classes for a class, other names for another."""
    kept: dict[str, list[str]] = bench.index.memo.setdefault("prose: folded", {})
    if not kept:
        for each in sorted({*bench.index.names, *bench.index.tails}):
            kept.setdefault(_folded(each), []).append(each)
    return [each for each in kept.get(_folded(name), ()) if humped(each) == humped(name) and each != name]


def _folded(name: str) -> str:
    """A name without what is easily mistaken: case and underscores, but not whether it is a private one."""
    return name[: len(name) - len(name.lstrip("_"))] + name.replace("_", "").lower()


def unknown(
    bench: Bench,
    name: str,
    message: str,
    *,
    evidence: Sequence[str] = (),
    mend: str = "",
    last: str = "",
    certain: bool | None = None,
) -> Verdict:
    """The finding for a name that nobody has, unless the vocabulary has it."""
    plain = name.replace(":", ".")
    if verdict := _in_vocabulary(bench, name, plain, message):
        return verdict
    wanted = last or plain
    same = [f"{owner}{each}" for owner, each in _same(bench, wanted)]
    near = same or ([] if mend else [each for each in _nearest(bench, wanted) if each != plain])
    if same:
        message = f"{message}: it is written {same[0]!r}"
    places = [_place(bench, each) for each in (same or near)[:_MOST]]
    sure = bool(same or last) if certain is None else certain
    if not mend:
        asked = f"did you mean {' or '.join(map(repr, near[:_MOST]))}?" if near else ""
        other = "" if sure else "what is not the library's goes into the vocabulary, with the reason"
        mend = f"write {same[0]!r}" if same else " ".join(filter(None, [asked, other]))
    return Verdict(
        text=name,
        state="unknown",
        why=message,
        rule="SL301",
        message=message,
        evidence=(*evidence, *(place for place in places if place)),
        mend=mend,
        certain=sure,
    )


def misspelt(bench: Bench, name: str, meant: str, message: str = "") -> Verdict:
    """The finding for a single word that is a slip of a name; never certain, for it may be somebody else's word."""
    place = _place(bench, meant) or _parameter(bench, meant)
    mend = f"did you mean {meant!r}? what is not the library's goes into the vocabulary, with the reason"
    said = message or f"the library has no {name!r}"
    return unknown(bench, name, said, evidence=(place,) if place else (), mend=mend, certain=False)


def _in_vocabulary(bench: Bench, name: str, plain: str, message: str) -> Verdict | None:
    """What the vocabulary makes of a name, or of its last part; None where it has neither."""
    word = next((bench.words[each] for each in (name, plain, plain.rpartition(".")[2]) if each in bench.words), None)
    if word is None:
        return None
    if not word.pages or bench.path in word.pages:
        return Verdict(text=name, state="known", why=f"the vocabulary: {word.reason}", entry=word.name)
    return Verdict(
        text=name,
        state="unknown",
        why=message,
        rule="SL301",
        message=f"{message}, and the vocabulary allows {word.name!r} on other pages only",
        evidence=(f"{word.place}  {word.reason}", *(f"allowed on {page}" for page in word.pages)),
        mend="correct the name, or add this page there",
        entry=word.name,
        certain=True,
    )


def _same(bench: Bench, name: str) -> list[tuple[str, str]]:
    """Respellings of the last part of a name, with what stands before it: of a member, only what its owner has."""
    owner, _, last = name.rpartition(".")
    found = respelled(bench, last)
    if not owner:
        return [("", each) for each in found]
    return [(f"{owner}.", each) for each in found if lookup(bench.index, f"{owner}.{each}")]


def _nearest(bench: Bench, name: str) -> tuple[str, ...]:
    kept: dict[str, tuple[str, ...]] = bench.index.memo.setdefault("prose: nearest", {})
    if name not in kept:
        kept[name] = nearest(bench.index, name)
    return kept[name]


def _place(bench: Bench, name: str) -> str:
    found = general_first(bench.index, lookup(bench.index, name))
    return f"{found[0].place}  {found[0].selector}" if found else ""


def _parameter(bench: Bench, name: str) -> str:
    found = taker(bench.index, name)
    return f"{found.place}  a parameter of {found.selector}" if found else ""
