"""Work a claim out: its steps on a stack, each value with the lines that it is from. Never recurses on the claim.

Where a part has no value, `and` and `or` go by the part before it, as Python does; else that part decides.
"""

from __future__ import annotations

from typing import Any

from snippetlock.records import dataclass
from snippetlock.references.claims.answers import Made, Stop, alike, shown
from snippetlock.references.claims.asking import ASKED
from snippetlock.references.claims.functions import FUNCTIONS
from snippetlock.references.claims.kinds import kind_of, said
from snippetlock.references.claims.library import Library
from snippetlock.references.claims.targets import object_of, one, place_of
from snippetlock.references.claims.terms import Code, Program, Reference

__all__ = ["Step", "evaluate"]

_MOST = 4  # comparisons that a message shows
_SHOWN = 60  # characters of a part of a claim in a message


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What a part of a claim came to: a value, or why there is none. `start` and `end` are its place in the claim.

    `why` are the comparisons and questions that made it true or false, a line or two each.
    """

    start: int
    end: int
    value: Any = None
    places: tuple[str, ...] = ()
    why: tuple[str, ...] = ()
    stop: Stop | None = None
    at: int = 0  # of a stop: the offset that it points to
    written: bool = False  # whether it stands in the claim as it is


def evaluate(program: Program, library: Library) -> Step:
    """What the whole comes to. Raises nothing but what reading the library's files can raise."""
    stack: list[Step] = []
    for code in program.codes:
        taken = stack[len(stack) - code.takes :] if code.takes else []
        del stack[len(stack) - code.takes :]
        start = min([code.start, *(one.start for one in taken)])
        end = max([code.end, *(one.end for one in taken)])
        try:
            step = _step(program, library, code, taken, start, end)
        except Stop as stop:
            step = Step(start=start, end=end, stop=stop, at=taken[0].start if code.name == "call" and taken else start)
        stack.append(step)
    (whole,) = stack
    if whole.stop is None and isinstance(whole.value, Reference):
        whole = _resolved(library, whole)
    return whole


def _step(program: Program, library: Library, code: Code, taken: list[Step], start: int, end: int) -> Step:
    if code.name == "push":
        return Step(start=start, end=end, value=code.value, written=True)
    if code.name == "object":
        return Step(start=start, end=end, value=code.value)
    if code.name in ("and", "or"):
        return _either(code, taken[0], taken[1], start, end)
    if code.name != "call":
        taken = [_resolved(library, each) for each in taken]
    stopped = next((each for each in taken if each.stop is not None), None)
    if stopped is not None:
        return Step(start=start, end=end, stop=stopped.stop, at=stopped.at)
    if code.name == "call":
        made = _called(library, code, taken)
        places = made.places or tuple(dict.fromkeys(place for each in taken for place in each.places))
        why: tuple[str, ...] = ()
        if FUNCTIONS[code.value].gives == "truth":
            why = (f"{_part(program, start, end)} is {'true' if made.value else 'false'}{_from(places)}",)
        return Step(start=start, end=end, value=made.value, places=places, why=why)
    places = tuple(dict.fromkeys(place for each in taken for place in each.places))
    values = [each.value for each in taken]
    if code.name in ("list", "set", "dict"):
        plain = all(each.written for each in taken)
        return Step(start=start, end=end, value=_collected(code.name, values), places=places, written=plain)
    if code.name == "not":
        value = not _truth(taken[0], "not")
        return Step(start=start, end=end, value=value, places=places, why=taken[0].why)
    value = _compared(code, *values)
    why = _sides(program, code, taken[0], taken[1], value)
    return Step(start=start, end=end, value=value, places=places, why=why)


def _called(library: Library, code: Code, taken: list[Step]) -> Made:
    """Ask the library. What the claim alone did not tell is held against what the function takes."""
    takes = FUNCTIONS[code.value].takes
    for number, each in enumerate(taken):
        if takes[min(number, len(takes) - 1)] in ("text", "texts") and not isinstance(each.value, str):
            kind = said(kind_of(each.value))
            raise Stop("misfit", f"`{code.value}` takes a text here, and this is {kind}", mend="write one in quotes")
    return ASKED[code.value](library, *(each.value for each in taken))


def _resolved(library: Library, step: Step) -> Step:
    """A reference as the thing that it names."""
    if step.stop is not None or not isinstance(step.value, Reference):
        return step
    try:
        found = one(library, step.value)
    except Stop as stop:
        return Step(start=step.start, end=step.end, stop=stop, at=step.start)
    places = tuple(place for each in found[:1] if (place := place_of(each)))
    return Step(start=step.start, end=step.end, value=object_of(library, found[0]), places=places)


def _either(code: Code, left: Step, right: Step, start: int, end: int) -> Step:
    """`and` and `or`. The right part counts where the left one does not decide."""
    decides = code.name == "or"
    if left.stop is not None:
        return Step(start=start, end=end, stop=left.stop, at=left.at)
    first = _truth(left, code.name)
    if first is decides:
        return Step(start=start, end=end, value=first, places=left.places, why=left.why)
    if right.stop is not None:
        return Step(start=start, end=end, stop=right.stop, at=right.at)
    second = _truth(right, code.name)
    both = second is not decides  # neither decided: both are the reason
    why = (*left.why, *right.why)[: 2 * _MOST] if both else right.why
    places = tuple(dict.fromkeys((*left.places, *right.places)))[: 2 * _MOST]
    return Step(start=start, end=end, value=second, places=places, why=why)


def _truth(step: Step, name: str) -> bool:
    if not isinstance(step.value, bool):
        given = f"{said(kind_of(step.value))}: {shown(step.value, _SHOWN)}"
        what = f"`{name}` takes what is true or false, and this is {given}"
        raise Stop("misfit", what, mend="compare it with something")
    return step.value


def _collected(name: str, values: list[Any]) -> Any:
    if name == "list":
        return tuple(values)
    if name == "dict":
        return dict(zip(values[::2], values[1::2], strict=True))
    try:
        return frozenset(values)
    except TypeError:
        raise Stop("misfit", "a set holds no lists and no dicts", mend="write a list: `[…]`") from None


def _compared(code: Code, left: Any, right: Any) -> bool:
    if code.name == "==":
        return alike(left, right)
    if code.name == "!=":
        return not alike(left, right)
    if code.name in ("in", "not in"):
        return _within(left, right) is (code.name == "in")
    for each in (left, right):
        if isinstance(each, bool) or not isinstance(each, int | float):
            what = f"`{code.name}` compares numbers, and this is {said(kind_of(each))}: {shown(each, _SHOWN)}"
            raise Stop("misfit", what, mend="write `len(…)` around a list, or compare with `==`")
    return bool({"<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right}[code.name])


def _within(left: Any, right: Any) -> bool:
    if isinstance(right, str):
        if not isinstance(left, str):
            raise Stop("misfit", f"a text has no part that is {said(kind_of(left))}", mend="write it in quotes")
        return left in right
    if isinstance(right, tuple | frozenset | dict):
        return any(alike(left, each) for each in right)
    raise Stop("misfit", f"nothing is in {said(kind_of(right))}: {shown(right, _SHOWN)}", mend="name a list or a dict")


def _sides(program: Program, code: Code, left: Step, right: Step, value: bool) -> tuple[str, ...]:
    """Both sides of a comparison, with what each is and where it is from."""
    lines = []
    for step in (left, right):
        if step.written:
            continue
        lines.append(f"{_part(program, step.start, step.end)} is {shown(step.value)}{_from(step.places)}")
    written = next((step for step in (left, right) if step.written), None)
    if written is None or not lines:
        return tuple(lines)
    said = shown(written.value)
    if code.name in ("in", "not in"):
        found = value is (code.name == "in")
        lines.append(f"{said} is {'' if found else 'not '}in it" if written is left else f"the claim says {said}")
    else:
        sign = {"==": "", "!=": "anything but "}.get(
            code.name, f"{code.name} " if written is right else "held against "
        )
        lines.append(f"the claim says {sign}{said}")
    if code.name == "==" and not value:
        lines += _difference((right if written is left else left).value, written.value)
    return tuple(lines)


def _difference(real: Any, claimed: Any) -> list[str]:
    """What one of two collections has and the other has not."""
    if not isinstance(real, tuple | frozenset | dict) or type(real) is not type(claimed):
        return []
    more = [each for each in real if not any(alike(each, other) for other in claimed)] if len(real) < 1000 else []
    less = [each for each in claimed if not any(alike(each, other) for other in real)] if len(real) < 1000 else []
    if not more and not less:
        return ["the same ones, in another order"] if isinstance(real, tuple) and len(real) == len(claimed) else []
    lines = [f"only in the library: {shown(tuple(more))[1:-1]}"] if more else []
    return lines + ([f"only in the claim: {shown(tuple(less))[1:-1]}"] if less else [])


def _part(program: Program, start: int, end: int) -> str:
    text = " ".join(program.text[start:end].split())
    return f"`{text}`" if len(text) <= 2 * _SHOWN else f"`{text[: 2 * _SHOWN - 1]}…`"


def _from(places: tuple[str, ...]) -> str:
    return f"  ({', '.join(places)})" if places else ""
