"""A whole file that is gone: which other one it can be now, by what git says, its name and its words."""

from __future__ import annotations

from collections.abc import Iterator

from snippetlock.drift.guess import Guess
from snippetlock.drift.likeness import Words, likeness, size
from snippetlock.drift.listing import File
from snippetlock.drift.search import Search, content

__all__ = ["guesses"]

_TELLING = 5  # words; a file with fewer is known by its name alone


def guesses(search: Search, path: str) -> Iterator[Guess]:
    """Every file that the one at `path`, which is gone, can be now, in no order."""
    counts = _whole(search.old_file(path))
    name = path.rpartition("/")[2]
    renamed = search.renames.get(path, "")
    same_kind = search.places(path)
    for other in dict.fromkeys([renamed, *same_kind] if renamed and search.new.has(renamed) else same_kind):
        if search.old.has(other):
            continue
        alike = likeness(counts, _whole(search.file(other)))
        if renamed == other:
            yield Guess(other, None, 0.6 + 0.4 * alike, "git says it was renamed")
        elif size(counts) < _TELLING:
            same = content(search.old, path) == content(search.new, other)
            if same and name == other.rpartition("/")[2] and name != "__init__.py":
                yield Guess(other, None, 0.8, "same name in another folder")
        elif other.rpartition("/")[2] == name and name != "__init__.py" and alike >= 0.3:
            yield Guess(other, None, 0.4 + 0.6 * alike, "same name in another folder")
        elif alike >= 0.6:
            yield Guess(other, None, alike, f"{alike:.0%} of its words")


def _whole(file: File) -> Words:
    return file.counts(0, len(file.text))
