"""Whether a tree is as a pattern says. Work is bounded by the product of the two trees' sizes.

A list of a pattern with several `$*` takes for what stands between two of them the first place that fits, and
never goes back on it. `patterns` refuses the patterns for which another place could have been meant.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from snippetlock.select.words import Node

__all__ = ["Bindings", "fits", "outermost", "stars"]

Bindings = dict[str, tuple[Node, ...]]

_NOT_ONE = frozenset(  # what no hole for one expression stands for
    {
        *("*", "**", "/", "* alone", "*parameter", "**parameter", "parameters", "annotation", "default"),
        *("arguments", "keyword", "index", "slice", "pair", "for clause", "async for clause", "several"),
        *("as", "names", "star", "body", "clauses", "none", "odd"),
    }
)
_NOT_FOUND = _NOT_ONE | {"parameter", "statement"}


def fits(pattern: Node, tree: Node, bound: Bindings) -> bool:
    """Whether `tree` is as `pattern` says; `bound` takes what its names stand for, also where it does not fit."""
    label = pattern.label
    if label[:1] == "$":
        return tree.label not in _NOT_ONE and _binds(label, (_bare(tree),), bound)
    if label == "any":
        return True
    if label == "several":
        return _binds(pattern.parts[0].label, tree.parts if tree.label == "tuple" else (tree,), bound)
    return label == tree.label and _all_fit(pattern.parts, tree.parts, bound)


def stars(parts: Sequence[Node]) -> list[int]:
    """Where the holes for several are in a list."""
    return [i for i, part in enumerate(parts) if part.label.startswith("$*")]


def _all_fit(patterns: Sequence[Node], trees: Sequence[Node], bound: Bindings) -> bool:
    holes = stars(patterns)
    if not holes:
        if len(patterns) == 1 and patterns[0].label == "several" and not trees:
            return _binds(patterns[0].parts[0].label, (), bound)
        return len(patterns) == len(trees) and all(map(fits, patterns, trees, [bound] * len(trees)))
    before, after = holes[0], len(patterns) - holes[-1] - 1
    stop = len(trees) - after
    if stop < before:
        return False
    if not _all_fit(patterns[:before], trees[:before], bound):
        return False
    if not _all_fit(patterns[holes[-1] + 1 :], trees[stop:], bound):
        return False
    at = before
    for hole, following in pairwise(holes):
        segment = patterns[hole + 1 : following]
        place = _first_place(segment, trees, at, stop, bound)
        if place < 0 or not _binds(patterns[hole].label, tuple(trees[at:place]), bound):
            return False
        at = place + len(segment)
    return _binds(patterns[holes[-1]].label, tuple(trees[at:stop]), bound)


def _first_place(segment: Sequence[Node], trees: Sequence[Node], at: int, stop: int, bound: Bindings) -> int:
    for place in range(at, stop - len(segment) + 1):
        trial = dict(bound)
        if _all_fit(segment, trees[place : place + len(segment)], trial):
            bound |= trial
            return place
    return -1


def _binds(label: str, trees: tuple[Node, ...], bound: Bindings) -> bool:
    if label in ("$_", "$*_"):
        return True
    known = bound.setdefault(label, trees)
    return len(known) == len(trees) and all(map(_same, known, trees))


def _bare(tree: Node) -> Node:
    """What a name stands for: of a parameter its name, and a name is a name wherever it stands."""
    if tree.label == "parameter":
        tree = tree.parts[0]
    return tree._replace(label=f"name {tree.label[3:]}") if tree.label.startswith("id ") else tree


def _same(one: Node, other: Node) -> bool:
    waiting = [(one, other)]
    while waiting:
        a, b = waiting.pop()
        if a.label != b.label or len(a.parts) != len(b.parts):
            return False
        waiting.extend(zip(a.parts, b.parts, strict=True))
    return True


def outermost(pattern: Node, tree: Node) -> Iterator[Node]:
    """The expressions in `tree` that fit, in order; what is inside one that does is not looked at."""
    waiting = [tree]
    while waiting:
        here = waiting.pop()
        if here.label not in _NOT_FOUND and not here.label.startswith("id ") and fits(pattern, here, {}):
            yield here
            continue
        waiting.extend(reversed(here.parts))
