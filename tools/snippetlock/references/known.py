"""Names that are right although the library has none of them: Python's, those of well-known packages, of tools, units.

Only look-ups; nothing is imported to know them. A library's own names are asked for before these.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib.resources import files

__all__ = ["SAMPLE", "is_command", "is_file", "known", "lists", "stands_for_any"]

SAMPLE = "a name that stands for any"

_KIND = re.compile(
    r"(?:sm|compute|gfx)_?\d++[a-z]?|(?:bfloat|float|bfp|bf|fp|uint|int)\d++(?:_?e\dm\d\w*+)?|e\dm\d\w*+"
)
_SOFT = ("_", "case", "match")  # words in some places; the same in every Python, as all here is
_SAMPLE = re.compile(r"(?:My|Your|Foo|Bar|Baz|Acme|Example|Some)(?=[A-Z])")


@cache
def lists() -> Mapping[str, frozenset[str]]:
    """The lists of `known.txt` by name."""
    found: dict[str, set[str]] = {}
    words: set[str] = set()
    for line in files("snippetlock.references").joinpath("known.txt").read_bytes().decode("ascii").split("\n"):
        if line.startswith("== "):
            words = found.setdefault(line[3:], set())
        else:
            words.update(line.split())
    return {name: frozenset(words) for name, words in found.items()}


def is_command(word: str) -> bool:
    """Whether a word begins a command of a shell."""
    return word in lists()["commands"]


def is_file(name: str, *, perhaps: bool = False) -> bool:
    """Whether a name ends as only files do; with `perhaps` also as files do and a member may be called: `a.json`."""
    _, dot, ending = name.rpartition(".")
    return bool(dot) and (ending in lists()["endings"] or (perhaps and ending in lists()["either"]))


def stands_for_any(member: str) -> bool:
    """Whether what is read of `self` only says how members are read: `self.foo`, `self.method(...)`."""
    return member in lists()["members"] or known(member) == SAMPLE


@lru_cache(maxsize=4096)
def known(name: str) -> str:
    """What a bare or dotted name is, of others than the library; empty for who knows."""
    first, _, rest = name.partition(".")
    if keyword.iskeyword(name) or name in _SOFT:
        return "a word of Python"
    if first in lists()["builtins"]:
        return "one of Python's builtins"
    if first in lists()["modules"]:
        return f"{first} is a module of Python's standard library"
    if first in lists()["packages"]:
        return f"{first} is a well-known package"
    if name.startswith("__") and name.endswith("__"):
        return "one of Python's special names"
    if not lists()["samples"].isdisjoint(name.lower().strip("_").split("_")) or _SAMPLE.match(name):
        return SAMPLE
    if name in lists()["units"] or name in lists()["products"]:
        return "a unit, a product or a format"
    if _KIND.fullmatch(name):
        return "a kind of numbers or of processors"
    if name in lists()["settings"]:
        return "a setting of a well-known tool"
    if (rest.rpartition(".")[2] or first) in lists()["standard"]:
        return "Python's standard library has the name"
    return ""
