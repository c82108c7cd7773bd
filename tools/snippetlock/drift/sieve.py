"""Tell by the words of whole files in which of them nothing can be what is looked for.

Most files that differ hold nothing like it; none of their lines is looked at then. It errs on one side only: a
file that is passed over has no definition of the name, and none that could be as much alike as is asked for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import chain, pairwise
from typing import TypeVar

from snippetlock.drift.likeness import Piece, Words, folded
from snippetlock.drift.listing import File, Listed

__all__ = ["Sieve"]

_Key = TypeVar("_Key")
_KEYWORDS = {"class": "class", "function": "def"}


class Sieve:
    """For these files: which of them have a word, a pair of words that follow on one another, a name as folded.

    Only for Python in ASCII: other names can be written in several ways, and other languages name things otherwise.
    """

    def __init__(self, files: Iterable[File]) -> None:
        self._paths: list[str] = []
        self._having: dict[Piece, list[int]] = {}
        self._folded: dict[str, list[int]] = {}
        for file in files:
            if file.path.endswith(".py") and file.text.isascii():
                words = file.words(0, len(file.text))
                self._add(len(self._paths), file.every, set(pairwise(words)))
                self._paths.append(file.path)

    def _add(self, number: int, words: Iterable[str], pairs: Iterable[tuple[str, str]]) -> None:
        _note(self._having, words, number)
        _note(self._having, pairs, number)
        _note(self._folded, set(map(folded, words)), number)

    def passed_over(self, was: Listed, counts: Words, least: float | None) -> set[str]:
        """The files in which nothing can be meant by a definition with these words.

        One of another name has to be alike by `least`; where that is None, no other name is asked for.
        """
        numbers = set(range(len(self._paths))).difference(self._folded.get(folded(was.name), ()))
        if least is not None:
            own = was.name.lower()
            entries = counts.keys() - counts.holding(own)
            whole, shared = sum(map(counts.__getitem__, entries)), self._shared(entries, counts)
            largest = self._largest(was, counts)
            # Words that are in a file somewhere count as shared, and the other definition as having no more than
            # these. Its name counts in neither: where we have it too, with two pairs each time, we have less.
            numbers = {n for n in numbers if 2 * shared[n] < least * (whole - 3 * largest.get(n, 0) + shared[n])}
        return {self._paths[number] for number in numbers}

    def _shared(self, entries: Iterable[Piece], counts: Words) -> Counter[int]:
        """For each file how many of the counted it can share."""
        groups: dict[int, list[list[int]]] = {}
        for entry in entries:
            if entry in self._having:
                groups.setdefault(counts[entry], []).append(self._having[entry])
        found: Counter[int] = Counter()
        for count, having in groups.items():
            for number, times in Counter(chain.from_iterable(having)).items():
                found[number] += count * times
        return found

    def _largest(self, was: Listed, counts: Words) -> dict[int, int]:
        """For each file how often we have a name, at most, that something in it can be called."""
        keyword = _KEYWORDS.get(was.kind, "")
        found: dict[int, int] = {}
        for word in set(counts.words) - {was.name.lower()}:
            for number in self._having.get((keyword, word) if keyword else word, ()):
                found[number] = max(found.get(number, 0), counts[word])
        return found


def _note(known: dict[_Key, list[int]], every: Iterable[_Key], number: int) -> None:
    for one in every:
        if one in known:
            known[one].append(number)
        else:
            known[one] = [number]
