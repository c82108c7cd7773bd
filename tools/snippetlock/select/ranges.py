"""Which statements, or lines, of what is shown `from`, `to` and `match` name. Exactly one range, or an error."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from difflib import get_close_matches

from snippetlock.errors import ViewError
from snippetlock.model import View
from snippetlock.select.blocks import Statement, statements_of
from snippetlock.select.patterns import Pattern, hits, parse_pattern
from snippetlock.select.places import line_start
from snippetlock.text import line_at, normalise, split_lines

__all__ = ["Range", "line_range", "matched", "statement_range"]

_MOST = 8  # candidates that a message shows

Range = tuple[int, int]
"""Offsets of the text: from the first character that is shown up to behind the last one."""


def statement_range(text: str, view: View, path: str, first: int, inside: bool) -> Range:
    """The statements from the one that `from` fits to the one that `to` fits, in one block of `text`.

    Where a pattern fits no statement whole, one that goes on with a call, an index or an attribute will do:
    `return f($x)` for `return f(1)(a)`. With one of the two keys: to the end of its block, or from the beginning.
    `first` is the line of the file that `text` begins on; `inside` says that its first statement is what was
    selected, and not meant itself. Raises `ViewError` with the candidates.
    """
    statements = statements_of(text)[inside:]
    places = _Places(text, path, first, statements)
    starts = _named(places, "from", view.from_) if view.from_ else None
    stops = _named(places, "to", view.to) if view.to else None
    if starts is None or stops is None:
        key, only = ("to", stops) if starts is None else ("from", starts)
        assert only  # `narrow` asks only where one of the two is given
        if len(only) > 1:
            raise places.several(key, only)
        block = only[0].block
        return (_lead(block[0]), _stop(only[0])) if key == "to" else (_lead(only[0]), _stop(block[-1], last=True))
    pairs = [(a, b) for a in starts for b in stops if a.block is b.block and a.start <= b.start]
    if len(pairs) == 1:
        return _lead(pairs[0][0]), _stop(pairs[0][1])
    raise places.no_pair(starts, stops) if not pairs else places.many_pairs(pairs)


def matched(text: str, view: View, path: str, first: int, inside: bool) -> list[Range]:
    """The statements that hold what `match` fits, in order: `view.count` of them, or at least one.

    Of a compound statement whose head holds an expression that is the head; a pattern of a statement names all
    of it.
    """
    statements = statements_of(text)[inside:]
    places = _Places(text, path, first, statements)
    pattern = parse_key("match", view.match)
    found = list(dict.fromkeys(hit.statement for hit in hits(pattern, statements)))
    if not found:
        raise places.none("match", pattern)
    if view.count is not None and len(found) != view.count:
        what = f"`match` fits {_count(len(found), 'statement')}, and `count` says {view.count}"
        error = places.error("match", what, found, "correct `count`, or the pattern")
        error.several = len(found) > view.count
        raise error
    return [(s.first, _stop(s) if pattern.statement else s.end) for s in found]


def parse_key(key: str, text: str) -> Pattern:
    """`parse_pattern`; what it raises knows the key."""
    try:
        return parse_pattern(text)
    except ViewError as error:
        error.key = key
        raise


class _Places:
    """Statements and how messages show them."""

    def __init__(self, text: str, path: str, first: int, statements: Sequence[Statement]) -> None:
        self.text = text
        self.path = path
        self.first = first
        self.statements = statements

    def line(self, statement: Statement) -> int:
        return self.first - 1 + line_at(self.text, statement.start)

    def row(self, statement: Statement) -> str:
        said = self.text[statement.start : statement.end]
        head = split_lines(said)[0].rstrip()
        return f"{self.path}:{self.line(statement)}  {head if head == said else head + ' …'}"

    def error(self, key: str, what: str, shown: Sequence[Statement], mend: str) -> ViewError:
        rows = list(map(self.row, shown[:_MOST]))
        if len(shown) > _MOST:
            rows.append(f"… {len(shown) - _MOST} more")
        error = ViewError(what, path=self.path, line=self.first, evidence=rows, mend=mend)
        error.key = key
        return error

    def none(self, key: str, pattern: Pattern) -> ViewError:
        by_line = {self.text[s.start : s.end]: s for s in reversed(self.statements)}
        asked = pattern.text.strip()
        near = get_close_matches(asked, by_line, n=3, cutoff=0.5)
        shown = sorted((by_line[line] for line in near), key=lambda s: s.start) or list(self.statements)
        mend = "these come nearest" if near else "write one of the statements that are there"
        return self.error(key, f"`{key}` fits no statement: {asked!r}", shown, mend)

    def several(self, key: str, found: Sequence[Statement]) -> ViewError:
        mend = "write more of the one that is meant, or select what holds it"
        error = self.error(key, f"`{key}` fits {len(found)} statements", found, mend)
        error.several = True
        return error

    def no_pair(self, starts: Sequence[Statement], stops: Sequence[Statement]) -> ViewError:
        together = any(a.block is b.block for a in starts for b in stops)
        what = "`to` fits only above `from`" if together else "`from` and `to` fit no two statements of one block"
        return self.error("to", what, [*starts, *stops], "name two statements that stand side by side, in their order")

    def many_pairs(self, pairs: Sequence[tuple[Statement, Statement]]) -> ViewError:
        starts, stops = (list(dict.fromkeys(ends)) for ends in zip(*pairs, strict=True))
        return self.several("from", starts) if len(starts) > 1 else self.several("to", stops)


def _named(places: _Places, key: str, text: str) -> list[Statement]:
    pattern = parse_key(key, text)
    found = hits(pattern, places.statements) or hits(pattern, places.statements, open_end=True)
    if not found:
        raise places.none(key, pattern)
    return list(dict.fromkeys(hit.statement for hit in found))


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _lead(statement: Statement) -> int:
    """Where a statement begins with the comment lines right above it that are as far indented."""
    skim = statement.skim
    text, start = skim.text, statement.first
    begin = line_start(text, start)
    blanks = text[begin:start]
    at = bisect_left(skim.comments, (start, 0)) - 1
    while at >= 0 and not blanks.strip(" \t"):
        here, end = skim.comments[at]
        line = line_start(text, here)
        if text[line:here] != blanks or normalise(text[end:begin]) != "\n":
            break
        begin = start = line
        at -= 1
    return start


def _stop(statement: Statement, last: bool = False) -> int:
    """Where a statement ends, with its body, its clauses, and the comment lines below that are deeper indented.

    After the `last` one of a block also those that are as far indented as it.
    """
    skim = statement.skim
    if not statement.head and not last:
        return statement.end
    end = skim.ends[statement.last]
    column = skim.columns[statement.line] - last
    limit = skim.starts[statement.last + 1] if statement.last + 1 < len(skim.starts) else len(skim.text)
    for at in range(bisect_left(skim.comments, (end, 0)), bisect_left(skim.comments, (limit, 0))):
        here, stop = skim.comments[at]
        if here - line_start(skim.text, here) > column:
            end = stop
    return end


def line_range(text: str, view: View, path: str, first: int) -> Range:
    """For what is not Python: from the one line, or lines, that `from` says to those that `to` says.

    Blanks at both ends of a line do not count. Raises `ViewError` with the candidates.
    """
    lines = [line.strip() for line in split_lines(text)]
    bounds = [0, len(lines)]
    for side, key, wanted in ((0, "from", view.from_), (1, "to", view.to)):
        if wanted:
            asked = [line.strip() for line in split_lines(normalise(wanted).strip("\n"))]
            places = [i for i in range(bounds[0], len(lines)) if lines[i : i + len(asked)] == asked]
            if len(places) != 1:
                raise _no_line(key, asked, lines, places, path, first, above=side == 1 and bounds[0] > 0)
            bounds[side] = places[0] + (len(asked) if side else 0)
    whole = split_lines(text)
    return sum(map(len, whole[: bounds[0]])), sum(map(len, whole[: bounds[1]])) - 1


def _no_line(
    key: str, asked: list[str], lines: list[str], places: list[int], path: str, first: int, *, above: bool
) -> ViewError:
    shown, said = places, asked[0] if len(asked) == 1 else "\n".join(asked)
    if places:
        what, mend = f"`{key}` is {len(places)} lines: {said!r}", "write a line that is there once, or several lines"
    else:
        close = get_close_matches(asked[0], [line for line in lines if line], n=3, cutoff=0.5)
        shown = sorted({lines.index(line) for line in close})
        behind = " at or below the line of `from`" if above else ""
        what = f"`{key}` is no line{behind}: {said!r}"
        mend = "write the whole line" if not shown else "these come nearest"
    rows = [f"{path}:{first + i}  {lines[i]}" for i in shown[:_MOST]]
    error = ViewError(what, path=path, line=first, evidence=rows, mend=mend)
    error.key, error.several = key, len(places) > 1
    return error
