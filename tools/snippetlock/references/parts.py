"""What the block rules work on: the tree as far as they ask, blocks of rows that share their lookups, a state. Pure.

Mutable nodes on purpose: the rules ask what was put into the tree last.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from snippetlock.records import dataclass, field
from snippetlock.references.lines import INDENT
from snippetlock.references.outline import Row

_SIGNS = frozenset("!?=/#-_*:>[")
_INDENTED, _LONGER = frozenset(" "), frozenset("\n")
DEPTH = 60  # containers nested deeper are one paragraph: the renderer gives up there too


@dataclass(slots=True)
class Node:
    """An element as far as the rules ask. `rows` are those of a code block."""

    tag: str
    depth: int = 0
    children: list[Node] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)

    def add(self, tag: str) -> Node:
        child = Node(tag, self.depth + 1)
        self.children.append(child)
        return child

    @property
    def last(self) -> Node | None:
        return self.children[-1] if self.children else None

    @property
    def last_tag(self) -> str:
        return self.children[-1].tag if self.children else ""


class Shared:
    """Rows that several parts share, with where each kind of row stands, found when first asked.

    `signs` are the characters that rows begin with.
    """

    __slots__ = ("kinds", "rows", "signs")

    def __init__(self, rows: list[Row]) -> None:
        self.rows = rows
        self.kinds: dict[Callable[[str], object], list[int]] = {}
        self.signs = _SIGNS.intersection(row.text.lstrip(" ")[:1] for row in rows)

    def where(self, test: Callable[[str], object]) -> list[int]:
        """The numbers of all rows that pass a test."""
        if test not in self.kinds:
            self.kinds[test] = [i for i, row in enumerate(self.rows) if test(row.text)]
        return self.kinds[test]


@dataclass(slots=True)
class Part:
    """Rows `start` up to, not including, `end`: one block of text without blank rows.

    `apart` says that more than one blank row stands before it: that ends a footnote.
    """

    shared: Shared
    start: int
    end: int
    apart: bool = False

    @staticmethod
    def of(rows: list[Row]) -> Part:
        """A part of its own, that shares nothing."""
        return Part(Shared(rows), 0, len(rows))

    @property
    def first(self) -> str:
        return self.shared.rows[self.start].text

    @property
    def signs(self) -> frozenset[str]:
        """What tells which rules may take it. Of rows that it shares with others, their signs too."""
        first, signs = self.first, self.shared.signs
        if first.startswith(INDENT):
            signs |= _INDENTED
        if self.end - self.start > 1:
            signs |= _LONGER
        return signs

    def rows(self) -> list[Row]:
        return self.shared.rows[self.start : self.end]

    def find(self, test: Callable[[str], object]) -> int:
        """The first row that passes a test, or -1."""
        where = self.shared.where(test)
        index = bisect_left(where, self.start)
        return where[index] if index < len(where) and where[index] < self.end else -1

    def all(self, test: Callable[[str], object]) -> Iterator[int]:
        """Every row that passes a test, in order."""
        where = self.shared.where(test)
        index = bisect_left(where, self.start)
        while index < len(where) and where[index] < self.end:
            yield where[index]
            index += 1

    def part(self, start: int, end: int | None = None) -> Part:
        return Part(self.shared, start, self.end if end is None else end)

    def detab(self, start: int, width: int) -> tuple[list[Row], Part]:
        """Rows from `start` that are indented by `width`, without it; and the part behind them."""
        pad = " " * width
        taken: list[Row] = []
        for index in range(start, self.end):
            text, line = self.shared.rows[index]
            if not text.startswith(pad):
                return taken, self.part(index)
            taken.append(Row(text[width:], line))
        return taken, self.part(self.end)


def chunks(rows: list[Row]) -> list[Part]:
    """Split rows at blank ones."""
    found: list[Part] = []
    shared = Shared(list(rows))
    start, blank = -1, 0
    for index, row in enumerate([*shared.rows, Row("", -1)]):
        if row.text and start < 0:
            start = index
        elif not row.text and start >= 0:
            found.append(Part(shared, start, index, blank > 1))
            start, blank = -1, 1
        elif not row.text:
            blank += 1
    return found


Parts = deque[Part]


class Title(NamedTuple):
    """A heading as it is written, without its marks: `line` counts from 0, `note` is the label of its footnote."""

    line: int
    level: int
    text: str
    note: str = ""


@dataclass(slots=True)
class Nesting:
    """What the rules decided: code blocks and headings in the order they were met, and the rows of each footnote."""

    code: list[tuple[str, list[Row]]] = field(default_factory=list)  # (footnote's label, rows)
    notes: dict[str, list[Part]] = field(default_factory=dict)
    held: dict[int, str] = field(default_factory=dict)  # line of the page: the footnote that holds it
    table: set[int] = field(default_factory=set)  # lines of the page that are a table's
    titles: list[Title] = field(default_factory=list)
    defined: list[Row] = field(default_factory=list)  # rows that say where a reference leads


class State:
    """Where the rules are: the stack of list states, and what was found."""

    def __init__(self, rules: Sequence[Signed]) -> None:
        self.rules = rules
        self.stack: list[str] = []
        self.found = Nesting()
        self.note = ""
        self.fitting: dict[frozenset[str], tuple[Rule, ...]] = {}

    def within(self, state: str, parent: Node, parts: Iterable[Part]) -> None:
        """Parse what is inside a container; to the rules a list is, for instance, `list` or `looselist`."""
        self.stack.append(state)
        self.parse(parent, deque(parts))
        self.stack.pop()

    def isstate(self, state: str) -> bool:
        return bool(self.stack) and self.stack[-1] == state

    def parse(self, parent: Node, parts: Parts) -> None:
        """Put all parts into the tree: each goes to the first rule that takes it, which may leave a rest."""
        if parent.depth > DEPTH:
            return
        while parts:
            signs = parts[0].signs
            rules = self.fitting.get(signs)
            if rules is None:
                rules = tuple(rule for wanted, rule in self.rules if not wanted or not signs.isdisjoint(wanted))
                self.fitting[signs] = rules
            for rule in rules:
                if rule(self, parent, parts):
                    break


Rule = Callable[[State, Node, Parts], bool]  # takes the first part, or says False
Signed = tuple[str, Rule]
"""A rule, and the signs of which a part has one where the rule can take it; none where it can take any.

A sign is a character that a row begins with (behind its indentation), a blank where the first row is indented,
and a line feed where there is more than one.
"""
