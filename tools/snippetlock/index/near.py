"""The names most like one that is not there: of ten thousand, in milliseconds."""

from __future__ import annotations

from snippetlock.errors import nearest as closest
from snippetlock.index.ancestry import members
from snippetlock.index.index import Index
from snippetlock.index.names import follow, lookup

__all__ = ["nearest"]

_POOL = 40  # names that are compared letter by letter
_Pairs = frozenset[str]


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
    return tuple(_of_all(index, last, most))


def _of_all(index: Index, name: str, most: int) -> list[str]:
    if "pairs" not in index.memo:
        pool = {*index.names, *index.tails}
        index.memo["pairs"] = [(each, _pairs(each)) for each in sorted(pool)]
    pairs: list[tuple[str, _Pairs]] = index.memo["pairs"]
    folded = _folded(name)
    same = [each for each, _ in pairs if _folded(each) == folded and each != name]
    wanted = _pairs(name)
    scored = []
    for each, own in pairs:
        common = len(wanted & own)
        if common * 4 >= len(wanted) + len(own):  # half of all pairs of letters, so as not to look at the rest
            scored.append((-2 * common / (len(wanted) + len(own)), each))
    scored.sort()
    close = closest(name, [each for _, each in scored[:_POOL] if each != name], most)
    return list(dict.fromkeys([*same, *close]))[:most]


def _folded(name: str) -> str:
    return name.replace("_", "").lower()


def _pairs(name: str) -> _Pairs:
    word = _folded(name)
    return frozenset(word[i : i + 2] for i in range(len(word) - 1)) or frozenset([word])
