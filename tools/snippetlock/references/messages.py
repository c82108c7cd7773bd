"""Judge a message that prose quotes (`{ .message }`): the source must make it, and raise with it what stands beside."""

from __future__ import annotations

import re
from collections.abc import Sequence

from snippetlock.index import Carrier, Index, Production, Text, carriers, follow, lineage, lookup, produces
from snippetlock.index.standard import EXCEPTIONS
from snippetlock.references.bench import Bench
from snippetlock.references.speech import Said
from snippetlock.references.verdicts import Verdict
from snippetlock.references.wording import NAME

__all__ = ["MARK", "judge_message", "judge_raised"]

MARK = "message"
_MOST = 3
_ANY = ("Exception", "BaseException")  # caught so, it can be whatever there is: that tells nothing
_WORD = re.compile(r"[A-Za-z]{3,}+")
_KEY = re.compile(r"(?P<quote>['\"])(?P<text>[^ ]++ .*)(?P=quote)", re.S)  # of a `KeyError`, with its quotes
_PRINTED = re.compile(r"(?P<kind>[^\W\d]\w*+(?:\.[^\W\d]\w*+)*+):[ ]++(?P<text>[^ ].*)", re.S)


def judge_message(bench: Bench, said: Said, beside: Sequence[Said]) -> Verdict:
    """The verdict on a message. `beside` are the spans of its paragraph, or its row of a table, in order.

    It may be written as Python prints it, with its exception before it: `KeyError: 'x'`.
    """
    named, text = _printed(bench.index, said.text)
    whole = text
    found = produces(bench.index, text, frames=False)
    if not found and named:
        whole, named = said.text, ""
        found = produces(bench.index, whole, frames=False)
    if not found:
        return _unsaid(bench, said, text)
    first = found[0]
    where = f"{first.text.path}:{first.text.line}"
    raised = named or _beside(bench, said, beside)
    if raised and not _raises(bench.index, raised, found):
        found = produces(bench.index, whole)
    if not raised or _raises(bench.index, raised, found):
        return Verdict(text=said.text, state="resolved", why=f"{first.text.shown!r} ({where})")
    kinds = tuple(dict.fromkeys(kind for each in found for kind in each.exceptions))
    return Verdict(
        text=said.text,
        state="unknown",
        why=f"it is not raised as {raised}",
        rule="SL305",
        certain=True,
        message=f"{text!r} comes with {' or '.join(kinds)}, not with {raised}",
        evidence=tuple(f"{each.text.path}:{each.text.line}  {each.text.shown}" for each in found[:_MOST]),
        mend=f"name {kinds[0]} {'before' if named else 'beside'} it",
    )


def _unsaid(bench: Bench, said: Said, text: str) -> Verdict:
    """The finding for a message that nothing makes."""
    near = _like(bench.index, text)
    return Verdict(
        text=said.text,
        state="unknown",
        why="no string of the library makes it",
        rule="SL305",
        certain=True,
        message=f"nothing in the library says {text!r}",
        evidence=near,
        mend="quote what the source says" + (": the texts above are the most like it" if near else ""),
    )


def judge_raised(bench: Bench, raised: Said, said: Said) -> tuple[Verdict, Said]:
    """The verdict on a message that is said to come with an exception, and what it is about: one of the two."""
    if _is_exception(bench.index, raised.text):
        return judge_message(bench, said, (raised, said)), said
    why = "neither the library nor Python has an exception of that name"
    message = f"{raised.text!r} is no exception"
    mend = "name the one that the message comes with"
    return Verdict(text=raised.text, state="unknown", why=why, rule="SL305", message=message, mend=mend), raised


def _printed(index: Index, message: str) -> tuple[str, str]:
    """The exception that stands before a message, empty for none, and the message without it."""
    found = _PRINTED.fullmatch(message)
    if found is None or not _is_exception(index, found["kind"]):
        return "", message
    text = found["text"]
    shown = _KEY.fullmatch(text) if found["kind"].rpartition(".")[2] == "KeyError" else None
    return found["kind"], shown["text"] if shown else text


def _beside(bench: Bench, said: Said, beside: Sequence[Said]) -> str:
    """The exception named beside a message: the nearest before it, up to another message, else right behind it."""
    at = next(number for number, each in enumerate(beside) if each is said)
    for each in reversed(beside[:at]):
        if MARK in each.marks:
            break
        if _is_exception(bench.index, each.text):
            return each.text
    behind = beside[at + 1 : at + 2]
    return behind[0].text if behind and _is_exception(bench.index, behind[0].text) else ""


def _is_exception(index: Index, name: str) -> bool:
    if not NAME.fullmatch(name):
        return False
    if name in EXCEPTIONS:
        return True
    meant = [follow(index, each) for each in lookup(index, name)]
    return any(each.kind == "class" and _standard_exception(index, each.name) for each in meant)


def _standard_exception(index: Index, name: str) -> bool:
    return any(
        base.removeprefix("builtins.") in EXCEPTIONS
        for each in lookup(index, name)
        if each.kind == "class"
        for base in lineage(index, each).standard
    )


def _raises(index: Index, name: str, found: Sequence[Production]) -> bool:
    """Whether one of the texts is raised as `name`, or as something that is one; or it cannot be told."""
    own = [each for each in found if not each.frame] or found
    best = [each for each in own if each.whole] or own
    if any(not each.exceptions for each in best) and not any(each.exceptions for each in best):
        return True
    wanted = name.rpartition(".")[2]
    kinds = {kind for kind, _ in _passed_on(index, found)}
    return any(kind == wanted or wanted in _above(index, kind) for kind in kinds)


def _passed_on(index: Index, found: Sequence[Production]) -> set[tuple[str, Text]]:
    """What is raised with some texts, and what shows that in its own text, where the source tells it is caught there.

    Where everything is caught, or it is not told where it comes from, the frame must be quoted too.
    """
    reached = {(kind.partition("(")[0].rpartition(".")[2], each.text) for each in found for kind in each.exceptions}
    waiting = list(reached)
    while waiting:
        kind, text = waiting.pop()
        above = {kind, *_above(index, kind)}.difference(_ANY)
        for each in carriers(index):
            if above.isdisjoint(name.rpartition(".")[2] for name in each.caught) or not _calls(index, each, text):
                continue
            waiting += (new := {(raised, each.text) for raised in each.raised} - reached)
            reached |= new
    return reached


def _calls(index: Index, carrier: Carrier, text: Text) -> bool:
    """Whether what a carrier catches comes from the function that has a text, or from one of its module."""
    last = text.within.rpartition(".")[2]
    return last in carrier.calls or any(
        each.path == text.path for name in carrier.calls for each in index.named(name) if each.kind != "attribute"
    )


def _above(index: Index, kind: str) -> frozenset[str]:
    """The names of the classes above an exception."""
    if kind in EXCEPTIONS:
        return frozenset(each.__name__ for each in EXCEPTIONS[kind].__mro__)
    found: set[str] = set()
    for cls in lookup(index, kind):
        if cls.kind == "class":
            line = lineage(index, cls)
            found |= {each.name for each in line.order}
            for base in line.standard:
                last = base.rpartition(".")[2]
                found |= _above(index, last) if last in EXCEPTIONS else set()
    return frozenset(found)


def _like(index: Index, message: str) -> tuple[str, ...]:
    """The texts of the source that share the most words with a message."""
    wanted = set(_WORD.findall(message.lower()))
    table = index.table("texts")
    scored: list[tuple[float, str, int]] = []
    for text, numbers in table["constants"].items():
        scored.append((_shared(wanted, text), text, numbers[0]))
    for parts, number, _ in table["templates"]:
        scored.append((_shared(wanted, " ".join(parts)), "{…}".join(parts), number))
    best = sorted((-score, text, number) for score, text, number in scored if score >= 0.4)[:_MOST]
    return tuple(f"{index.paths[number]}  {' '.join(text.split())[:120]}" for _, text, number in best)


def _shared(wanted: set[str], text: str) -> float:
    words = set(_WORD.findall(text.lower()))
    return 2 * len(words & wanted) / (len(words) + len(wanted)) if words else 0.0
