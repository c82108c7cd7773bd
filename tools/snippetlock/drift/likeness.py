"""How alike two definitions are: their words and pairs of words, names by their parts. Numbers from 0 to 1."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cached_property

__all__ = ["Words", "folded", "grown", "likeness", "name_likeness", "size"]

_TELLING = 6  # letters of a name that tells something
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\W_a-zA-Z0-9]+")


class Words(Counter[str]):
    """Words and pairs of words (`a b`), counted. Not to be changed once it was compared."""

    @cached_property
    def whole(self) -> int:
        """How many there are."""
        return self.total()

    @cached_property
    def holding(self) -> Mapping[str, int]:
        """For each word how many of the counted hold it: the word itself, and its pairs."""
        found: dict[str, int] = {}
        for entry, count in self.items():
            for word in set(entry.split(" ")):
                found[word] = found.get(word, 0) + count
        return found


def likeness(one: Words, other: Words, masked: tuple[str, ...] = ()) -> float:
    """What two counts of words share, against the mean of both. The words `masked`, two at most, count in neither."""
    gone = tuple({m.lower(): None for m in masked})
    total = _without(one, gone) + _without(other, gone)
    common: Iterable[str] = one.keys() & other.keys()
    if gone:
        common = (entry for entry in common if not any(word in gone for word in entry.split(" ")))
    shared = sum(min(one[entry], other[entry]) for entry in common)
    return 2 * shared / total if total else 1.0


def _without(counts: Words, gone: tuple[str, ...]) -> int:
    """How many there are that hold none of these words."""
    held = sum(counts.holding.get(word, 0) for word in gone)
    if len(gone) == 2:  # what holds both was taken away twice
        held -= counts[f"{gone[0]} {gone[1]}"] + counts[f"{gone[1]} {gone[0]}"]
    return counts.whole - held


def size(counts: Counter[str]) -> int:
    """How much there is to go by: the number of words, pairs aside."""
    return sum(n for word, n in counts.items() if " " not in word)


def folded(name: str) -> str:
    """A name without letter case and underscores."""
    return name.lower().replace("_", "")


def grown(one: str, other: str) -> bool:
    """Whether one name is the other with one or two words more, where both tell something: `PoolOp`, `PoolFwdOp`."""
    short, long = sorted((_PARTS.findall(one), _PARTS.findall(other)), key=len)
    words = [word.lower() for word in long]
    found = iter(words)
    within = all(word.lower() in found for word in short)  # in their order
    return within and 0 < len(long) - len(short) <= 2 <= len(short) and min(map(len, (one, other))) >= _TELLING


def name_likeness(one: str, other: str) -> float:
    """How many of the words that make up two names are the same."""
    a, b = (Counter(word.lower() for word in _PARTS.findall(name)) for name in (one, other))
    return 2 * (a & b).total() / max(1, a.total() + b.total())
