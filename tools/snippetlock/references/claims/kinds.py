"""Hold a claim against what each of its parts can be: arguments of functions, both sides of comparisons. Pure.

What only the library tells is `any`, and is held when it is known.
"""

from __future__ import annotations

from typing import NamedTuple

from snippetlock.references.claims.functions import FUNCTIONS, Kind, Takes
from snippetlock.references.claims.terms import ClaimError, Code, Program

__all__ = ["check", "kind_of", "said"]

_SAID: dict[Kind, str] = {
    "truth": "true or false",
    "number": "a number",
    "text": "a text",
    "list": "a list",
    "set": "a set",
    "dict": "a dict",
    "object": "a name",
    "none": "None",
    "any": "a value",
}
_TAKES: dict[Takes, str] = {
    "one": "a name of the library: `module:Qualified.name` or `path/to/file.yaml:key`",
    "some": "a name of the library, or a pattern of names",
    "class": "a class of the library, or the name of one of Python's in quotes",
    "many": "a pattern of names, or a list",
    "text": "a text in quotes",
    "texts": "a text in quotes",
    "list": "a list, a set, a dict or a text",
}
_ENTRIES = ("list", "set", "dict", "text", "any")


class _Seen(NamedTuple):
    kind: Kind
    start: int
    end: int
    code: Code


def said(kind: Kind) -> str:
    """A kind in words."""
    return _SAID[kind]


def kind_of(value: object) -> Kind:
    """The kind of a value that is known."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "truth"
    if isinstance(value, int | float):
        return "number"
    if isinstance(value, str):
        return "text"
    if isinstance(value, tuple):
        return "list"
    return "set" if isinstance(value, frozenset) else "dict" if isinstance(value, dict) else "object"


def check(program: Program, *, wanted: Kind) -> None:
    """Raise `ClaimError` for the first part that does not fit; `wanted` is what the whole has to be."""
    stack: list[_Seen] = []
    for code in program.codes:
        taken = stack[len(stack) - code.takes :] if code.takes else []
        del stack[len(stack) - code.takes :]
        start = min([code.start, *(one.start for one in taken)])
        end = max([code.end, *(one.end for one in taken)])
        stack.append(_Seen(_made(program, code, taken), start, end, code))
    (whole,) = stack
    _no_pattern(whole)
    if wanted == "truth" and whole.kind not in ("truth", "any"):
        what = f"a claim is true or false, and this is {said(whole.kind)}"
        text = program.text[whole.start : whole.end].strip()
        shown = text if len(text) <= 60 else "…"
        mend = f"write `exists({shown})`" if whole.kind == "object" else f"compare it: `{shown} == …`"
        raise ClaimError(what, whole.start, mend)


def _made(program: Program, code: Code, taken: list[_Seen]) -> Kind:
    """The kind of what a step makes."""
    if code.name == "push":
        return kind_of(code.value)
    if code.name == "object":
        return "object"
    if code.name == "call":
        return _called(code, taken)
    for one in taken:
        _no_pattern(one)
    if code.name in ("list", "set", "dict"):
        for one in taken:
            if one.kind in ("list", "set", "dict") and code.name == "set":
                raise ClaimError(f"a set cannot hold {said(one.kind)}", one.start, "write a list: `[…]`")
        if code.name == "dict":
            for one in taken[::2]:
                if one.kind not in ("text", "number", "truth", "none"):
                    raise ClaimError(f"{said(one.kind)} is no key", one.start, "write a text or a number")
        return code.name  # type: ignore[return-value]
    if code.name in ("and", "or", "not"):
        for one in taken:
            if one.kind not in ("truth", "any"):
                what = f"`{code.name}` takes what is true or false, and this is {said(one.kind)}"
                raise ClaimError(what, one.start, "compare it with something, or write `exists(…)`")
        return "truth"
    _compared(code, *taken)
    return "truth"


def _called(code: Code, taken: list[_Seen]) -> Kind:
    function = FUNCTIONS[code.value]
    takes = function.takes
    endless = takes[-1] == "texts"
    if len(taken) < function.least or (len(taken) > len(takes) and not endless):
        many = function.least if function.least == len(takes) else f"{function.least} or {len(takes)}"
        plural = "" if many == 1 else "s"
        what = f"`{code.value}` takes {many} argument{plural}{' or more' if endless else ''}, and gets {len(taken)}"
        raise ClaimError(what, code.start, f"write `{function.shown}`")
    for number, one in enumerate(taken):
        wanted = takes[min(number, len(takes) - 1)]
        if not _fits(wanted, one):
            what = f"`{code.value}` takes {_TAKES[wanted]}, and this is {said(one.kind)}"
            raise ClaimError(what, one.start, f"write `{function.shown}`")
        if wanted not in ("some", "many"):
            _no_pattern(one)
    return function.gives


def _fits(wanted: Takes, one: _Seen) -> bool:
    if wanted in ("one", "some"):
        return one.code.name == "object"
    if wanted == "class":
        return one.kind in ("object", "text")
    if wanted == "many":
        return one.code.name == "object" or one.kind in _ENTRIES
    return one.kind in (("text", "any") if wanted in ("text", "texts") else _ENTRIES)


def _no_pattern(one: _Seen) -> None:
    if one.code.name == "object" and one.code.value.pattern:
        mend = "write one name, or `count(…)`, `names(…)`, `values(…)` or `exists(…)` around the pattern"
        raise ClaimError("a pattern of names means no single thing", one.start, mend)


def _compared(code: Code, left: _Seen, right: _Seen) -> None:
    """Refuse a comparison that no library could make true, or false."""
    kinds = {left.kind, right.kind}
    if code.name in ("in", "not in"):
        if right.kind not in _ENTRIES:
            what = f"`{code.name}` looks into a list, a set, a dict or a text, and this is {said(right.kind)}"
            mend = "write `… in keys(…)`" if right.kind == "object" else "write a list"
            raise ClaimError(what, right.start, mend)
        if right.kind == "text" and left.kind not in ("text", "any"):
            raise ClaimError(f"a text has no part that is {said(left.kind)}", left.start, "write it in quotes")
    elif code.name in ("==", "!="):
        if "any" in kinds or len(kinds) == 1:
            return
        if kinds == {"list", "set"}:
            mend = "write `set(…)` around the list where the order means nothing"
        elif "object" in kinds:
            mend = "write `value(…)`, `count(…)`, `keys(…)` or the like around the name"
        else:
            mend = "compare two of a kind"
        raise ClaimError(f"{said(left.kind)} is never {said(right.kind)}", code.start, mend)
    elif not kinds <= {"number", "any"}:
        worst = left if left.kind not in ("number", "any") else right
        what = f"`{code.name}` compares numbers, and this is {said(worst.kind)}"
        raise ClaimError(what, worst.start, "write `count(…)` or `len(…)` around it")
