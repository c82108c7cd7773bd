"""Two texts, line against line, and in lines that only changed in part the words that did. Pure data; no colour.

For people: a line is paired with the one that took its place when half of it stayed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher

from snippetlock.records import dataclass
from snippetlock.text import late, split_lines

__all__ = ["Line", "changed_lines", "plain", "whole"]

_WORD = late(r"\w+|\s+|.", re.S)
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
                found += _block(before[i:k], after[j:m], pairing=most is None or len(found) <= most)
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
            said.append(f"  {_under(line)}")
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


def _under(line: Line) -> str:
    """`^` for each marked character, as wide as what it stands under: a tab stays one, a Chinese one takes two."""
    from unicodedata import east_asian_width

    end = line.marks[-1][1]
    found = [" "] * end
    for start, stop in line.marks:
        found[start:stop] = "^" * (stop - start)
    text = line.text[:end]
    if not text.isascii() or "\t" in text:
        wide = (2 if east_asian_width(character) in "WF" else 1 for character in text)
        found = ["\t" if c == "\t" else mark * width for c, mark, width in zip(text, found, wide, strict=True)]
    return "".join(found)


def _ends(text: str) -> set[str]:
    return set(re.findall(r"\r\n?|\n", text))


def _left_out(count: int) -> Line:
    return Line(kind="…", text=f"{count} more lines" if count > 1 else "1 more line")


def _block(old: list[str], new: list[str], *, pairing: bool) -> Iterable[Line]:
    """Lines that took the place of others; where so many are shown that these are only counted, in no pairs."""
    if pairing:
        return _Block(old, new).lines(range(len(old)), range(len(new)))
    return (Line(kind="-", text=line) for line in (*old, *new))


class _Block:
    """Lines that took the place of others. How alike two of them are is found out once, and as far as it matters."""

    def __init__(self, old: list[str], new: list[str]) -> None:
        self.old = old
        self.new = new
        self._matchers: dict[int, SequenceMatcher[str]] = {}  # by the number of the new line, which is prepared once
        self._most: dict[tuple[int, int], float] = {}  # what the likeness of two lines cannot exceed
        self._known: dict[tuple[int, int], float] = {}

    def lines(self, rows: range, columns: range) -> Iterator[Line]:
        """Each pair together, the rest before, between and after."""
        pair = self._pair(rows, columns)
        if pair is None:
            yield from (Line(kind="-", text=self.old[i]) for i in rows)
            yield from (Line(kind="+", text=self.new[j]) for j in columns)
            return
        i, j = pair
        yield from self.lines(range(rows.start, i), range(columns.start, j))
        gone, come = _words(self.old[i], self.new[j])
        yield Line(kind="-", text=self.old[i], marks=gone)
        yield Line(kind="+", text=self.new[j], marks=come)
        yield from self.lines(range(i + 1, rows.stop), range(j + 1, columns.stop))

    def _pair(self, rows: range, columns: range) -> tuple[int, int] | None:
        """The two lines that are most alike, the first of several; None where none are, or where there are too many."""
        if not rows or not columns or len(rows) > _MOST or len(columns) > _MOST:
            return None
        best, found = _ALIKE, None
        for j in columns:
            for i in rows:
                if self._most.get((i, j), 1.0) > best and (alike := self._alike(i, j, best)) > best:
                    best, found = alike, (i, j)
        return found

    def _alike(self, i: int, j: int, best: float) -> float:
        """How alike two lines are; 0 where that is no more than `best`, and need not be known."""
        if (i, j) not in self._known:
            if j not in self._matchers:
                self._matchers[j] = SequenceMatcher(None, "", self.new[j].strip(), autojunk=False)
            matcher = self._matchers[j]
            matcher.set_seq1(self.old[i].strip())
            for bound in (matcher.real_quick_ratio, matcher.quick_ratio):
                self._most[i, j] = bound()
                if self._most[i, j] <= best:
                    return 0.0
            self._known[i, j] = self._most[i, j] = matcher.ratio()
        return self._known[i, j]


def _words(old: str, new: str) -> tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int], ...]]:
    """The columns of the words that differ, in both lines."""
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
