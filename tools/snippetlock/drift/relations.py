"""The definitions that can have taken over from one that is gone, judged by name, place and words.

`near` is where one would look first: the same file, or the owner under whatever name it has now. `kin` are the
base and sub-classes of the owner. `far` is anywhere else. The farther, the more has to be alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from itertools import chain
from typing import Literal

from snippetlock.drift.gone import Gone
from snippetlock.drift.guess import Guess
from snippetlock.drift.likeness import folded, grown, name_likeness
from snippetlock.drift.listing import Listed
from snippetlock.drift.speaking import alias, is_trivial, role
from snippetlock.drift.staying import COPY, alone, was_there
from snippetlock.errors import SnippetlockError
from snippetlock.records import replace
from snippetlock.select.bases import defining
from snippetlock.select.files import Reader
from snippetlock.select.hints import qualified
from snippetlock.select.labels import Step, steps
from snippetlock.select.resolve import Target, resolve

__all__ = ["Relations"]

Relation = Literal["near", "kin", "far"]
_SAME_NAME = {"near": 0.0, "kin": 0.2, "far": 0.3}
_SAME_NAME_FAR_MEMBER = 0.65
_TELLING = 6  # letters; so long a name of a class or function that is in no other speaks for itself, below these
_TELLING_KEY = 0.2  # the same for a key that is there once
_TELLING_NAME = {"class": 0.08, "function": 0.15}
_OTHER_CASE = {"near": 0.1, "kin": 0.3, "far": 0.45}
_OTHER_NAME = {"near": 0.5, "kin": 0.65, "far": 0.7}
_WORDS = {"near": 8, "kin": 10, "far": 14}  # with fewer, words alone say nothing
_CAME_OUT = 0.75  # of all words, where a method becomes a function of its name in the same file, however short
_GROWN = 0.25  # of all words, for one beside it whose name has a word more or less
_COPY_WORDS = {"near": 5, "kin": 8, "far": 10}
_REGION_WORDS = 3  # that a copy of a marked region has, wherever: nobody marks what says nothing
_OWNERS = 3  # owners looked into, the best first
_RIVAL = 0.1  # how much worse than the best another owner may be
_COPIED = 0.9  # what a copy under another name scores at least
_LIKE_SIZE = 4  # times longer or shorter, and a definition under another name is not compared


class Relations(Gone):
    """One definition that is gone, and what can be it."""

    def guesses(self) -> Iterator[Guess]:
        """Every definition that can be meant, in no order, some more than once."""
        yield from self._near()
        yield from self._far()

    def copies(self) -> Iterator[Guess]:
        """Those as good as a copy under another name; none where its own file, or its owner, has none."""
        if near := [guess for guess in self._near(copies=True) if guess.score >= _COPIED]:
            yield from (guess for guess in chain(near, self._far(copies=True)) if guess.score >= _COPIED)

    @cached_property
    def _own_files(self) -> tuple[str, ...]:
        """The files that are its own now, of those that are looked into."""
        own = {self.was.path, self.search.renames.get(self.was.path, self.was.path)}
        return tuple(path for path in self._places if path in own)

    @cached_property
    def _places(self) -> tuple[str, ...]:
        return self.search.places(self.was.path)

    # With `copies` nothing else is asked for under another name.

    def _near(self, *, copies: bool = False) -> Iterator[Guess]:
        if self.was.owner:
            return self._in_owners(copies)
        beside = chain.from_iterable(self.search.file(path).inside("") for path in self._own_files)
        return chain.from_iterable(
            self._judged(listed, "near", copies=copies) for listed in beside if self._sort(listed)
        )

    def _far(self, *, copies: bool = False) -> Iterator[Guess]:
        was, search, beside = self.was, self.search, self._own_files
        least = _OTHER_NAME["far"] if self.size >= self._copy_words("far") else None
        over = search.sieve.passed_over(was, self.counts, least).difference(beside) if was.path.endswith(".py") else ()
        for path in (path for path in self._places if path not in over):
            near = path in beside and not was.owner
            for listed in search.file(path).listed:
                if self._sort(listed) and (listed.owner or not near):
                    yield from self._judged(listed, "far", copies=copies)

    def _copy_words(self, relation: Relation) -> int:
        """How many words a copy under another name has at least."""
        return _REGION_WORDS if self.search.marked else _COPY_WORDS[relation]

    def _sort(self, listed: Listed) -> bool:
        """Whether it can be meant by what it is, or by its name."""
        return listed.kind == self.was.kind or listed.name == self.was.name

    def _in_owners(self, copies: bool) -> Iterator[Guess]:
        owner, search = self._owner, self.search
        now = search.file(owner.path).called(owner.selector)
        if now is not None and now.kind != owner.kind and (other := self._aliased(now)):
            yield from self._members(other, "near", f" in `{other.selector}`, which `{owner.name}` is now", copies)
            yield from self._kin(other, copies)
            return
        if now is not None:
            yield from self._members(now, "near", "", copies)
            yield from self._kin(now, copies)
            return
        found = self._owners
        for guess in found[:_OWNERS]:
            if guess.listed and guess.score >= found[0].score - _RIVAL:
                more = f" in `{guess.listed.selector}`: {guess.reason}"
                inside = self._members(guess.listed, "near", more, copies)
                for one in chain(inside, self._kin(guess.listed, copies)):  # as sure as its owner, and less
                    yield replace(one, score=one.score * (0.5 + 0.5 * guess.score))

    @cached_property
    def _owner(self) -> Listed:
        owner = self.file.called(self.was.owner)
        assert owner is not None  # it was listed before what is in it
        return owner

    @cached_property
    def _owners(self) -> list[Guess]:
        """What can be its owner now, best first."""
        return sorted(Relations(self.search, self._owner).guesses(), key=lambda g: -g.score)

    def _aliased(self, now: Listed) -> Listed | None:
        """The class that a name only stands for."""
        reader = Reader(self.search.new)
        other = alias(self.search.file(now.path), now)
        try:
            found = resolve(reader, reader.file(now.path), steps(other)) if other else []
        except SnippetlockError:
            return None
        listed = self._listed(found[0]) if len(found) == 1 else None
        return listed if listed and listed.kind == "class" else None

    def _members(self, owner: Listed, relation: Relation, more: str, copies: bool) -> Iterator[Guess]:
        for listed in self.search.file(owner.path).inside(owner.selector):
            yield from self._judged(listed, relation, more, copies)

    def _kin(self, owner: Listed, copies: bool) -> Iterator[Guess]:
        """The member where a base class defines it now, and in the sub-classes that came to have it."""
        was, search = self.was, self.search
        if owner.kind != "class" or not owner.path.endswith(".py"):
            return
        reader = Reader(search.new)
        try:
            target = resolve(reader, reader.file(owner.path), steps(owner.selector))[0]
            base = defining(reader, target, Step(was.name))
        except SnippetlockError:
            base = None
        listed = self._listed(base) if base else None
        if listed:
            alike = self.like(listed)
            yield Guess(listed.path, listed, 0.5 + 0.5 * alike, f"inherited from `{listed.owner}` now")
        derived = re.compile(rf"class\s+\w+\s*\([^:]*\b{re.escape(owner.name)}\b")
        for path in search.places(was.path):
            file = search.file(path)
            for other in file.listed if owner.name in file.text else ():
                if other.kind == "class" and derived.match(file.text, file.text.find("class", other.start)):
                    more = f" in `{other.selector}`, which derives from `{owner.name}`"
                    yield from self._members(other, "kin", more, copies)

    def _listed(self, target: Target) -> Listed | None:
        return self.search.file(target.module.path).called(qualified(target))

    def _judged(self, listed: Listed, relation: Relation, more: str = "", copies: bool = False) -> Iterator[Guess]:
        """The guess that this definition is it, if enough speaks for that."""
        was = self.was
        itself = (listed.path, listed.selector) == (was.path, was.selector)
        same, fold = listed.name == was.name, folded(listed.name) == folded(was.name)
        if listed.kind != was.kind and not (same and relation != "far"):
            return
        if not same and listed.path == was.path and self.is_as_before(listed):
            return  # as most that stand beside it; and `was_there` would say so, after a look at its words
        file = self.search.file(listed.path)
        if self.role != role(file, listed):
            return
        if not same and not fold:
            length, other = was.end - was.start, listed.end - listed.start
            few = self.size < self._copy_words(relation) and not (relation == "near" and alone(self, listed))
            if few or not length < _LIKE_SIZE * other < _LIKE_SIZE**2 * length:
                return
            least = _GROWN if relation == "near" and grown(was.name, listed.name) else _OTHER_NAME[relation]
            stayed = listed.path == was.path and self.file.called(listed.selector) is not None  # see `was_there`
            least = COPY if stayed or (relation != "near" and self.search.narrow) else least
            least = COPY if copies else least
            if (least == COPY and self.telling.lacked(file, listed)) or self.most_like(listed) < least:
                return
        if itself:
            alike = self.like(listed)
            yield Guess(listed.path, listed, 0.8 + 0.2 * alike, "still there, but the selector does not lead to it")
        elif same and not was_there(self, listed, same):
            yield from self._same_name(listed, relation, self.like(listed), more)
        elif not same:  # who is enough alike is rare, and what was there a look at another file
            found = tuple(self._renamed(listed, relation, more))
            yield from () if found and was_there(self, listed, same) else found

    def _renamed(self, listed: Listed, relation: Relation, more: str) -> Iterator[Guess]:
        alike = self.like(listed)
        if folded(listed.name) != folded(self.was.name):
            yield from self._other_name(listed, relation, alike, more)
        elif alike >= min(_OTHER_CASE[relation], self._told_by_name(listed)):
            yield Guess(listed.path, listed, 0.55 + 0.45 * alike, f"same name in another case{more}")

    def _told_by_name(self, listed: Listed) -> float:
        """How much must be alike where a name that stands alone in its module says most; 1 for other names."""
        if self.was.owner or listed.owner or len(folded(listed.name)) < _TELLING:
            return 1.0
        return _TELLING_NAME.get(listed.kind, 1.0)

    def _same_name(self, listed: Listed, relation: Relation, alike: float, more: str) -> Iterator[Guess]:
        where = more or (" in another file" if listed.path != self.was.path else " in another place")
        least, most = min(_SAME_NAME[relation], self._told_by_name(listed)), 1.0
        if relation == "far" and (listed.owner != self.was.owner or self.was.name.startswith("__")):
            least, most = _SAME_NAME_FAR_MEMBER, 0.85
            if self._is_key_once(listed):
                least = _TELLING_KEY
            elif self.same_value(listed):
                sure = 1.0 if listed.path == self.was.path else self.sure
                yield Guess(listed.path, listed, most, f"same name and value{where}", sure)
                return
            elif self.size < _WORDS["near"] or (listed.owner != self.was.owner and alike <= self.sibling):
                least = least if listed.path == self.was.path and self._beside(listed, alike) else 2.0  # none is enough
        if alike >= least:
            floor = 0.6 if relation == "near" or listed.owner == self.was.owner else 0.4
            yield Guess(listed.path, listed, most * (floor + (1 - floor) * alike), f"same name{where}")

    def _beside(self, listed: Listed, alike: float) -> bool:
        """Whether it came out of its owner, or into one."""
        return not (listed.owner and self.was.owner) and alike >= _CAME_OUT and not is_trivial(self.file, self.was)

    def _other_name(self, listed: Listed, relation: Relation, alike: float, more: str) -> Iterator[Guess]:
        named = name_likeness(listed.name, self.was.name)
        if alike >= COPY and self.size >= self._copy_words(relation):
            reason = f"same body under another name{more}"
            yield Guess(listed.path, listed, _COPIED + 0.1 * named, reason, self.sure)
        elif alike >= COPY and relation == "near" and alone(self, listed):
            reason = f"the only new name there, and the same otherwise{more}"
            yield Guess(listed.path, listed, 0.6 + 0.2 * named, reason, self.sure)
        elif (
            relation == "near" and self.size >= _WORDS["near"] and alike >= _GROWN and grown(self.was.name, listed.name)
        ):
            yield Guess(listed.path, listed, 0.5 + 0.4 * alike, f"its name with a word more or less{more}")
        elif relation != "near" and self.search.narrow:
            return
        elif self.size >= _WORDS[relation] and (relation != "far" or alike >= self.sibling):
            score = 0.8 * alike + 0.2 * named
            if alike >= _OTHER_NAME[relation] and score >= _OTHER_NAME[relation]:
                yield Guess(listed.path, listed, 0.9 * score, f"{alike:.0%} of its words{more}")

    def _is_key_once(self, listed: Listed) -> bool:
        """Whether it is a key of a telling name that either file has once: its place among others may differ."""
        if self.was.kind != "key" or len(folded(self.was.name)) < _TELLING:
            return False
        files = self.file.listed, self.search.file(listed.path).listed
        return all(sum(one.name == self.was.name for one in every) == 1 for every in files)
