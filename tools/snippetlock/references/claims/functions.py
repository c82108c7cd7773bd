"""The functions of the language of claims as data: what each takes, what it gives, and what it says. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from snippetlock.records import dataclass

__all__ = ["FUNCTIONS", "Function", "Kind", "Takes"]

Kind = Literal["truth", "number", "text", "list", "set", "dict", "object", "none", "any"]
"""What a value is, as far as the claim alone tells it."""
Takes = Literal["one", "some", "text", "texts", "list", "class", "many"]
"""`one` thing, by a reference; `some`, by a reference that can be a pattern; a `class`, or the name of one of
Python's in quotes; `many`: a pattern, or what has entries; `texts` are any number of texts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Function:
    """A function. Of its `takes` the last `optional` can be left out. `shown` is how it is written."""

    shown: str
    takes: tuple[Takes, ...]
    gives: Kind
    optional: int = 0

    @property
    def least(self) -> int:
        """How many arguments it needs."""
        return len(self.takes) - self.optional


def _f(shown: str, gives: Kind, *takes: Takes, optional: int = 0) -> Function:
    return Function(shown=shown, takes=takes, gives=gives, optional=optional)


FUNCTIONS: Mapping[str, Function] = {
    "exists": _f("exists(NAME)", "truth", "some"),
    "count": _f("count(PATTERN)", "number", "many"),
    "names": _f("names(PATTERN)", "list", "some"),
    "values": _f("values(PATTERN)", "list", "some"),
    "keys": _f("keys(NAME)", "list", "one"),
    "value": _f("value(NAME)", "any", "one"),
    "text": _f('text(NAME), or text(NAME, "key")', "text", "one", "text", optional=1),
    "kind": _f("kind(NAME)", "text", "one"),
    "parameters": _f("parameters(NAME)", "list", "one"),
    "keyword_only": _f("keyword_only(NAME)", "list", "one"),
    "default": _f('default(NAME, "parameter")', "any", "one", "text"),
    "annotation": _f('annotation(NAME), or annotation(NAME, "parameter")', "text", "one", "text", optional=1),
    "returns": _f("returns(NAME)", "text", "one"),
    "raises": _f("raises(NAME)", "list", "one"),
    "decorators": _f("decorators(NAME)", "list", "one"),
    "bases": _f("bases(CLASS)", "list", "one"),
    "members": _f("members(CLASS)", "list", "one"),
    "subclasses": _f("subclasses(CLASS)", "list", "class"),
    "is_subclass": _f("is_subclass(CLASS, CLASS)", "truth", "one", "class"),
    "is_abstract": _f("is_abstract(NAME)", "truth", "one"),
    "len": _f("len(VALUE)", "number", "list"),
    "set": _f("set(LIST), or set() for none", "set", "list", optional=1),
    "sorted": _f("sorted(LIST)", "list", "list"),
    "matching": _f('matching(LIST, "pattern*")', "list", "list", "texts"),
}
