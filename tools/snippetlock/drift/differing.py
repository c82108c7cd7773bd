"""What differs between two texts where nothing more is known of them than their lines: one line for a person."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher
from itertools import starmap

from snippetlock.text import is_blank, margin, split_lines

__all__ = ["apart", "differing", "short"]

_LONGEST = 100  # characters of a value that are shown
_MOST = 2000  # lines of a text that is compared line by line
_ALIKE = 0.5  # of a line, for one to be its like
_PAIRED = 20  # lines of one place that are held against one another
_ASIDES = ("#", "//", '"""', "'''")


def differing(old: str, new: str) -> str:
    """The first line that differs, comments and blank lines last, and how many places there are beside it."""
    before, after = ([line.rstrip("\r\n") for line in split_lines(text)] for text in (old, new))
    if max(len(before), len(after)) > _MOST:
        return f"{len(before)} lines were there, {len(after)} are there now"
    every = list(_places(before, after))
    if not every:
        return "its blank lines differ" if old != new else ""
    first = next((one for one in starmap(_pair, every) if not _aside(one)), None) or _pair(*every[0])
    more = len(every) - 1
    return _said(*first) + (f", and {more} more place{'s' if more > 1 else ''}" if more else "")


def _places(before: list[str], after: list[str]) -> Iterator[tuple[list[str], list[str]]]:
    """The lines of each difference on both sides, blank ones aside."""
    for what, a, b, c, d in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        gone, come = ([line for line in lines if not is_blank(line)] for lines in (before[a:b], after[c:d]))
        if what != "equal" and (gone or come):
            yield gone, come


def _pair(gone: list[str], come: list[str]) -> tuple[str, str]:
    """A line of either side, empty where there is none: the first with its like, else the first."""
    for one in gone[:_PAIRED] if len(gone) + len(come) > 2 else ():
        near = _nearest(one, come[:_PAIRED])
        if near and near != one and not _aside((one, near)):
            return one, near
    return next(iter(gone), ""), next(iter(come), "")


def _nearest(line: str, others: list[str]) -> str:
    """What `get_close_matches` puts first, empty for none: those that cannot be it are not looked at to the end."""
    matcher, best = SequenceMatcher(), (_ALIKE, "")
    matcher.set_seq2(line)
    bounds: list[tuple[float, str]] = []
    for other in others:
        matcher.set_seq1(other)
        if matcher.real_quick_ratio() >= _ALIKE and (most := matcher.quick_ratio()) >= _ALIKE:
            bounds.append((most, other))
    for most, other in sorted(bounds, reverse=True):
        if most < best[0]:
            break
        matcher.set_seq1(other)
        best = max(best, (matcher.ratio(), other))
    return best[1]


def _aside(place: tuple[str, str]) -> bool:
    return all(line.lstrip().startswith(_ASIDES) for line in place if line)


def _said(one: str, other: str) -> str:
    bare, now = one.strip(), other.strip()
    if bare == now:
        was, is_ = len(margin(one)), len(margin(other))
        return (
            f"`{short(bare)}` is indented by {is_} now, was by {was}"
            if was != is_
            else f"blanks around `{short(bare)}`"
        )
    if not bare or not now:
        return f"`{short(bare or now)}` is {'new' if now else 'gone'}"
    was_shown, shown = apart(bare, now)
    return f"`{was_shown}` → `{shown}`"


def apart(old: str, new: str) -> tuple[str, str]:
    """Both, shortened to where they differ if they are long."""
    if max(len(old), len(new)) <= _LONGEST:
        return old, new
    same = 0
    while same < min(len(old), len(new)) and old[same] == new[same]:
        same += 1
    start = max(0, same - 20)
    lead = "…" if start else ""
    return lead + short(old[start:]), lead + short(new[start:])


def short(text: str) -> str:
    """The beginning of a text that is long."""
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
