"""The names most like one that is not there: of ten thousand, in a millisecond or two."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from snippetlock.errors import nearest as closest
from snippetlock.index.ancestry import members
from snippetlock.index.index import Index
from snippetlock.index.names import follow, lookup

__all__ = ["nearest"]

_POOL = 12  # names that are compared letter by letter


def nearest(index: Index, name: str, most: int = 3) -> tuple[str, ...]:
    """The names of the library most like `name`, best first; a difference of case or underscores alone always counts.

    Of a dotted name whose beginning is there, the last part is looked for among the members; else the name alone.
    """
    head, _, last = name.rpartition(".")
    if head:
        owners = [follow(index, each) for each in lookup(index, head)]
        pool = sorted({word for each in owners if each.kind == "class" for word in members(index, each)})
        found = closest(last, pool, most)
        if found:
            return tuple(f"{head}.{each}" for each in found)
    known: dict[tuple[str, int], tuple[str, ...]] = index.memo.setdefault("nearest", {})
    if (last, most) not in known:
        if "pairs" not in index.memo:
            index.memo["pairs"] = _Pairs({*index.names, *index.tails})
        known[last, most] = index.memo["pairs"].like(last, most)
    return known[last, most]


class _Pairs:
    """Names by the pairs of letters in them: names that are alike have half of their pairs in common."""

    def __init__(self, names: Iterable[str]) -> None:
        self.names = sorted(names)
        self.sizes: list[int] = []
        self.having: dict[str, list[int]] = {}
        self.folded: dict[str, list[str]] = {}
        for number, name in enumerate(self.names):
            self.folded.setdefault(_folded(name), []).append(name)
            pairs = _pairs(name)
            self.sizes.append(len(pairs))
            for pair in pairs:
                self.having.setdefault(pair, []).append(number)

    def like(self, name: str, most: int) -> tuple[str, ...]:
        pairs = _pairs(name)
        common: Counter[int] = Counter()
        for pair in pairs:
            common.update(self.having.get(pair, ()))
        scored = []
        for number, count in common.items():
            size = len(pairs) + self.sizes[number]
            if count * 4 >= size:
                scored.append((-count / size, self.names[number]))
        scored.sort()
        same = [each for each in self.folded.get(_folded(name), ()) if each != name]
        close = closest(name, [each for _, each in scored[:_POOL] if each != name], most)
        return tuple(dict.fromkeys([*same, *close]))[:most]


def _folded(name: str) -> str:
    return name.replace("_", "").lower()


def _pairs(name: str) -> frozenset[str]:
    word = _folded(name)
    return frozenset(word[i : i + 2] for i in range(len(word) - 1)) or frozenset([word])
