"""Drift: what becomes of a snippet between two trees, by cases and by the rules that hold for all of them."""

from __future__ import annotations

import casefile
import pytest
from test_render import view_of

from snippetlock.config import parse_selector
from snippetlock.drift import Search, candidates, classify, compare, touched_paths, worst
from snippetlock.model import CLASSES, Definition, Place, View
from snippetlock.render import render
from snippetlock.select import find

CASES = ("drift-quiet.case", "drift-change.case", "drift-gone.case")


def define(selector, view=None):
    place = Place(path="snippets/a.yaml", line=1)
    return Definition(id="id", selector=parse_selector(selector), view=view or View(), place=place, places={})


def state(case, tree, name):
    r"""The files of a case. `\r` at a line's end is a carriage return, `\0LATIN` a file that is not UTF-8."""
    texts = {key.removeprefix(f"{name} "): text for key, text in case.sections.items() if key.startswith(f"{name} ")}
    special = {"\\0LATIN\n": b"caf\xe9 = 1\n"}
    return tree({path: special.get(text, text.replace("\\r\n", "\r\n")) for path, text in texts.items()})


def outcome(case, tree):
    old, new = state(case, tree, "old"), state(case, tree, "new")
    return compare(define(case["select"].strip(), view_of(case.get("view"))), old, new), new


def said(change):
    """A change as the cases state it."""
    lines = [change.cls, *(f"- {fact}" for fact in change.details)]
    lines += [f"? {c.selector} {c.cls} ({c.reason})" for c in change.candidates]
    return "".join(f"{line}\n" for line in lines)


@casefile.each(*CASES)
def test_what_becomes_of_it(case, tree, golden):
    change, new = outcome(case, tree)
    golden(case, said(change))
    assert change.cls == case.title.partition(":")[0]
    for candidate in change.candidates:
        there = find(new, parse_selector(candidate.selector))
        assert (there.path, candidate.score <= 1) == (candidate.span.path, True)


def test_there_are_six_cases_of_each_class_and_more():
    counts = {cls: 0 for cls in CLASSES}
    for name in CASES:
        for case in casefile.read(name):
            counts[case.title.partition(":")[0]] += 1
    assert min(count for cls, count in counts.items() if cls != "unreadable") >= 6
