"""How alike two definitions are: their words and pairs of words, names by their parts. Numbers from 0 to 1."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import pairwise

from snippetlock.text import late

__all__ = ["Piece", "Words", "at_most", "folded", "grown", "likeness", "name_likeness", "size", "without"]

_TELLING = 6  # letters of a name that tells something
_PARTS = late(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\W_a-zA-Z0-9]+")


Piece = str | tuple[str, str]  # a word, or two that follow on one another


class Words(Counter[Piece]):
    """Words and pairs of words, counted, out of words in their order. Not to be changed."""

    def __init__(self, words: Sequence[str] = ()) -> None:
        super().__init__(words)
        self.update(pairwise(words))
        self.words = words
        self._holding: dict[str, frozenset[Piece]] = {}

    def holding(self, word: str) -> frozenset[Piece]:
        """What of the counted holds a word: itself, and its pairs."""
        found = self._holding.get(word)
        if found is None:
            near = (pair for pair in pairwise(self.words) if word in pair)
            found = self._holding[word] = frozenset((word, *near))
        return found


def likeness(one: Words, other: Words, masked: tuple[str, ...] = ()) -> float:
    """What two counts of words share, against the mean of both. The words `masked` count in neither."""
    gone = _lower(masked)
    total = _without(one.words, gone, one.get) + _without(other.words, gone, other.get)
    if not total:
        return 1.0
    common = one.keys() & other.keys()
    for word in gone:
        common -= one.holding(word)
    return 2 * sum(map(min, map(one.__getitem__, common), map(other.__getitem__, common))) / total


def at_most(sizes: tuple[int, int], one: frozenset[str], other: frozenset[str], masked: tuple[str, ...] = ()) -> float:
    """What `likeness` cannot exceed, by the words that there are: takes a small part of its time.

    `sizes` are how many words and pairs each has `without` those masked; a word that the other lacks is one less.
    """
    gone = _lower(masked)
    shared = (sizes[0] - len((one - other).difference(gone)), sizes[1] - len((other - one).difference(gone)))
    return 2 * min(shared) / sum(sizes) if any(sizes) else 1.0


def without(words: Sequence[str], masked: tuple[str, ...]) -> int:
    """How many words and pairs of words there are that hold none of those masked."""
    return _without(words, _lower(masked), words.count)


def _lower(masked: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word.lower() for word in masked if " " not in word))  # a title is no word


def _without(words: Sequence[str], gone: tuple[str, ...], count: Callable[[str], int | None]) -> int:
    """How many words and pairs of words there are that hold none of these; `count` says how often there is one."""
    if not words:
        return 0
    left = 2 * len(words) - 1
    for word in gone:
        number = count(word) or 0
        if number:  # each takes itself and two pairs along, at an end only one
            left -= 3 * number - (words[0] == word) - (words[-1] == word)
        at = -1
        for _ in range(number):
            at = words.index(word, at + 1)
            left += at + 1 < len(words) and words[at + 1] in gone  # a pair of two of them was taken twice
    return left


def size(counts: Words) -> int:
    """How much there is to go by: the number of words, pairs aside."""
    return len(counts.words)


@lru_cache(maxsize=8192)
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
