"""Hold a call that prose writes against a signature: how many, which keywords, and the names and their order."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from snippetlock.errors import nearest
from snippetlock.index.calling import Argument, Call
from snippetlock.index.shapes import Parameter
from snippetlock.index.signatures import Signature
from snippetlock.records import dataclass, replace

__all__ = ["Binding", "Problem", "bind"]

ProblemKind = Literal["many", "keyword", "twice", "positional-only", "missing", "order", "name", "foreign"]
WEAK = ("name", "foreign")
_LITERAL = re.compile(r"[\d\"'\[{]|[rbfRBF]{1,2}[\"']|(?:None|True|False)$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One thing that does not fit, in words; `argument` is what it is about.

    `name` is weaker than all others: some names are those of parameters in their places, this one is not. Whoever
    calls may name a variable as they like; whoever shows a signature may not. `foreign` is weaker still: there are
    several names, and none of them is a parameter.
    """

    kind: ProblemKind
    argument: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Binding:
    """How a call fits. `fits` is None where the source alone does not tell: `reason` says why.

    `takes` is the sentence for the reader: "kernel_for takes (interface, call)".
    """

    fits: bool | None
    problems: tuple[Problem, ...] = ()
    takes: str = ""
    reason: str = ""


def bind(signature: Signature, call: Call, *, exact: bool = False) -> Binding:
    """Whether a call can be one of this signature, as far as it is written.

    `f()` says only that `f` is a function, and fits. `Class.method(…)` may pass the instance or leave it out. Of an
    `exact` call, as programs have them, neither is so.
    """
    if signature.parameters is None:
        return Binding(fits=None, reason=signature.reason)
    takes = f"{signature.name} takes {signature.shown}"
    if not call.arguments and not exact:
        return Binding(fits=True, takes=takes)
    ways = [call]
    if signature.first is not None and not exact and _passes_self(signature, call):
        ways.append(replace(call, arguments=call.arguments[1:]))
    found = [_problems(signature.parameters, way) for way in ways]
    best = min(found, key=lambda problems: (any(p.kind not in WEAK for p in problems), len(problems)))
    return Binding(fits=not any(problem.kind not in WEAK for problem in best), problems=tuple(best), takes=takes)


def _passes_self(signature: Signature, call: Call) -> bool:
    """Whether a call can pass the instance itself: it is called so, or the method is looked up in its class."""
    first, given, receiver = signature.first, call.arguments[0], call.name.split(".")[-2:-1]
    if first is None or given.kind != "positional":
        return False
    if _LITERAL.match(given.text) or any(parameter.name == given.name for parameter in signature.parameters or ()):
        return False  # no object of a class, or called as an argument is
    owner = signature.source.owner.rpartition(".")[2]
    looked_up = receiver == [owner] or (bool(receiver) and receiver[0][:1].isupper())  # in a class below its own
    return given.name == first.name or (signature.bound == "instance" and looked_up)


def _problems(parameters: Sequence[Parameter], call: Call) -> list[Problem]:
    if call.declared:
        return _declared(parameters, call)
    counted = _count(parameters, call)
    return counted or _names(parameters, call)


def _count(parameters: Sequence[Parameter], call: Call) -> list[Problem]:
    by_position = [p for p in parameters if p.kind in ("positional-only", "positional")]
    kinds = {p.kind for p in parameters}
    by_name = {p.name: p for p in parameters if p.kind in ("positional", "keyword-only")}
    found: list[Problem] = []
    given: set[str] = set()
    sure = True  # until something may stand for any number of arguments
    number = 0
    for argument in call.arguments:
        if argument.kind == "keyword":
            found += _keyword(argument, by_name, parameters, given, "keywords" in kinds)
            given.add(argument.name)
            continue
        if argument.kind != "positional":
            sure = False
            continue
        number += 1
        if number <= len(by_position):
            taken = by_position[number - 1]
            if sure:
                found += _again(taken.name, given) if taken.name in by_name else []
                given.add(taken.name)
        elif "variadic" not in kinds:
            found.append(_too_many(argument, parameters, len(by_position)))
    if not call.open:
        required = (p for p in parameters if p.kind not in ("variadic", "keywords") and p.default is None)
        found += [
            Problem(kind="missing", argument=p.name, message=f"{p.name!r} is missing")
            for p in required
            if p.name not in given
        ]
    return found


def _again(name: str, given: set[str]) -> list[Problem]:
    return [Problem(kind="twice", argument=name, message=f"{name!r} is given twice")] if name in given else []


def _keyword(
    argument: Argument, by_name: dict[str, Parameter], parameters: Sequence[Parameter], given: set[str], any_: bool
) -> list[Problem]:
    name = argument.name
    if name in by_name:
        return _again(name, given)
    only = next((p for p in parameters if p.name == name and p.kind == "positional-only"), None)
    # Where any keyword is taken, this is one of them, and the parameter is still to be given.
    if any_ and (only is None or only.default is not None or name in given):
        return []
    if only is not None:
        return [Problem(kind="positional-only", argument=name, message=f"{name!r} is given by position only")]
    near = nearest(name, by_name, 1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    return [Problem(kind="keyword", argument=name, message=f"there is no parameter {name!r}{hint}")]


def _too_many(argument: Argument, parameters: Sequence[Parameter], most: int) -> Problem:
    if argument.name and any(p.name == argument.name and p.kind == "keyword-only" for p in parameters):
        what = f"{argument.name!r} is given by keyword only"
    else:
        what = f"{argument.text!r} is more than it takes by position ({most})"
    return Problem(kind="many", argument=argument.text, message=what)


def _names(parameters: Sequence[Parameter], call: Call) -> list[Problem]:
    """Hold the names of arguments against those of the parameters in their places, where all of them are names."""
    if not all(argument.bare or argument.kind == "ellipsis" for argument in call.arguments):
        return []
    places = [p.name for p in parameters if p.kind in ("positional-only", "positional")]
    given: list[str] = []
    for argument in call.arguments:
        if argument.kind != "positional":
            break
        given.append(argument.name)
    pairs = list(zip(given, places, strict=False))
    # Only the same names in another order: a variable may happen to be called as some other parameter is.
    if sorted(given) == sorted(places[: len(given)]) and any(name != place for name, place in pairs):
        message = f"the order is {', '.join(places[: len(given)])}"
        return [Problem(kind="order", argument=", ".join(given), message=message)]
    known = {p.name for p in parameters}
    moved = [name for name, place in pairs if name in known and name != place]  # one may be a variable's name
    if len(moved) > 1 or any(_is_called(name, place) for name, place in pairs):
        wrong = [(name, place) for name, place in pairs if not _is_called(name, place)]
        return [
            Problem(kind="name", argument=name, message=f"{name!r} stands where {place!r} is") for name, place in wrong
        ]
    return _foreign(given, parameters, call)


def _is_called(name: str, place: str) -> bool:
    """Whether an argument is called as a parameter is, or after it: `my_call` and `call2` for `call`."""
    if name == place or name.endswith(f"_{place}"):
        return True
    rest = name.removeprefix(place).strip("_")
    return name.startswith(place) and (rest.isdigit() or len(rest) < 2)


def _foreign(given: Sequence[str], parameters: Sequence[Parameter], call: Call) -> list[Problem]:
    """Whether a call shows other names than those of the parameters: several, and words rather than letters."""
    known = {p.name for p in parameters}
    shown = len(given) > 1 and len(given) == len(call.arguments) and all(len(name) > 2 for name in given)
    if not shown or not known.isdisjoint(given) or any(p.kind == "variadic" for p in parameters):
        return []
    said = ", ".join(map(repr, given[:-1]))
    message = (
        f"neither {said} nor {given[-1]!r} is a parameter" if len(given) == 2 else "none of its names is a parameter"
    )
    return [Problem(kind="foreign", argument=", ".join(given), message=message)]


def _declared(parameters: Sequence[Parameter], call: Call) -> list[Problem]:
    """Hold a signature that is shown against the real one: every name in its place, unless something is left out."""
    known = {p.name: number for number, p in enumerate(parameters)}
    found: list[Problem] = []
    last = -1
    named = [argument for argument in call.arguments if argument.name]
    for argument in named:
        number = known.get(argument.name)
        if number is None:
            near = nearest(argument.name, known, 1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            message = f"there is no parameter {argument.name!r}{hint}"
            found.append(Problem(kind="keyword", argument=argument.name, message=message))
        elif number <= last:
            found.append(Problem(kind="order", argument=argument.name, message=f"{argument.name!r} comes earlier"))
        else:
            last = number
    if not found:
        found = _parted(parameters, call)
    if not any(argument.kind == "ellipsis" for argument in call.arguments):
        shown = {argument.name for argument in named}
        found += [
            Problem(kind="missing", argument=p.name, message=f"{p.name!r} is missing")
            for p in parameters
            if p.name not in shown and p.default is None and p.kind not in ("variadic", "keywords")
        ]
    return found


def _parted(parameters: Sequence[Parameter], call: Call) -> list[Problem]:
    """What stands on the wrong side of a `*` that a signature shows; nothing where it shows none."""
    at = next((at for at, each in enumerate(call.arguments) if each.kind == "separator" and each.text == "*"), None)
    if at is None:
        return []
    kinds = {p.name: p.kind for p in parameters}
    found: list[Problem] = []
    for number, argument in enumerate(call.arguments):
        kind = kinds.get(argument.name)
        if number < at and kind == "keyword-only":
            message = f"{argument.name!r} is given by keyword only, and stands before the `*`"
            found.append(Problem(kind="order", argument=argument.name, message=message))
        elif number > at and kind in ("positional", "positional-only"):
            message = f"{argument.name!r} may be given by position, and stands behind the `*`"
            found.append(Problem(kind="order", argument=argument.name, message=message))
    return found
