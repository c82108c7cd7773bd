"""Judge a call that prose writes: some definition of the name must take it as it is written."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from snippetlock.errors import nearest
from snippetlock.index import (
    Binding,
    Call,
    Definition,
    bind,
    callee,
    calls,
    general_first,
    lineage,
    lookup,
    outside,
    signature,
)
from snippetlock.records import dataclass, replace
from snippetlock.references.bench import Bench
from snippetlock.references.known import known, lists
from snippetlock.references.naming import judge_name
from snippetlock.references.results import member_of_like
from snippetlock.references.speech import Said
from snippetlock.references.verdicts import Verdict
from snippetlock.references.wording import shaped, snake

__all__ = ["judge_calls", "only_named"]

_MOST = 3  # signatures that a message lists
_HARD = ("keyword", "many", "twice", "positional-only")
_VALUE = re.compile(r"None|True|False|\d++|[\[{(\"'].*", re.S)
_RECEIVERS = ("self", "cls")
_PLAIN = re.compile(r"(?:int|float|bool|str|bytes|(?:list|dict|set|tuple|frozenset)(?:\[.*\])?)")
_SKETCH = re.compile(r"\[[A-Za-z_*][\w, .*=]*+\]|<[\w .-]*+>|\{[A-Za-z_][\w .-]*+\}")


@dataclass(frozen=True, slots=True)
class _Tried:
    definition: Definition
    binding: Binding


class _Level:
    """The calls of one text that are still to be judged, and the name that the call before them calls."""

    __slots__ = ("before", "calls")

    def __init__(self, found: Iterable[Call]) -> None:
        self.calls, self.before = iter(found), ""


def judge_calls(bench: Bench, said: Said, *, named: bool = True) -> Iterator[Verdict]:
    """A verdict on each call of a piece of code, in order: those in the brackets of a call come right behind it.

    `named` says that arguments are called as the parameters are: prose does so, a program has names of its own.
    """
    if said.text.startswith("class "):
        return  # what stands in the brackets are bases
    whole = said.text.removeprefix("await ").removeprefix("@")
    levels = [_Level(calls(said.text))]
    while levels:
        level = levels[-1]
        call = next(level.calls, None)
        if call is None:
            levels.pop()
            continue
        made = call.chained and bool(level.before) and _is_class(bench, level.before)
        name = f"{level.before}.{call.name}" if made else call.name
        chained = call.chained and not made
        verdict = _judge(bench, said, call, name, whole=call.text == whole, chained=chained, named=named)
        if verdict is not None:
            yield verdict
        level.before = name if verdict is not None and not chained else ""
        inner = [argument.text for argument in call.arguments if "(" in argument.text]
        levels += [_Level(calls(text)) for text in reversed(inner)]


def _judge(
    bench: Bench, said: Said, call: Call, name: str, *, whole: bool, chained: bool, named: bool
) -> Verdict | None:
    """The verdict on one call; None for what another call returns. `whole` says that there is nothing around it."""
    if not call.name:
        return None
    if chained:
        return Verdict(text=call.text, state="aside", why="called on a result, of which nothing is known")
    if name in lists()["builtins"] and all(each.owner for each in lookup(bench.index, name)):
        return Verdict(text=call.text, state="known", why="one of Python's builtins")
    found = judge_name(bench, name, sure=whole, named=True)
    if found.state == "aside" and _is_member(bench, name):
        why = "what is called is not told, but only the library has the name"
        found = replace(found, state="resolved", why=why)
    told = "." not in name or bool(lookup(bench.index, name)) or _is_member(bench, name)
    if found.state != "resolved" or not told:
        unsure = not told or name.partition(".")[0] in _RECEIVERS
        return (_of_object(bench, said, call, name) if not found.rule and unsure else None) or found
    return _bound(bench, said, call, name, found.why, named)


def _is_class(bench: Bench, name: str) -> bool:
    found = tuple(_candidates(bench, name))
    return bool(found) and all(each.kind == "class" for each in found)


def _is_member(bench: Bench, name: str) -> bool:
    """Whether what is called on something unknown has a name that can hardly be anybody else's."""
    owner, _, last = name.rpartition(".")
    first = owner.partition(".")[0]
    if not owner or first in bench.own.defined or first in bench.own.spoken:
        return False
    if any(each.kind in ("class", "module") for each in lookup(bench.index, first)):
        return False  # what that has is known
    return snake(last) and not known(last) and bool(lookup(bench.index, f"self.{last}"))


def _of_object(bench: Bench, said: Said, call: Call, name: str) -> Verdict | None:
    """The finding for a call on something unknown, or on `self`, that no definition of the name takes; else None.

    Others have methods of such names too: the object must be called as a class that has the method, or an argument
    as a parameter is, or nearly. Never certain.
    """
    *owner, last = name.split(".")
    first = owner[0] if owner else ""
    if not first or {first, last} & (bench.own.defined | bench.own.spoken):
        return None
    own = first in _RECEIVERS
    if (known(first) and not own) or known(last) or outside(bench.index, first) or call.declared or _sketched(call):
        return None
    of_class = bool(member_of_like(bench, owner[-1], last))
    only_methods = of_class or own
    named = [each for each in bench.index.named(last) if not each.local and (each.owner or not only_methods)]
    meant = {each.number: each for each in (callee(bench.index, one) for one in named) if each.kind != "module"}
    tried = [_Tried(each, _bind(bench, each, call)) for each in general_first(bench.index, meant.values())]
    refused = all(
        each.binding.fits is False and any(problem.kind in _HARD for problem in each.binding.problems) for each in tried
    )
    if not tried or not refused or not (of_class or _is_meant(tried, call)):
        return None
    return _refused(bench, said, call, name, tried, certain=False)


def _is_meant(tried: Sequence[_Tried], call: Call) -> bool:
    """Whether a call gives what only the library's function would take: a parameter by name, or nearly so."""
    given = [argument.name for argument in call.arguments if argument.kind == "keyword"]
    names = {parameter.name for each in tried for parameter in each.definition.parameters}
    return any(nearest(name, names, 1) for name in given if len(name) > 3)


def _bound(bench: Bench, said: Said, call: Call, name: str, found: str, named: bool) -> Verdict:
    if _sketched(call):
        return Verdict(text=call.text, state="resolved", why=f"{found}; its arguments are only sketched")
    read = _read_only(bench, name)
    if read is not None and not call.declared:
        return _called(call, name, read)
    if bench.brief and all(argument.kind == "ellipsis" for argument in call.arguments):
        return Verdict(text=call.text, state="resolved", why=found)  # `f()` and `f(...)`: whatever it takes
    tried = [_Tried(each, _bind(bench, each, call)) for each in _candidates(bench, name)]
    if not tried:
        return Verdict(text=call.text, state="resolved", why=f"{found}; what it takes is not told")
    variables = [each.definition for each in tried if not each.definition.owner]
    plain = {each.module for each in variables if _VALUE.fullmatch(each.value or "")}
    called = [each for each in tried if not _is_value(each.definition, name, plain)]
    # A method has nothing on what objects of other classes have: only one that stands in no class is meant first.
    valued = 0 < len(called) < len(tried) and not any(each.definition.owner for each in called)
    tried = called if valued else tried
    unsure = next((each for each in tried if each.binding.fits is None), None)
    if unsure is not None:
        return Verdict(text=call.text, state="resolved", why=f"{found}; not bound: {unsure.binding.reason}")
    fitting = [each for each in tried if each.binding.fits and not (named and _misnamed(bench, call, each.binding))]
    if fitting:
        why = f"{fitting[0].binding.takes or found} ({fitting[0].definition.place})"
        return Verdict(text=call.text, state="resolved", why=why)
    last, told = name.rpartition(".")[2], bool(lookup(bench.index, name))
    of_module = "." in name and told
    named_so = shaped(last) or of_module or not all(each.definition.owner for each in tried)
    return _refused(bench, said, call, name, tried, certain=not valued and named_so)


def _read_only(bench: Bench, name: str) -> Definition | None:
    """The property that a name can only mean, of which what it holds is a number, a text or the like.

    None where one of several that it can mean is something else, or holds what may be called.
    """
    found = lookup(bench.index, name) if "." in name or shaped(name) else ()
    read = [each for each in found if not each.roles & {"setter", "deleter"}]
    if read and all("property" in each.roles and _PLAIN.fullmatch(each.returns) for each in read):
        return read[0]
    return None


def _called(call: Call, name: str, read: Definition) -> Verdict:
    """The finding for a property that is called."""
    last = name.rpartition(".")[2]
    why = f"{last} is a property, and holds {read.returns}"
    return Verdict(
        text=call.text,
        state="unknown",
        why=why,
        rule="SL302",
        certain="." in name and name.partition(".")[0] not in _RECEIVERS,
        message=f"{call.text!r} does not bind: {why}",
        evidence=(f"{read.place}  {read.selector}",),
        mend=f"write {name}: it is read, not called",
    )


def _refused(bench: Bench, said: Said, call: Call, name: str, tried: Sequence[_Tried], *, certain: bool) -> Verdict:
    """The finding for a call that none of several definitions takes."""
    best, last = _best(bench, said, tried), name.rpartition(".")[2]
    message = f"{best.binding.takes}: " + "; ".join(problem.message for problem in best.binding.problems)
    others = [each for each in tried if each is not best][: _MOST - 1]
    evidence = [f"{each.definition.place}  {each.binding.takes}" for each in (best, *others)]
    more = len(tried) - len(evidence)
    sure = certain and any(problem.kind != "foreign" for problem in best.binding.problems)
    return Verdict(
        text=call.text,
        state="unknown",
        why=message,
        rule="SL302",
        certain=sure,
        message=f"{call.text!r} does not bind: {message}",
        evidence=(*evidence, *((f"and {more} more, none of which takes it",) if more else ())),
        mend=f"write it as it is called, or {last}(...) to leave the arguments open",
    )


def _is_value(definition: Definition, name: str, plain: Collection[str]) -> bool:
    """Whether it is hardly what a call means: a variable, in the modules where it is a plain value at first (`plain`),
    or what only objects have.
    """
    if definition.kind != "attribute":
        return False
    return "." not in name if definition.owner else definition.module in plain


def _sketched(call: Call) -> bool:
    """Whether arguments are written as no call and no signature has them: `f([a], [b])`, `f(<name>)`."""
    return any(_SKETCH.fullmatch(argument.text) for argument in call.arguments)


def _bind(bench: Bench, definition: Definition, call: Call) -> Binding:
    return only_named(bind(signature(bench.index, definition), call), call)


def only_named(binding: Binding, call: Call) -> Binding:
    """A binding without what is missing, where a call has nothing but keywords: it names the ones that it is about."""
    if not call.declared and all(argument.kind == "keyword" for argument in call.arguments):
        problems = tuple(problem for problem in binding.problems if problem.kind != "missing")
        return replace(binding, problems=problems, fits=binding.fits is not False or not problems)
    return binding


def _candidates(bench: Bench, name: str) -> Iterable[Definition]:
    """What a call can mean: functions, classes, and what is only another name for one; each once."""
    found: dict[tuple[int, int], Definition] = {}
    for each in lookup(bench.index, name) or lookup(bench.index, f"self.{name.rpartition('.')[2]}"):
        meant = callee(bench.index, each)
        if meant.kind != "module":
            found[meant.number] = meant
    return general_first(bench.index, found.values())


def _misnamed(bench: Bench, call: Call, binding: Binding) -> bool:
    """Whether names of arguments contradict those of the parameters: not where they are names of the page's own."""
    wrong = [problem.argument for problem in binding.problems if problem.kind == "name"]
    foreign = [name for each in binding.problems if each.kind == "foreign" for name in each.argument.split(", ")]
    if foreign:  # a variable of an example may stand for what is passed
        return not any(name in bench.own.defined or name in bench.own.spoken for name in foreign)
    return bool(wrong) and not any(name in bench.own.defined for name in wrong)


def _best(bench: Bench, said: Said, tried: Sequence[_Tried]) -> _Tried:
    """The one to tell: of a class that this section speaks of, then of the page's, then the nearest miss, or a base."""
    section = _lines(bench, bench.classes.get(said.section, ()))
    page = _lines(bench, bench.shown)

    def order(each: _Tried) -> tuple[bool, bool, int]:
        definition = each.definition
        owner = f"{definition.module}:{definition.owner}" if definition.kind != "class" else definition.selector
        problems = each.binding.problems
        return owner not in section, owner not in page, len(problems)

    return min(tried, key=order)


def _lines(bench: Bench, classes: Iterable[Definition]) -> frozenset[str]:
    return frozenset(each.selector for cls in classes for each in lineage(bench.index, cls).order)
