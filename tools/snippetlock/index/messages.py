"""Which strings of the source can make a message, and what is raised with it.

A placeholder can be anything, so a text of little but placeholders makes everything: it counts only where most of
the words are its own, or what stands in its last placeholder is made by another text. A placeholder that shows an
exception which was caught is as long as that is: its words are nobody's.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from snippetlock.index import rows
from snippetlock.index.index import Index
from snippetlock.index.interpreter import says
from snippetlock.index.matching import Match, Range, inside, match, prose, spaced, squeezed
from snippetlock.index.names import lookup, resolve
from snippetlock.index.rows import Row
from snippetlock.index.said import Carrier, Production, Text
from snippetlock.index.shapes import Definition
from snippetlock.index.standard import is_exception
from snippetlock.records import dataclass, replace

__all__ = ["carriers", "produces"]

LEAST = 0.6
"""The share of a message's words that must be those of the text, not of its placeholders."""
_MOST = 20  # productions told of one message
_AS_GOOD = 0.6  # of the best: a text with less of its own is not what makes the message
_PIECES = re.compile(r"[():;]")
_REMAINDERS = 6  # ends of a message that are looked up as made by another text
_FRAMES = 3  # around one message, each by another exception or function
_DOTS = re.compile(r"[ ]?(?:\.\.\.|…)$")
_CLOSED_BY = {"[": "]", "{": "}", "(": ")", "'": "'", '"': '"'}
_KEYED = re.compile(r"[A-Za-z]+_\w+")
_Hit = tuple[int, int]  # file, text


@dataclass(frozen=True, slots=True)
class _Made:
    """A text that may make a message, and how much speaks for it."""

    hit: _Hit
    match: Match
    free: bool  # the last placeholder shows an exception
    enough: bool


def produces(index: Index, message: str, *, frames: bool = True) -> tuple[Production, ...]:
    """The texts of the source that can make a message, or something that begins with it; the likeliest first.

    After them come those that only frame what another text makes (`{where}: {problem}`), for what they raise;
    without `frames` only where there is no other. White space counts as one space. A beginning needs two words of its
    own: anything begins with one.
    """
    known: dict[tuple[str, bool], tuple[Production, ...]] = index.memo.setdefault("produced", {})
    message = squeezed(message)
    if (message, frames) not in known:
        cut = _DOTS.sub("", message)
        found = _produced(index, message, frames) if message else ()
        known[message, frames] = found or (_produced(index, cut, frames) if cut and cut != message else ())
    return known[message, frames]


def _produced(index: Index, message: str, frames: bool) -> tuple[Production, ...]:
    every = _every(index, message)
    made = [_production(index, each.hit, each.match, message) for each in every if each.enough]
    most = max((each.literal for each in made), default=0.0)
    made = [each for each in made if each.literal >= most * _AS_GOOD]
    made.sort(key=lambda each: (-each.literal, not each.whole, not each.exceptions, each.text.path, each.text.line))
    if made and not frames:
        return tuple(made[:_MOST])
    framed = [each for each in _framed(index, message, every, _FRAMES) if each.exceptions]
    framed.sort(key=lambda each: -each.literal)
    return (*made[:_MOST], *framed[:_MOST])


def _every(index: Index, message: str, *, filled: bool = True) -> list[_Made]:
    """Each text that may make a message. `filled` says that what stands in placeholders is looked up as well."""
    words = prose(message)
    holding = _holding(index)
    found = []
    for hit, made in (*_constants(index, message), *_templates(index, message)):
        free = any(row[0] == made.hole for row in holding.get(hit, ()))
        enough = _enough(words, made, message, free) or (filled and _filled(index, words, made, message))
        found.append(_Made(hit, made, free, enough))
    return found


def _enough(words: Sequence[Range], made: Match, message: str, free: bool) -> bool:
    """Whether enough of a message is a text's own."""
    if free or _is_value(made, message):
        words = [word for word in words if not inside(word, ((made.first, made.end),))]
    own = sum(inside(word, made.literal) for word in words)
    share = own / len(words) if words else made.covered / len(message)
    if share >= LEAST and (own >= 2 or (made.whole and not free and (own or made.covered == len(message)))):
        return free or not _goes_astray(words, made, message)
    return (_begun(words, made) or _keyed(words, made, message)) and not _goes_astray(words, made, message)


def _begun(words: Sequence[Range], made: Match) -> bool:
    """Whether a text makes the whole message and says its first words: what follows in placeholders is any prose."""
    start, end = made.literal[0]
    return made.whole and start == 0 and sum(inside(word, ((0, end),)) for word in words) >= 2


def _keyed(words: Sequence[Range], made: Match, message: str) -> bool:
    """Whether a message is only of code, and begins with a name of the text's own: `shape_rules[0]: M % 8 == 0`."""
    start, end = made.literal[0]
    return made.whole and not words and start == 0 and _KEYED.match(message[:end]) is not None


def _goes_astray(words: Sequence[Range], made: Match, message: str) -> bool:
    """Whether a message that ends in a placeholder has prose there: then it is not cut off, but goes another way."""
    end = made.literal[-1][1]
    return not made.whole and " " in message[end:].strip(" ") and any(word[0] >= end for word in words)


def _is_value(made: Match, message: str) -> bool:
    """Whether a page cut off a value that stands in the last placeholder: a list, or what is quoted, is not closed."""
    held = message[made.first : made.end].lstrip(" ")
    return not made.whole and held[:1] in _CLOSED_BY and _CLOSED_BY[held[:1]] not in held[1:]


def _filled(index: Index, words: Sequence[Range], made: Match, message: str) -> bool:
    """Whether a message that begins as the text does has in its last placeholder what other texts of the source say.

    So is `nothing serves this: gemv (Gemv: it is too narrow)`, where one text has the beginning and one the reason.
    """
    end = made.literal[-1][1]
    if made.whole or sum(inside(word, ((0, end),)) for word in words) < 2:
        return False
    pieces = (piece.strip(" ") for piece in _PIECES.split(message[end:]))
    said = [piece for piece in pieces if " " in piece and prose(piece)]
    return 0 < len(said) <= _REMAINDERS and all(_all_own(index, piece) for piece in said)


def _all_own(index: Index, piece: str) -> bool:
    """Whether a text has all words of a piece, or Python itself says it."""
    known: dict[str, bool] = index.memo.setdefault("all own", {})
    if piece not in known:
        words = prose(piece)
        every = (*_constants(index, piece), *_templates(index, piece))
        texts = any(sum(inside(word, made.literal) for word in words) == len(words) > 1 for _, made in every)
        known[piece] = texts or says(piece)
    return known[piece]


def _production(index: Index, hit: _Hit, made: Match, message: str) -> Production:
    text = index.text(index.file(hit[0]), hit[1])
    share = round(made.covered / len(message), 3)
    exceptions = _exceptions(index, hit, text)
    return Production(text=text, exceptions=exceptions, whole=made.whole, literal=share)


def _constants(index: Index, message: str) -> Iterator[tuple[_Hit, Match]]:
    """Constants that are the message, or begin with it."""
    if "sorted" not in index.memo:
        constants = index.table("texts")["constants"]
        index.memo["sorted"] = sorted((squeezed(text), text) for text in constants)
    ordered: list[tuple[str, str]] = index.memo["sorted"]
    at, taken = bisect_left(ordered, (message, "")), 0
    while at < len(ordered) and ordered[at][0].startswith(message) and taken < _MOST:
        plain, text = ordered[at]
        end = len(message)
        made = Match(plain == message, ((0, end),), -1, end, end)
        for hit in _places(index, text):
            yield hit, made
            taken += 1
        at += 1


def _places(index: Index, text: str) -> Iterator[_Hit]:
    for number in index.table("texts")["constants"].get(text, ()):
        for at, row in enumerate(index.file(number).sheet["texts"]):
            if row[rows.PARTS] == [text]:
                yield number, at


def _templates(index: Index, message: str) -> Iterator[tuple[_Hit, Match]]:
    """Texts with placeholders that make the message: only those are tried that begin with its first character."""
    if "templates" not in index.memo:
        index.memo["templates"] = [
            (tuple(spaced(part) for part in parts), (number, at))
            for parts, number, at in index.table("texts")["templates"]
        ]
    begun, first = index.memo.setdefault("begun", {}), message[:1]
    if first not in begun:
        begun[first] = [each for each in index.memo["templates"] if each[0][0].lstrip(" ")[:1] in ("", first)]
    for parts, hit in begun[first]:
        made = match(parts, message)
        if made is not None:
            yield hit, made


def _holding(index: Index) -> dict[_Hit, list[Row]]:
    """The placeholders that show an exception, with what is known of it, by text."""
    if "holding" not in index.memo:
        index.memo["holding"] = {(number, at): held for number, at, held in index.table("texts")["holding"]}
    return index.memo["holding"]  # type: ignore[no-any-return]


# Frames


def _framed(index: Index, message: str, every: Sequence[_Made], depth: int) -> Iterator[Production]:
    """Texts that only frame what another makes: `{where}: {problem}`, and such a one within another."""
    words = prose(message)
    known: dict[Range, tuple[bool, Text | None]] = {}
    for each in every:
        made = each.match
        place = made.first, made.end
        if each.enough or not (made.whole or each.free) or not _is_frame(index, message, words, made):
            continue
        if place not in known and len(known) >= _REMAINDERS:
            continue
        if place not in known:
            known[place] = _inner(index, message[made.first : made.end].strip(" "), depth)
        found, inner = known[place]
        if found or (each.free and says(message[made.first : made.end].strip(" "))):
            yield replace(_production(index, each.hit, made, message), frame=True, inner=inner)


def _is_frame(index: Index, message: str, words: Sequence[Range], made: Match) -> bool:
    """Whether a text sets off what stands in its last placeholder, and it or others say most of what is around that.

    A word alone there is a name.
    """
    around = [word for word in words if not inside(word, ((made.first, made.end),))]
    own = sum(inside(word, made.literal) for word in around)
    set_off = 0 < made.first < made.end and any(message[start:end].strip(" ") for start, end in made.literal)
    if not set_off or not around or own / len(around) >= LEAST:
        return set_off
    last, gaps = 0, []
    for start, end in made.literal:
        gaps.append(message[last : min(start, made.first)])
        last = end
    pieces = [piece.strip(" ") for gap in gaps for piece in _PIECES.split(gap) if len(prose(piece)) > 1]
    return len(pieces) <= _REMAINDERS and all(_all_own(index, piece) for piece in pieces)


def _inner(index: Index, message: str, depth: int) -> tuple[bool, Text | None]:
    """Whether the library makes what a frame is put around, and the text: many frames are tried with the same."""
    known: dict[tuple[str, int], tuple[bool, Text | None]] = index.memo.setdefault("inner", {})
    key = message, depth
    if key not in known:
        every = _every(index, message, filled=False) if message else []
        text = next((index.text(index.file(each.hit[0]), each.hit[1]) for each in every if each.enough), None)
        if text is None and depth > 1:
            text = next((each.text for each in _framed(index, message, every, depth - 1)), None)
        known[key] = text is not None, text
    return known[key]


def carriers(index: Index) -> tuple[Carrier, ...]:
    """Every text that shows an exception which was caught, or is that exception's, with what is raised with it."""
    if "carriers" not in index.memo:
        found = []
        for hit, held in _holding(index).items():
            text = index.text(index.file(hit[0]), hit[1])
            raised = _exceptions(index, hit, text)
            for _, caught, calls in held if raised else ():
                found.append(Carrier(text=text, caught=tuple(caught), calls=tuple(calls), raised=raised))
        index.memo["carriers"] = tuple(found)
    return index.memo["carriers"]  # type: ignore[no-any-return]


# What is raised


def _exceptions(index: Index, hit: _Hit, text: Text) -> tuple[str, ...]:
    """The exceptions that a text is given to, by their bare names; none where the source does not tell."""
    if text.role not in ("raise", "call") or not text.name:
        return ()
    if text.name == "super().__init__":
        owner = text.within.removesuffix(".__init__").rpartition(".")[2]
        return (owner,) if owner.endswith(("Error", "Exception", "Warning")) else ()
    file = index.file(hit[0])
    scope = file.sheet["texts"][hit[1]][rows.SCOPE]
    name = text.name.removeprefix("self.").removeprefix("cls.")
    found = resolve(index, file, name, scope)
    if name != text.name:
        found = lookup(index, text.name)
    bare = text.name.rpartition(".")[2]
    for each in found:
        if isinstance(each, Definition) and each.kind == "function":
            return _of_function(index, each, text.role)
    raised = text.role == "raise" or is_exception(bare) or bare.endswith(("Error", "Exception"))
    return (bare,) if raised else ()


def _of_function(index: Index, function: Definition, role: str) -> tuple[str, ...]:
    """What a function makes of a message that it is given: what it returns to be raised, or raises itself."""
    if role == "raise":
        returns = function.returns.strip("\"'").rpartition(".")[2]
        return (returns,) if returns.isidentifier() else ()
    number, row = function.number
    passes = index.file(number).sheet["defs"][row][rows.C][1] or {}
    return tuple(dict.fromkeys(exception.rpartition(".")[2] for exception in passes.values()))
