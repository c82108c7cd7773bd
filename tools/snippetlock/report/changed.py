"""Two texts, line against line, and in lines that only changed in part the words that did. Pure data; no colour.

For people: a line is paired with the one that took its place when half of it stayed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from snippetlock.records import dataclass
from snippetlock.text import split_lines

__all__ = ["Line", "changed_lines", "plain", "whole"]

_WORD = re.compile(r"\w+|\s+|.", re.S)
_NAMES = {"\n": "LF", "\r\n": "CRLF", "\r": "CR"}
_CONTEXT = 2  # lines around a change
_ALIKE = 0.5  # of two lines, for one to have become the other
_NOISE = 0.6  # of a line, when marked words are no help
_MOST = 16  # lines of a block that are paired


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of a difference, without its end; `marks` are the columns (from 0, half-open) of changed words.

    The kind `…` stands for lines that are left out, and says how many in `text`.
    """

    kind: str  # "-", "+", " " or "…"
    text: str
    marks: tuple[tuple[int, int], ...] = ()


def changed_lines(old: str, new: str, most: int | None = None) -> tuple[Line, ...]:
    """What differs, with two lines around each change; empty for the same text. `most` bounds the lines."""
    from difflib import SequenceMatcher

    ends = _ends(old), _ends(new)
    found: list[Line] = []
    if all(len(each) == 1 for each in ends) and ends[0] != ends[1]:  # of every line: said once, not at each
        was, now = (_NAMES[each.pop()] for each in ends)
        old, new = re.sub(r"\r\n?", "\n", old), re.sub(r"\r\n?", "\n", new)
        found.append(Line(kind="…", text=f"every line ended in {was}, and ends in {now} now"))
    before, after = visible(old), visible(new)
    groups = list(SequenceMatcher(None, before, after, autojunk=False).get_grouped_opcodes(_CONTEXT))
    at = 0
    for group in groups:
        if group[0][1] > at:
            found.append(_left_out(group[0][1] - at))
        for tag, i, k, j, m in group:
            if tag == "equal":
                found += [Line(kind=" ", text=line) for line in before[i:k]]
            else:
                found += _block(before[i:k], after[j:m])
        at = group[-1][2]
    if groups and at < len(before):
        found.append(_left_out(len(before) - at))
    return _bounded(found, most)


def whole(text: str, kind: str, most: int | None = None) -> tuple[Line, ...]:
    """All lines of a text as lines of one kind: nothing to hold it against. `most` bounds the lines."""
    return _bounded([Line(kind=kind, text=line) for line in visible(text)], most)


def _bounded(lines: list[Line], most: int | None) -> tuple[Line, ...]:
    if most is not None and len(lines) > most + 1:
        lines[most:] = [_left_out(len(lines) - most)]
    return tuple(lines)


def plain(lines: Sequence[Line]) -> list[str]:
    """The lines as text: below a changed pair, `^` stands under the words that differ."""
    said: list[str] = []
    for line in lines:
        said.append(f"{line.kind} {line.text}".rstrip(" ") if line.kind != "…" else f"… {line.text}")
        if line.marks:
            end = line.marks[-1][1]
            said.append("  " + "".join(_under(c, _marked(line, n)) for n, c in enumerate(line.text[:end])))
    return said


def visible(text: str) -> list[str]:
    """Lines as a person can tell them apart: other ends than a line feed, and control characters, spelled out."""
    lines = [_spelled(line.removesuffix("\n")) for line in split_lines(text)]
    if text and not text.endswith(("\n", "\r")):
        lines[-1] += "  (no end of line)"
    return lines


def _spelled(line: str) -> str:
    if line.isprintable():
        return line
    return "".join(c if c.isprintable() or c == "\t" else c.encode("unicode_escape").decode() for c in line)


def _under(character: str, marked: bool) -> str:
    """As wide as what it stands under: a tab stays one, a Chinese character takes two columns."""
    from unicodedata import east_asian_width

    if character == "\t":
        return "\t"
    return ("^" if marked else " ") * (2 if east_asian_width(character) in "WF" else 1)


def _marked(line: Line, column: int) -> bool:
    return any(start <= column < end for start, end in line.marks)


def _ends(text: str) -> set[str]:
    return set(re.findall(r"\r\n?|\n", text))


def _left_out(count: int) -> Line:
    return Line(kind="…", text=f"{count} more lines" if count > 1 else "1 more line")


def _block(old: list[str], new: list[str]) -> Iterator[Line]:
    """Lines that took the place of others: each pair together, the rest before, between and after."""
    pair = _pair(old, new)
    if pair is None:
        yield from (Line(kind="-", text=line) for line in old)
        yield from (Line(kind="+", text=line) for line in new)
        return
    i, j = pair
    yield from _block(old[:i], new[:j])
    gone, come = _words(old[i], new[j])
    yield Line(kind="-", text=old[i], marks=gone)
    yield Line(kind="+", text=new[j], marks=come)
    yield from _block(old[i + 1 :], new[j + 1 :])


def _pair(old: list[str], new: list[str]) -> tuple[int, int] | None:
    """The two lines that are most alike, the first of several; None where none are, or where there are too many."""
    from difflib import SequenceMatcher

    if not old or not new or len(old) > _MOST or len(new) > _MOST:
        return None
    best, found = _ALIKE, None
    for j, line in enumerate(new):
        matcher = SequenceMatcher(None, "", line.strip(), autojunk=False)
        for i, other in enumerate(old):
            matcher.set_seq1(other.strip())
            if matcher.real_quick_ratio() > best and matcher.quick_ratio() > best and matcher.ratio() > best:
                best, found = matcher.ratio(), (i, j)
    return found


def _words(old: str, new: str) -> tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int], ...]]:
    """The columns of the words that differ, in both lines."""
    from difflib import SequenceMatcher

    before, after = ([match[0] for match in _WORD.finditer(line)] for line in (old, new))
    gone: list[tuple[int, int]] = []
    come: list[tuple[int, int]] = []
    for tag, i, k, j, m in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag != "equal":
            _add(gone, old, before, i, k)
            _add(come, new, after, j, m)
    # Where most words are others, marks are noise: the two lines say it.
    few = _share(old, gone) <= _NOISE and _share(new, come) <= _NOISE
    return (tuple(gone), tuple(come)) if few else ((), ())


def _share(line: str, marks: list[tuple[int, int]]) -> float:
    """How much of a line's letters is marked."""
    marked = sum(len("".join(line[start:end].split())) for start, end in marks)
    return marked / max(1, len("".join(line.split())))


def _add(marks: list[tuple[int, int]], line: str, words: list[str], first: int, stop: int) -> None:
    """One more mark; with the one before it where only blanks are between them."""
    if first < stop:
        start = sum(map(len, words[:first]))
        end = start + sum(map(len, words[first:stop]))
        if marks and not line[marks[-1][1] : start].strip():
            start = marks.pop()[0]
        marks.append((start, end))
