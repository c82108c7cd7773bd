"""An index of a few files in memory, and answers of it as lines of text: cases compare those."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from snippetlock.config import cache_dir, load_config, load_pin
from snippetlock.errors import PinError
from snippetlock.index import (
    Index,
    bind,
    calls,
    constant,
    files,
    general_first,
    keys,
    lineage,
    lookup,
    nearest,
    occurs,
    open_index,
    outside,
    pieced,
    produces,
    signature,
    unproven,
    within,
)
from snippetlock.source import DictTree, open_tree

ROOT = Path(__file__).parent.parent.parent


class Memory:
    """A store that keeps what JSON can say, and counts what it is asked for."""

    def __init__(self) -> None:
        self.kept: dict[tuple[str, str], str] = {}
        self.asked: list[str] = []
        self.written: list[str] = []

    def get(self, kind, key):
        self.asked.append(kind)
        found = self.kept.get((kind, key))
        return None if found is None else json.loads(found)

    def put(self, kind, key, value):
        self.written.append(kind)
        self.kept[kind, key] = json.dumps(value)


def indexed(files: dict[str, str | bytes], store: Memory | None = None) -> Index:
    data = {path: text.encode() if isinstance(text, str) else text for path, text in files.items()}
    return open_index(DictTree(data), store or Memory(), "test")


def pinned() -> Index:
    """An index of the library that this site is about. Skips the test where it is not at hand."""
    try:
        tree = open_tree(load_pin(load_config(ROOT)), ROOT, cache_dir(os.environ))
    except PinError as error:
        pytest.skip(str(error))
    return open_index(tree, Memory(), "test")


def one(index: Index, name: str):
    """The only definition of this name."""
    (found,) = lookup(index, name)
    return found


def answers(index: Index, questions: str) -> str:
    lines = []
    for question in questions.split("\n")[:-1]:
        verb, _, what = question.partition(" ")
        lines += [f"> {question}", *(f"  {line}" for line in _VERBS[verb](index, what))]
    return "\n".join(lines) + "\n"


def _lookup(index, name):
    for found in lookup(index, name):
        roles = "".join(f" {role}" for role in sorted(found.roles))
        yield f"{found.kind} {found.selector} {found.place}{roles}" + (" local" if found.local else "")


def _class(index, name):
    found = lineage(index, one(index, name))
    yield " > ".join(each.qualified for each in found.order)
    yield from (f"outside {base}" for base in found.outside)
    yield from (f"standard {base}" for base in found.standard)


def _absent(index, what):
    owner, _, name = what.rpartition(".")
    (found,) = [each for each in lookup(index, owner) if each.kind in ("class", "module")]
    if within(index, found, name):
        return ["it is there"]
    return unproven(index, found, name) or ["proven"]


def _call(index, what):
    (call,) = calls(what)
    for found in lookup(index, call.name):
        result = bind(signature(index, found), call)
        yield {True: "fits", False: "does not fit", None: "not known"}[result.fits]
        yield from (f"{problem.kind}: {problem.message}" for problem in result.problems)
        yield result.takes or result.reason


def _message(index, message):
    for found in produces(index, message):
        raised = " or ".join(found.exceptions) or "nothing known"
        how = "whole" if found.whole else "beginning"
        inner = f" <- {found.inner.shown}" if found.inner else ""
        yield f"{raised}: {found.text.shown}{inner} ({how}, line {found.text.line})"


def _constant(index, text):
    for found in constant(index, text):
        yield " ".join(filter(None, [f"{found.path}:{found.line}", found.role, found.name, found.within]))


def _general(index, name):
    return (found.selector for found in general_first(index, lookup(index, name)))


def _piece(index, word):
    found = pieced(index, word)
    return [f"{found.path}:{found.line} {found.shown}"] if found else []


def _value(index, name):
    for found in lookup(index, name):
        yield f"{found.annotation or '-'} = {found.value}" + (f" {found.keys}" if found.keys else "")


_VERBS = {
    "lookup": _lookup,
    "outside": outside,
    "near": nearest,
    "class": _class,
    "absent": _absent,
    "call": _call,
    "message": _message,
    "constant": _constant,
    "piece": _piece,
    "general": _general,
    "value": _value,
    "key": lambda index, name: (f"{'.'.join(key.way)} {key.path}:{key.line}" for key in keys(index, name)),
    "file": files,
    "word": lambda index, word: [" ".join(sorted(occurs(index, word)))],
    "unread": lambda index, _: (f"{each.path}:{each.line} {each.why.partition(':')[0]}" for each in index.unread),
}
