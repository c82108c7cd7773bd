"""One definition that is gone, and how like it others are: by their words, without the names of both."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from snippetlock.drift.guess import UNSURE
from snippetlock.drift.likeness import at_most, likeness, size, without
from snippetlock.drift.listing import Listed
from snippetlock.drift.speaking import is_trivial, value
from snippetlock.drift.speaking import role as role_of
from snippetlock.drift.staying import Telling

if TYPE_CHECKING:
    from snippetlock.drift.search import Search

__all__ = ["Gone"]


class Gone:
    """A definition of the old tree, measured against those of the new one; what is measured once is kept."""

    def __init__(self, search: Search, was: Listed) -> None:
        self.search = search
        self.was = was
        self.file = search.old_file(was.path)
        self.counts = self.file.of(was)
        self.size = size(self.counts)
        self.length = self.file.length(was.start, was.end)
        self.backwards = {new: old for old, new in search.renames.items()}
        self._alike: dict[Listed, float] = {}
        self._most: dict[Listed, float] = {}

    def like(self, listed: Listed) -> float:
        """How much this definition is like the one that is gone, from 0 to 1; the names of both aside."""
        found = self._alike.get(listed)
        if found is None:
            counts = self.search.file(listed.path).of(listed)
            found = self._alike[listed] = likeness(self.counts, counts, (self.was.name, listed.name))
        return found

    def most_like(self, listed: Listed) -> float:
        """What `like` cannot exceed: asked first, for most definitions are not alike at all."""
        found = self._most.get(listed)
        if found is None:
            found = self._most[listed] = self._bound(listed)
        return found

    @cached_property
    def telling(self) -> Telling:
        """What a copy of it has to have."""
        return Telling(self.counts, self.was.name, self._rest)

    def _bound(self, listed: Listed) -> float:
        file, own, other = self.search.file(listed.path), self.was.name.lower(), listed.name.lower()
        mine, theirs = self._distinct, file.distinct(listed)
        if own in theirs or other in mine:
            sizes = without(self.counts.words, (own, other)), without(file.words_of(listed), (own, other))
        else:
            sizes = self._rest, file.rest(listed)
        return at_most(sizes, mine, theirs, (own, other))

    def is_as_before(self, listed: Listed) -> bool:
        """Whether what stands in the same file was there before, word for word."""
        before = self.file.called(listed.selector)
        if before is None or before.end - before.start != listed.end - listed.start:
            return False
        text = self.search.file(listed.path).text
        return self.file.text[before.start : before.end] == text[listed.start : listed.end]

    @cached_property
    def role(self) -> str:
        return role_of(self.file, self.was)

    @cached_property
    def _distinct(self) -> frozenset[str]:
        return frozenset(self.counts.words)

    @cached_property
    def _rest(self) -> int:
        return without(self.counts.words, (self.was.name,))

    @cached_property
    def sure(self) -> float:
        """The most that a copy of it can score."""
        return UNSURE if is_trivial(self.file, self.was) else 1.0

    def same_value(self, listed: Listed) -> bool:
        """Whether both are the same value, and are one at all."""
        mine = value(self.file, self.was)
        return bool(mine) and mine == value(self.search.file(listed.path), listed)

    @cached_property
    def sibling(self) -> float:
        """How alike the most alike other definition of its kind in its own file was.

        Where many are made after one pattern, who is far away has to be more alike than those were.
        """
        others = (one for one in self.file.listed if one.kind == self.was.kind and one.selector != self.was.selector)
        lengths = ((one, self.file.length(one.start, one.end)) for one in others)
        near = [one for one, length in lengths if length < 2 * self.length < 4 * length]
        return max((likeness(self.counts, self.file.of(one), (self.was.name, one.name)) for one in near), default=0.0)
