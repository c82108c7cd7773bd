"""A night sorted into pages: rows by page and op, in the manifest's order, each with its verdict. No HTML yet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from snippetlock.model import Pin
from tileops_site.benchmarks.families import BY_FAMILY, OTHER, PAGES, Family
from tileops_site.benchmarks.manifest import Manifest, Op, Workload
from tileops_site.benchmarks.model import Night, Outcome, Row
from tileops_site.benchmarks.placing import Placed, place
from tileops_site.benchmarks.ratios import VERDICTS, Verdict, Word, judge
from tileops_site.benchmarks.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One row with what is said of it. `shapes` are the workloads that fit it: one where the manifest tells."""

    row: Row
    verdict: Verdict
    shapes: tuple[Workload, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Group:
    """The lines of one op. `name` is what the night calls it, `op` the entry of the manifest, if there is one."""

    name: str
    placed: Placed
    lines: tuple[Line, ...]

    @property
    def op(self) -> Op | None:
        return self.placed.chosen.op


@dataclass(frozen=True, kw_only=True)
class Book:
    """A night and all that is needed to show it. Only looked at once it is made."""

    night: Night
    pin: Pin
    manifest: Manifest
    settings: Settings
    groups: Mapping[str, tuple[Group, ...]]  # by the slug of the page, in the order of the page

    @cached_property
    def every(self) -> tuple[Group, ...]:
        """All groups in the order of the pages."""
        return tuple(group for page in PAGES for group in self.groups[page.slug])

    @cached_property
    def listed(self) -> Mapping[str, tuple[Outcome, ...]]:
        """The tests that failed or were skipped, by the page on which their neighbours stand; "" for no one page."""
        near: dict[tuple[str, str], set[str]] = {}
        for group in self.every:
            for line in group.lines:
                for key in ((line.row.file, line.row.test), (line.row.file, "")):
                    near.setdefault(key, set()).add(group.placed.page.slug)
        found: dict[str, list[Outcome]] = {}
        for outcome in self.night.outcomes:
            slugs = near.get((outcome.file, outcome.test)) or near.get((outcome.file, ""), set())
            found.setdefault(next(iter(slugs)) if len(slugs) == 1 else "", []).append(outcome)
        return {slug: tuple(outcomes) for slug, outcomes in found.items()}

    @cached_property
    def implementations(self) -> Mapping[str, int]:
        """Every implementation of the night and in how many rows it was measured, TileOPs aside; most first."""
        counts = Counter(one.name for row in self.night.rows for one in row.measured)
        sides = {name: n for name, n in counts.items() if self.settings.known(name).kind != "ours"}
        return dict(sorted(sides.items(), key=lambda each: (-each[1], each[0])))

    def unmeasured(self, page: Family) -> tuple[Op, ...]:
        """The ops of the manifest that belong on a page and have no row, neither theirs nor a candidate's."""
        have = {group.op.name for group in self.every if group.op}
        own = (op for op in self.manifest.ops.values() if BY_FAMILY.get(op.family, OTHER) is page)
        return tuple(op for op in own if op.name not in have)


def counts(lines: Iterable[Line]) -> Mapping[Word, int]:
    """How many lines have each verdict."""
    found = Counter(line.verdict.word for line in lines)
    return {word: found[word] for word in VERDICTS}


def make_book(night: Night, pin: Pin, manifest: Manifest, settings: Settings) -> Book:
    """Sort a night. Every row is in exactly one group, every group on exactly one page."""
    rows: dict[tuple[str, str], list[Row]] = {}
    for row in night.rows:
        rows.setdefault((row.op, row.module), []).append(row)
    order = {name: number for number, name in enumerate(manifest.ops)}
    found: dict[str, list[Group]] = {page.slug: [] for page in PAGES}
    for (name, module), own in rows.items():
        placed = place(name, module, manifest, settings)
        op = placed.chosen.op
        lines = [Line(row=row, verdict=judge(row, settings), shapes=_shapes(op, row)) for row in own]
        if op is not None:
            lines.sort(key=lambda line: op.at(line.row.label))
        found[placed.page.slug].append(Group(name=name, placed=placed, lines=tuple(lines)))
    for groups in found.values():
        groups.sort(key=lambda group: (not group.name, order.get(group.op.name if group.op else "", len(order))))
    return Book(
        night=night,
        pin=pin,
        manifest=manifest,
        settings=settings,
        groups={slug: tuple(groups) for slug, groups in found.items()},
    )


def _shapes(op: Op | None, row: Row) -> tuple[Workload, ...]:
    return op.fitting(row.label, row.dtype) if op is not None and row.label and row.dtype else ()
