"""Tell which words of a drawing are code, and judge them. Pure; linear in the text.

What stands in an element, or a group, of which a class has the word `code` is inline code like any other, and not read
here. Of other words those count that look like nothing else: a name of several words (`kernel_for`, `FooBarOp`), a
dotted one, a call, a path below the library's package.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from snippetlock.references.bench import Bench
from snippetlock.references.calls import judge_calls
from snippetlock.references.had import of_class
from snippetlock.references.naming import judge_name
from snippetlock.references.paths import judge_path
from snippetlock.references.speech import Said
from snippetlock.references.verdicts import Verdict
from snippetlock.references.wording import humped, shaped

__all__ = ["judge_drawn"]

_PIECE = re.compile(r"[\w.$/@\\:~%#<>{}*+=&?-]++", re.A)
_NAME = re.compile(r"(?<![\w$@%#<{\\-])(?:[A-Za-z_]\w*+)(?:\.[A-Za-z_]\w*+)*+(?![>}*$])", re.A)
_GIVEN = re.compile(r"\([^()\n]*+\)")
_PATH = re.compile(r"[A-Za-z_]\w*+(?:/[\w.-]++)++", re.A)
_HUMP = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+")
_PLURALS = ("(s)", "(es)")
_OPEN = ("...", "…", "*")  # behind the beginning of a name


class _Word(NamedTuple):
    text: str
    kind: str  # "call", "path" or "name"
    at: int


def judge_drawn(bench: Bench, text: str) -> Iterator[tuple[Verdict, int]]:
    """The verdicts on the words of a drawing, each with the offset of its word in the text."""
    for word in _words(text):
        first = word.text.partition("/")[0].partition(".")[0].partition("(")[0]
        if word.kind == "path":
            verdict = judge_path(bench, word.text)
            if verdict.state != "aside":
                yield verdict, word.at
        elif word.kind == "call":
            spoken = Said(text=word.text, line=0, column=0, paragraph=0, section=0)
            for verdict in judge_calls(bench, spoken):
                yield verdict, word.at
        elif first in bench.packages or any(map(shaped, word.text.split("."))) or of_class(bench, word.text):
            yield judge_name(bench, word.text, sure=_sure(bench, word.text)), word.at


def _words(text: str) -> Iterator[_Word]:
    """The words that may be code."""
    for piece in _PIECE.finditer(text):
        said = piece[0].rstrip(".:?")
        at, end = piece.span()
        if not said or "://" in said or said[0] in "-$@%":
            continue
        if (path := _PATH.fullmatch(said)) and ("." in said or "_" in said):
            yield _Word(path[0], "path", at)
            continue
        for found in _NAME.finditer(said):
            last = at + found.end()
            if text.startswith(_OPEN, last) or text[:last].endswith("_"):
                continue  # the beginning of one
            given = _GIVEN.match(text, last) if last == end else None
            if given and given[0] not in _PLURALS:
                yield _Word(f"{found[0]}{given[0]}", "call", at + found.start())
            elif "." in found[0] or shaped(found[0]):
                yield _Word(found[0], "name", at + found.start())


def _sure(bench: Bench, name: str) -> bool:
    """Whether a name can be nobody else's: makers and products (`PyTorch`, `GitHub`) are written in two humps, too."""
    if not humped(name):
        return True
    humps = _HUMP.findall(name)
    ends = bench.index.memo.get("drawn: ends")
    if ends is None:
        ends = frozenset(_HUMP.findall(each)[-1] for each in bench.index.names if humped(each))
        bench.index.memo["drawn: ends"] = ends
    return len(humps) > 2 or humps[-1] in ends
