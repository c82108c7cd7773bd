"""Whether a definition was there before, so that nothing that is gone can have moved to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from snippetlock.drift.likeness import Words, likeness
from snippetlock.drift.listing import File, Listed

if TYPE_CHECKING:
    from snippetlock.drift.gone import Gone

__all__ = ["COPY", "Telling", "alone", "was_there"]

COPY = 0.995
"""Of all words: the same but for its name."""
_COPY_SLACK = 8  # words that a copy may have more or less, beside a quarter: its name, told many times
_NEWLY = 0.3  # how much more alike a definition that was there before has to be now
_LONGEST = 24  # words that a copy is asked for before its own words are made
_STAYED = 0.5  # of all words: in a renamed file under its own name, so much alike, and it is not looked for in twins


class Telling:
    """What a copy of a definition has to have: its longest words, its name aside, but so many as no copy can lack."""

    def __init__(self, counts: Words, name: str, size: int) -> None:
        """`size` is how many words and pairs of words it has without its name."""
        self._words = sorted(set(counts.words) - {name.lower()}, key=len)[: -_LONGEST - 1 : -1]
        # A word that is lacked is one less of `size` to share, and most is shared with what has all the others alone.
        self._most = next(n for n in range(1, size + 2) if n >= size or 2 * (size - n) / (2 * size - n) < COPY)

    def lacked(self, file: File, listed: Listed) -> bool:
        """Whether something lacks so many of them that it is no copy: seen in its text alone, as with most."""
        text = file.text[max(listed.start, listed.words) : listed.end]
        if not text.isascii():
            return False
        text, other, left = text.lower(), listed.name.lower(), self._most
        for word in self._words:
            left -= word not in text and word != other
            if not left:
                return True
        return False


def alone(gone: Gone, listed: Listed) -> bool:
    """Whether of all of its kind beside it only this one is new, and only the one we look for gone."""
    before = {one.name for one in gone.file.inside(gone.was.owner) if one.kind == gone.was.kind}
    after = {one.name for one in gone.search.file(listed.path).inside(listed.owner) if one.kind == listed.kind}
    return before - after == {gone.was.name} and after - before == {listed.name}


def was_there(gone: Gone, listed: Listed, same: bool) -> bool:
    """Whether a definition of the new tree was there before.

    One that was not alike then, and is now, took it over all the same: if it has the `same` name, or is a copy.
    """
    search, was = gone.search, gone.was
    if same and _is_twin(gone, listed):
        return True
    sibling = next((one for one in gone.file.inside(was.owner) if one.name == listed.name), None)
    found: list[Listed | None] = [sibling] if not same else []
    origin = gone.backwards.get(listed.path, listed.path)
    for path in dict.fromkeys((listed.path, origin)):
        found += [search.old_file(path).called(listed.selector)] if search.old.has(path) else []
    for before in found:
        if before is None or (before.path, before.selector) == (was.path, was.selector):
            continue  # not there, or in a renamed file: the very one that we look for
        if not same and not _as_long(gone, listed):
            return True
        least = _NEWLY if same else COPY
        if gone.most_like(listed) < least or (alike := gone.like(listed)) < least:
            return True  # so little that nothing else matters
        then = likeness(gone.counts, search.old_file(before.path).of(before))
        newly = alike >= then + _NEWLY and (same or alike >= COPY)
        twin = listed.selector == was.selector and alike >= COPY and not _stayed(gone)
        if not newly and not twin:
            return True
    return False


def _as_long(gone: Gone, listed: Listed) -> bool:
    """Whether it can be a copy at all: asked before words are counted, for most are not."""
    length = gone.search.file(listed.path).length(listed.start, listed.end)
    return abs(length - gone.length) <= _COPY_SLACK + max(length, gone.length) // 4


def _stayed(gone: Gone) -> bool:
    """Whether it is in its own file still, which git says was renamed: then twins of it are not meant."""
    path = gone.search.renames.get(gone.was.path)
    if path is None or not gone.search.new.has(path):
        return False
    there = gone.search.file(path).called(gone.was.selector)
    return there is not None and there.kind == gone.was.kind and gone.like(there) >= _STAYED


def _is_twin(gone: Gone, listed: Listed) -> bool:
    """Whether it is another one of its name that was beside it, and has another label now that this is gone."""
    file, was = gone.search.file(listed.path), gone.was
    if listed.name != was.name or listed.path not in (was.path, gone.search.renames.get(was.path)):
        return False
    text = file.text[listed.start : listed.end]
    if text == gone.file.text[was.start : was.end]:
        return False
    alike = gone.like(listed)
    return any(
        text == gone.file.text[one.start : one.end] or likeness(gone.file.of(one), file.of(listed)) > alike
        for one in gone.file.inside(was.owner)
        if one.name == was.name and one.start != was.start
    )
