"""The names most like one that is not there: of ten thousand, in a millisecond or two."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from snippetlock.errors import nearest as closest
from snippetlock.index import rows
from snippetlock.index.ancestry import members
from snippetlock.index.index import Index
from snippetlock.index.names import follow, lookup
from snippetlock.index.shapes import Definition

__all__ = ["nearest"]

_POOL = 12  # names that are compared letter by letter


def nearest(index: Index, name: str, most: int = 3) -> tuple[str, ...]:
    """The names of the library most like `name`, best first; a difference of case or underscores alone always counts.

    Of a dotted name whose beginning is there, the last part is looked for among the members; else the name alone,
    and where nothing of the library is like that by its pairs of letters, among what the module offers: of a short
    name, two letters that changed places leave few pairs as they were.
    """
    head, _, last = name.rpartition(".")
    owners = [follow(index, each) for each in lookup(index, head)] if head else []
    if owners:
        pool = sorted({word for each in owners if each.kind == "class" for word in members(index, each)})
        found = closest(last, pool, most)
        if found:
            return tuple(f"{head}.{each}" for each in found)
    known: dict[tuple[str, int], tuple[str, ...]] = index.memo.setdefault("nearest", {})
    if (last, most) not in known:
        if "pairs" not in index.memo:
            index.memo["pairs"] = _Pairs({*index.names, *index.tails})
        known[last, most] = index.memo["pairs"].like(last, most)
    offered = {word for each in owners if each.kind == "module" for word in _offered(index, each)}
    return known[last, most] or tuple(f"{head}.{each}" for each in closest(last, offered, most))


def _offered(index: Index, module: Definition) -> Iterator[str]:
    """The names that a module defines, imports or lists."""
    number = module.number[0]
    if number < 0:
        return
    file = index.file(number)
    yield from (name for owner, name in file.children if owner == -1)
    yield from (row[rows.BOUND] for row in file.sheet["imports"] if row[rows.INSIDE] == -1 and row[rows.BOUND] != "*")
    yield from (file.sheet["all"] or ((), False))[0]


class _Pairs:
    """Names by the pairs of letters in them: names that are alike have half of their pairs in common.

    A set of names is a number that has a bit for each: ten thousand are counted, and compared, in a few operations.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self.names = sorted(names)
        self.pairs = [_pairs(name) for name in self.names]
        self.having: dict[str, list[int]] = {}
        self.sized: dict[int, list[int]] = {}
        self.folded: dict[str, list[str]] = {}
        self.masks: dict[str | int, int] = {}  # of a pair, and of how many a name has
        for number, (name, pairs) in enumerate(zip(self.names, self.pairs, strict=True)):
            self.folded.setdefault(_folded(name), []).append(name)
            self.sized.setdefault(len(pairs), []).append(number)
            for pair in pairs:
                self.having.setdefault(pair, []).append(number)

    def like(self, name: str, most: int) -> tuple[str, ...]:
        pairs = _pairs(name)
        scored = []
        for number in self._half(pairs):
            count = len(pairs & self.pairs[number])
            scored.append((-count / (len(pairs) + len(self.pairs[number])), self.names[number]))
        scored.sort()
        same = [each for each in self.folded.get(_folded(name), ()) if each != name]
        close = closest(name, [each for _, each in scored[:_POOL] if each != name], most)
        return tuple(dict.fromkeys([*same, *close]))[:most]

    def _half(self, pairs: frozenset[str]) -> Iterator[int]:
        """The names that have half of their pairs, and of these, in common."""
        digits = _counted(self._mask(pair, self.having[pair]) for pair in pairs if pair in self.having)
        reached: dict[int, int] = {}
        for size, numbers in self.sized.items():
            least = -(-(len(pairs) + size) // 4)
            if least not in reached:
                reached[least] = _at_least(digits, least, len(self.names))
            if reached[least]:
                yield from _bits(reached[least] & self._mask(size, numbers))

    def _mask(self, what: str | int, numbers: Iterable[int]) -> int:
        if what not in self.masks:
            bits = bytearray(len(self.names) // 8 + 1)
            for number in numbers:
                bits[number >> 3] |= 1 << (number & 7)
            self.masks[what] = int.from_bytes(bits, "little")
        return self.masks[what]


def _counted(masks: Iterable[int]) -> list[int]:
    """In how many of the masks each bit is set, as the binary digits of that, the lowest first."""
    digits: list[int] = []
    for carry in masks:
        for at, digit in enumerate(digits):
            digits[at], carry = digit ^ carry, digit & carry
            if not carry:
                break
        if carry:
            digits.append(carry)
    return digits


def _at_least(digits: list[int], least: int, width: int) -> int:
    """The bits whose count is `least` or more."""
    if least >> len(digits):
        return 0
    more, even = 0, (1 << width) - 1
    for at in range(len(digits) - 1, -1, -1):
        if least >> at & 1:
            even &= digits[at]
        else:
            more |= even & digits[at]
            even &= ~digits[at]
    return more | even


def _bits(mask: int) -> Iterator[int]:
    """The numbers of the bits that are set."""
    text = f"{mask:b}"[::-1]
    at = text.find("1")
    while at >= 0:
        yield at
        at = text.find("1", at + 1)


def _folded(name: str) -> str:
    return name.replace("_", "").lower()


def _pairs(name: str) -> frozenset[str]:
    word = _folded(name)
    return frozenset(word[i : i + 2] for i in range(len(word) - 1)) or frozenset([word])
