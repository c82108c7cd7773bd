"""How alike two definitions are: their words and pairs of words, names by their parts. Numbers from 0 to 1."""

from __future__ import annotations

import re
from collections import Counter

__all__ = ["folded", "likeness", "name_likeness", "size"]

_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\W_a-zA-Z0-9]+")


def likeness(one: Counter[str], other: Counter[str], masked: tuple[str, ...] = ()) -> float:
    """What two counts of words share, against the mean of both. Words of `masked` count in neither."""
    if masked:
        one, other = _without(one, masked), _without(other, masked)
    total = one.total() + other.total()
    small, large = (one, other) if len(one) < len(other) else (other, one)
    shared = sum(min(count, large[word]) for word, count in small.items() if word in large)
    return 2 * shared / total if total else 1.0


def _without(counts: Counter[str], masked: tuple[str, ...]) -> Counter[str]:
    gone = {m.lower() for m in masked}
    return Counter({w: n for w, n in counts.items() if gone.isdisjoint(w.split(" "))})


def size(counts: Counter[str]) -> int:
    """How much there is to go by: the number of words, pairs aside."""
    return sum(n for word, n in counts.items() if " " not in word)


def folded(name: str) -> str:
    """A name without letter case and underscores."""
    return name.lower().replace("_", "")


def name_likeness(one: str, other: str) -> float:
    """How many of the words that make up two names are the same."""
    a, b = (Counter(word.lower() for word in _PARTS.findall(name)) for name in (one, other))
    return 2 * (a & b).total() / max(1, a.total() + b.total())
