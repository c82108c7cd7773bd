"""Which strings of the source can make a message, and what is raised with it.

A placeholder can be anything, so a text of little but placeholders makes everything: it counts only where most of
the words are its own, or what stands in its last placeholder is made by another text. Linear in message and texts:
pieces are looked for from left to right, each once.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from snippetlock.index import rows
from snippetlock.index.index import Index
from snippetlock.index.names import lookup, resolve
from snippetlock.index.said import Production, Text
from snippetlock.index.shapes import Definition
from snippetlock.index.standard import is_exception
from snippetlock.records import dataclass

__all__ = ["produces"]

LEAST = 0.6
"""The share of a message's words that must be those of the text, not of its placeholders."""
_MOST = 20  # productions told of one message
_AS_GOOD = 0.6  # of the best: a text with less of its own is not what makes the message
_PIECES = re.compile(r"[():;]")
_REMAINDERS = 6  # ends of a message that are looked up as made by another text
_SPACE = re.compile(r"\s+")
_WORD = re.compile(r"(?<![\w.'\"`-])[A-Za-z][a-z]*+(?:['-][a-z]++)*+(?![\w.(\[=]\w|\w|['\"`(\[=-])")
_Hit = tuple[int, int]  # file, text


@dataclass(frozen=True, slots=True)
class _Match:
    """How a text makes a message: what is literal as ranges of the message, and where its last placeholder begins."""

    whole: bool
    literal: tuple[tuple[int, int], ...]
    last: int


_Made = tuple[_Hit, _Match, float]


def produces(index: Index, message: str) -> tuple[Production, ...]:
    """The texts of the source that can make a message, or something that begins with it; the likeliest first.

    After them come those that only frame what another text makes (`{where}: {problem}`), for what they raise.
    White space counts as one space. A beginning needs two words of its own: anything begins with one.
    """
    message = _SPACE.sub(" ", message).strip(" ")
    if not message:
        return ()
    words = [found.span() for found in _WORD.finditer(message)]
    strong: list[_Made] = []
    weak: list[_Made] = []
    for hit, match in (*_constants(index, message), *_templates(index, message)):
        share = _share(words, match, message)
        own = sum(_inside(word, match.literal) for word in words)
        enough = share >= LEAST and (own >= 2 or (match.whole and (own or _covered(match) == len(message))))
        enough = (enough or _begun(words, match)) and not _goes_astray(words, match, message)
        enough = enough or _filled(index, words, match, message)
        (strong if enough else weak).append((hit, match, share))
    made = [_production(index, hit, match, message) for hit, match, _ in strong]
    most = max((each.literal for each in made), default=0.0)
    made = [each for each in made if each.literal >= most * _AS_GOOD]
    made.sort(key=lambda each: (-each.literal, not each.whole, not each.exceptions, each.text.path, each.text.line))
    framed = _composed(index, message, [(hit, match) for hit, match, _ in weak])
    return (*made[:_MOST], *list(framed)[:_MOST])


def _begun(words: Sequence[tuple[int, int]], match: _Match) -> bool:
    """Whether a text makes the whole message and says its first words: what follows in placeholders is any prose."""
    start, end = match.literal[0]
    return match.whole and start == 0 and sum(_inside(word, ((0, end),)) for word in words) >= 2


def _goes_astray(words: Sequence[tuple[int, int]], match: _Match, message: str) -> bool:
    """Whether a message that ends in a placeholder has prose there: then it is not cut off, but goes another way."""
    end = match.literal[-1][1]
    return not match.whole and " " in message[end:].strip(" ") and any(word[0] >= end for word in words)


def _filled(index: Index, words: Sequence[tuple[int, int]], match: _Match, message: str) -> bool:
    """Whether a message that begins as the text does has in its last placeholder what other texts of the source say.

    So is `nothing serves this: gemv (Gemv: it is too narrow)`, where one text has the beginning and one the reason.
    """
    end = match.literal[-1][1]
    if match.whole or sum(_inside(word, ((0, end),)) for word in words) < 2:
        return False
    pieces = (piece.strip(" ") for piece in _PIECES.split(message[end:]))
    said = [piece for piece in pieces if " " in piece and _WORD.search(piece)]
    return 0 < len(said) <= _REMAINDERS and all(_strongest(index, piece) is not None for piece in said)


def _covered(match: _Match) -> int:
    return sum(end - start for start, end in match.literal)


def _share(words: Sequence[tuple[int, int]], match: _Match, message: str) -> float:
    """How many of the words of prose are literal; where there are none, how many of the characters."""
    if not words:
        return _covered(match) / len(message)
    return sum(_inside(word, match.literal) for word in words) / len(words)


def _inside(word: tuple[int, int], ranges: Sequence[tuple[int, int]]) -> bool:
    return any(start <= word[0] and word[1] <= end for start, end in ranges)


def _production(index: Index, hit: _Hit, match: _Match, message: str, inner: Text | None = None) -> Production:
    text = index.text(index.file(hit[0]), hit[1])
    share = round(_covered(match) / len(message), 3)
    exceptions = _exceptions(index, hit, text)
    return Production(text=text, exceptions=exceptions, whole=match.whole, literal=share, inner=inner)


def _constants(index: Index, message: str) -> Iterator[tuple[_Hit, _Match]]:
    """Constants that are the message, or begin with it."""
    if "sorted" not in index.memo:
        constants = index.table("texts")["constants"]
        index.memo["sorted"] = sorted((_SPACE.sub(" ", text).strip(" "), text) for text in constants)
    ordered: list[tuple[str, str]] = index.memo["sorted"]
    at, taken = bisect_left(ordered, (message, "")), 0
    while at < len(ordered) and ordered[at][0].startswith(message) and taken < _MOST:
        plain, text = ordered[at]
        match = _Match(plain == message, ((0, len(message)),), len(message))
        for hit in _places(index, text):
            yield hit, match
            taken += 1
        at += 1


def _places(index: Index, text: str) -> Iterator[_Hit]:
    for number in index.table("texts")["constants"].get(text, ()):
        for at, row in enumerate(index.file(number).sheet["texts"]):
            if row[rows.PARTS] == [text]:
                yield number, at


def _templates(index: Index, message: str) -> Iterator[tuple[_Hit, _Match]]:
    if "templates" not in index.memo:
        index.memo["templates"] = [
            (tuple(_SPACE.sub(" ", part) for part in parts), (number, at))
            for parts, number, at in index.table("texts")["templates"]
        ]
    for parts, hit in index.memo["templates"]:
        match = _match(parts, message)
        if match is not None:
            yield hit, match


def _match(parts: Sequence[str], message: str) -> _Match | None:
    """Pieces in their order, the first at the beginning; None where the first is not there or nothing literal is."""
    first = parts[0].lstrip(" ")
    if not message.startswith(first):
        if first.startswith(message):
            return _Match(False, ((0, len(message)),), len(message))
        return None
    literal = [(0, len(first))] if first else []
    at = len(first)
    for number, part in enumerate(parts[1:], start=1):
        if number == len(parts) - 1:
            part = part.rstrip(" ")
            if not part or (message.endswith(part) and len(message) - len(part) >= at):
                start = len(message) - len(part)
                return _ended(True, [*literal, (start, len(message))], at)
        start = message.find(part, at)
        if start < 0:
            overlap = _overlap(message, part, at)
            tail = [(len(message) - overlap, len(message))] if overlap else []
            return _ended(False, [*literal, *tail], at)
        if part:
            literal.append((start, start + len(part)))
        at = start + len(part)
    return _ended(False, literal, at)  # the message goes on where the text ends


def _ended(whole: bool, literal: list[tuple[int, int]], at: int) -> _Match | None:
    kept = tuple(each for each in literal if each[0] < each[1])
    return _Match(whole, kept, at) if kept else None


def _overlap(message: str, part: str, at: int) -> int:
    """How many characters at the end of the message are the beginning of a piece: there it was cut off."""
    most = min(len(part), len(message) - at, 200)
    tail = message[len(message) - most :]
    begin = tail.find(part[:1]) if most > 0 else -1
    while begin >= 0:  # from the longest on, where the first character is the one
        if part.startswith(tail[begin:]):
            return most - begin
        begin = tail.find(part[:1], begin + 1)
    return 0


def _composed(index: Index, message: str, weak: Sequence[tuple[_Hit, _Match]]) -> Iterator[Production]:
    """Texts that only frame what another makes: `{where}: {problem}`."""
    known: dict[int, Production | None] = {}
    for hit, match in weak:
        at = match.last
        if not match.whole or not 0 < at < len(message) or (at not in known and len(known) >= _REMAINDERS):
            continue
        if at not in known:
            known[at] = _strongest(index, message[at:])
        made = known[at]
        if made is not None:
            outer = _production(index, hit, match, message, made.text)
            if outer.exceptions:
                yield outer


def _strongest(index: Index, message: str) -> Production | None:
    """The first text that makes all of a message: many frames are tried with the same end of one."""
    known: dict[str, Production | None] = index.memo.setdefault("strong", {})
    if message not in known:
        known[message] = next(_strong(index, message), None)
    return known[message]


def _strong(index: Index, message: str) -> Iterator[Production]:
    words = [found.span() for found in _WORD.finditer(message)]
    for hit, match in (*_constants(index, message), *_templates(index, message)):
        own = sum(_inside(word, match.literal) for word in words)
        if own >= 2 and own == len(words):
            yield _production(index, hit, match, message)


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
