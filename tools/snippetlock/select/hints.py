"""Turn a selector that names nothing, or several things, into an error that shows what could be meant."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from snippetlock.errors import (
    ELSEWHERE,
    LISTED,
    AmbiguousSymbol,
    SelectorError,
    SnippetlockError,
    SourceError,
    UnknownSymbol,
    listed,
    nearest,
)
from snippetlock.model import Selector
from snippetlock.select.bases import defining, outside
from snippetlock.select.exports import exported
from snippetlock.select.files import Module, Reader
from snippetlock.select.imports import imports
from snippetlock.select.labels import Step, label, labels, roles
from snippetlock.select.outline import Definition, Outline, Scope
from snippetlock.select.resolve import Missing, Target
from snippetlock.text import late, line_at

__all__ = ["ambiguous", "missing", "no_module", "qualified", "selector_of"]

_DEEPEST = 20  # levels of definitions looked through for a like name
_LABEL = late(r"[@#]\w+")
_MOST = 5  # candidates shown for a name that is not there


def qualified(target: Target) -> str:
    """The right side of the selector that names this target alone."""
    outline = target.module.outline
    scope, names = outline.module, []
    for definition in target.way:
        names.append(label(outline, scope, definition))
        scope = outline.inside(definition.statement) if definition.kind != "attribute" else scope
    return ".".join(names)


def selector_of(target: Target, selector: Selector) -> str:
    """The selector of a target, in the manner of the one that was asked for."""
    left = target.module.path if selector.path else target.module.name
    if not target.way:
        return left
    first, dot, rest = qualified(target).partition(".")
    if first == target.way[0].name and any(i.name == first for i in imports(target.module, first)):
        first += "#1"  # alone it would mean what is imported under this name as well
    return f"{left}:{first}{dot}{rest}"


def ambiguous(selector: Selector, targets: list[Target]) -> AmbiguousSymbol:
    """The error for a selector that names all these."""
    candidates = [(selector_of(t, selector), t.module.path, t.line) for t in targets[:LISTED]]
    mend = "use the selector of the one you mean"
    known = [roles(t.module.outline.skim, t.way[-1:])[0] if t.way else "" for t in targets]
    plain = [target for target, role in zip(targets, known, strict=True) if role != "overload"]
    if "overload" in known and len(plain) == 1:
        mend += f"; the implementation is {selector_of(plain[0], selector)}"
    name, path = selector.name or selector.text, targets[0].module.path
    return AmbiguousSymbol(name, path=path, candidates=candidates, count=len(targets), mend=mend)


def missing(reader: Reader, selector: Selector, error: Missing) -> SnippetlockError:
    """The error for a name that is nowhere: why, and what has a name like it."""
    target, step = error.target, error.step
    module, way = target.module, target.way
    wanted = ".".join([*(d.name for d in way), str(step)])
    if way and way[-1].kind == "attribute":
        return SelectorError(
            f"{way[-1].name!r} is an assignment: nothing inside it has a name",
            path=module.path,
            line=target.line,
            evidence=(_row(target),),
            mend=f"select {selector_of(target, selector)}, or what it is set to",
        )
    skim = module.outline.skim
    if skim.faults:
        fault = skim.faults[0]
        return SourceError(
            fault.what,
            path=module.path,
            line=fault.line,
            evidence=(f"{wanted!r} is not found, and can be hidden behind this",),
            mend=ELSEWHERE,
        )
    if way and way[-1].kind == "class":
        owner = defining(reader, target, step)
        if owner is not None:
            return _inherited(selector, wanted, target, owner)
    return _unknown(reader, selector, target, wanted, step)


def _inherited(selector: Selector, wanted: str, target: Target, owner: Target) -> SelectorError:
    where = selector_of(owner, selector)
    base = owner.way[-2].name
    return SelectorError(
        f"{wanted} is inherited from {base}",
        path=target.module.path,
        line=target.line,
        evidence=(f"{owner.module.path}:{owner.line}  {where}",),
        mend=f"use {where}",
    )


def _unknown(reader: Reader, selector: Selector, target: Target, wanted: str, step: Step) -> UnknownSymbol:
    module = target.module
    outline = module.outline
    scope = outline.inside(target.way[-1].statement) if target.way else outline.module
    group = outline.definitions(scope, step.name)
    if group:
        return _not_among(selector, target, wanted, group)
    if not target.way:
        _read_stars(reader, module)

    @cache
    def said() -> tuple[list[str], list[str], str]:
        return _advice(reader, selector, target, wanted, step)

    return UnknownSymbol(
        wanted,
        path=module.path,
        line=target.line if target.way else None,
        known=lambda: said()[0],
        advice=lambda: said()[1:],
    )


def _read_stars(reader: Reader, module: Module) -> None:
    """Read what the advice will read: a file that cannot be read ends the question now, not when a message is made."""
    for each in imports(module):
        if each.name == "*":
            reader.module(each.module)


def _advice(
    reader: Reader, selector: Selector, target: Target, wanted: str, step: Step
) -> tuple[list[str], list[str], str]:
    """The names that could have been meant, the evidence, and how to mend."""
    module = target.module
    outline = module.outline
    known = dict(_everything(outline, outline.module, ""))
    if not target.way:
        known |= {name: at for name, at in _imported(reader, module) if name not in known}
    container = ".".join(d.name for d in target.way)
    names = [name for name in known if name != container]
    last = step.name.lower()
    alike = sorted(name for name in names if _LABEL.sub("", name).rpartition(".")[2].lower() == last)
    close = nearest(wanted, names)
    order = sorted(dict.fromkeys([*alike, *close]), key=lambda name: name.lower() != wanted.lower())[:_MOST]
    left = module.path if selector.path else module.name

    def row(name: str) -> str:
        return f"{module.path}:{line_at(module.text, known[name])}  {left}:{name}"

    on_self = _set_on_self(target, step, left)
    evidence = list(on_self)
    beyond = outside(reader, target) if target.way and target.way[-1].kind == "class" else []
    if beyond and not order:
        evidence.append(f"{module.path}:{target.line}  {container} derives from {', '.join(beyond)}, not of this tree")
    evidence += [row(name) for name in order]
    mend = f"did you mean {' or '.join(repr(name) for name in order[:3])}?" if order else ""
    if not order and not evidence:
        inside = [name for name in names if not container or name.startswith(f"{container}.")][:_MOST]
        evidence = [row(name) for name in inside]
        mend = (
            "name something that is defined there" if inside else "nothing is defined there; select what is around it"
        )
    last_resort = "select the method that sets it" if on_self else "select what the tree itself defines"
    return names, evidence, mend or last_resort


def _imported(reader: Reader, module: Module) -> Iterator[tuple[str, int]]:
    """The names that a module imports, those of a star import included, each with its offset."""
    for each in imports(module):
        if each.name != "*":
            yield each.name, each.offset
        elif source := reader.module(each.module):
            found = {d.name for d in source.outline.definitions(source.outline.module)}
            found |= {i.name for i in imports(source) if i.name != "*"}
            yield from ((name, each.offset) for name in sorted(found) if exported(source, name))


def _set_on_self(target: Target, step: Step, left: str) -> list[str]:
    """Where a method of the class sets `self.NAME`, which is no definition."""
    if not target.way or target.way[-1].kind != "class":
        return []
    outline = target.module.outline
    found = []
    for method in outline.definitions(outline.inside(target.way[-1].statement)):
        skim, statement = outline.skim, method.statement
        start, end = skim.starts[statement.first], skim.ends[statement.stop - 1]
        place = re.search(rf"\bself\.{re.escape(step.name)}\s*(?:=(?!=)|:)", skim.text[start:end])
        if place and method.kind == "function":
            where = qualified(Target(target.module, (*target.way, method)))
            line = line_at(skim.text, start + place.start())
            found.append(f"{target.module.path}:{line}  self.{step.name} is set in {left}:{where}")
        if len(found) == _MOST:
            break
    return found


def _not_among(selector: Selector, target: Target, wanted: str, group: Sequence[Definition]) -> UnknownSymbol:
    """The error for a role or number that none of several has."""
    module = target.module
    found = [Target(module, (*target.way, definition)) for definition in group[:LISTED]]
    rows = [f"{module.path}:{t.line}  {selector_of(t, selector)}" for t in found]
    return UnknownSymbol(
        wanted,
        path=module.path,
        line=found[0].line,
        known=map(qualified, found),
        evidence=listed(rows, len(group)),
        mend="use the selector of the one you mean",
    )


def _everything(outline: Outline, scope: Scope, prefix: str, depth: int = 0) -> Iterator[tuple[str, int]]:
    """Each definition of a file by the name that selects it, with its offset."""
    skim = outline.skim
    found = outline.definitions(scope)
    for definition, own in zip(found, labels(skim, found), strict=True):
        yield prefix + own, skim.codes[definition.statement.line]
        if definition.kind != "attribute" and depth < _DEEPEST:
            yield from _everything(outline, outline.inside(definition.statement), f"{prefix}{own}.", depth + 1)


def _row(target: Target) -> str:
    skim, at = target.module.outline.skim, target.way[-1].statement.line
    return skim.text[skim.codes[at] : skim.ends[at]].partition("\n")[0].strip()[:120]


def no_module(reader: Reader, selector: Selector) -> SelectorError:
    """The error for a module that the tree has not; looks for modules with a name like it."""
    parent = selector.module.rpartition(".")[0]
    holder = reader.module(parent) if parent else None  # now: one that cannot be read is another error

    def said() -> tuple[list[str], str]:
        return _like_module(reader, selector, holder)

    return SelectorError(f"no module {selector.module!r} in the tree", advice=said)


def _like_module(reader: Reader, selector: Selector, holder: Module | None) -> tuple[list[str], str]:
    """The modules with a name like it as evidence, and how to mend; `holder` is the package it would be in."""
    files = [path for path in reader.tree.paths() if path.endswith(".py")]
    names = {path.removesuffix(".py").removesuffix("/__init__").replace("/", "."): path for path in files}
    parent, _, last = selector.module.rpartition(".")
    near = nearest(selector.module, names)
    if holder and (
        holder.outline.definitions(holder.outline.module, last) or any(i.name == last for i in imports(holder))
    ):
        mend = f"write {parent}:{last}" + (f".{selector.name}" if selector.name else "")
    else:
        mend = f"did you mean {' or '.join(near)}?" if near else "name a module of the tree"
    return [f"{names[name]}  {name}" for name in near], mend
