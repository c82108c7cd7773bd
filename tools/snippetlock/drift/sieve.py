"""Tell at a glance, by the words of a whole file, that nothing in it can be what is looked for.

Most files that differ hold nothing like it; none of their lines is looked at then. It errs on one side only: a
file that is passed over has no definition of the name, and none that could be as much alike as is asked for.
"""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise

from snippetlock.drift.likeness import Words, folded
from snippetlock.drift.listing import File, Listed

__all__ = ["Sieve"]

_KEYWORDS = {"class": "class", "function": "def"}


class Sieve:
    """For a definition with these words. One of another name must be alike by `least`; where that is None, no other
    name is asked for."""

    def __init__(self, was: Listed, counts: Words, least: float | None) -> None:
        self._was = was
        self._name = was.name.lower()
        self._counts = counts
        self._least = least

    def passes_over(self, file: File) -> bool:
        """Whether nothing in the file can be meant."""
        # Names of other alphabets are not compared as they are written, and other languages name things otherwise.
        if not file.path.endswith(".py") or not file.text.isascii():
            return False
        if folded(self._was.name) in file.folded:
            return False
        return self._least is None or self._at_most(file) < self._least

    @cached_property
    def _words(self) -> dict[str, int]:
        return {word: count for word, count in self._counts.items() if " " not in word and word != self._name}

    @cached_property
    def _pairs(self) -> dict[tuple[str, str], int]:
        pairs = (pair for pair in pairwise(self._counts.words) if self._name not in pair)
        return {pair: self._counts[" ".join(pair)] for pair in pairs}

    @cached_property
    def _whole(self) -> int:
        return sum(self._words.values()) + sum(self._pairs.values())

    def _at_most(self, file: File) -> float:
        """What the likeness of no definition in the file exceeds.

        Words that are in the file somewhere count as shared, and the other definition as having no more than these.
        """
        shared = sum(self._words[word] for word in self._words.keys() & file.every)
        shared += sum(self._pairs[pair] for pair in self._pairs.keys() & file.pairs)
        # The name of the other counts in neither: where we have it too, we have less.
        keyword = _KEYWORDS.get(self._was.kind)
        names = (w for w in self._words if (keyword is None and w in file.every) or (keyword, w) in file.pairs)
        whole = self._whole - 3 * max(map(self._words.__getitem__, names), default=0)
        return 2 * shared / (whole + shared) if whole > 0 else 1.0
