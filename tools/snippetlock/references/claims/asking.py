"""Which function of the language asks what, and those that ask nothing of the library."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from snippetlock.references.claims.answers import Made, Stop
from snippetlock.references.claims.classes import bases, is_abstract, is_subclass, subclasses
from snippetlock.references.claims.library import Library
from snippetlock.references.claims.many import count, exists, names, values
from snippetlock.references.claims.signed import (
    annotation,
    decorators,
    default,
    keyword_only,
    kind,
    members,
    parameters,
    raises,
    returns,
)
from snippetlock.references.claims.single import keys, text, value
from snippetlock.references.claims.targets import like

__all__ = ["ASKED"]


def _len(library: Library, given: Any) -> Made:
    return Made(value=len(_collection(given, "len")))


def _collection(given: Any, name: str) -> Any:
    if not isinstance(given, tuple | frozenset | dict | str):
        raise Stop("misfit", f"`{name}` takes a list, a set, a dict or a text", mend="write `value(…)` of one that is")
    return given


def _set(library: Library, given: Any = ()) -> Made:
    items = tuple(_collection(given, "set"))
    if any(isinstance(each, tuple | dict | frozenset) for each in items):
        raise Stop("misfit", "a set holds no lists, sets and dicts", mend="leave `set` out")
    return Made(value=frozenset(items))


def _sorted(library: Library, given: Any) -> Made:
    items = list(_collection(given, "sorted"))
    texts = all(isinstance(each, str) for each in items)
    if not texts and not all(isinstance(each, int | float) for each in items):
        raise Stop("misfit", "`sorted` takes texts, or numbers", mend="leave it out, or write `set`")
    return Made(value=tuple(sorted(items)))


def _matching(library: Library, given: Any, *patterns: str) -> Made:
    items = [each for each in _collection(given, "matching") if isinstance(each, str)]
    return Made(value=tuple(each for each in items if any(like(pattern, each) for pattern in patterns)))


ASKED: Mapping[str, Callable[..., Made]] = {
    "exists": exists,
    "count": count,
    "names": names,
    "values": values,
    "keys": keys,
    "value": value,
    "text": text,
    "kind": kind,
    "parameters": parameters,
    "keyword_only": keyword_only,
    "default": default,
    "annotation": annotation,
    "returns": returns,
    "raises": raises,
    "decorators": decorators,
    "bases": bases,
    "members": members,
    "subclasses": subclasses,
    "is_subclass": is_subclass,
    "is_abstract": is_abstract,
    "len": _len,
    "set": _set,
    "sorted": _sorted,
    "matching": _matching,
}
"""How each function of `functions.FUNCTIONS` is worked out: the library, then the arguments."""
