"""Follow a name through a package's re-exports to where it is defined, without importing anything."""

from __future__ import annotations

from collections.abc import Iterator

from snippetlock.errors import ELSEWHERE, SelectorError
from snippetlock.records import dataclass, replace
from snippetlock.select.exports import exported
from snippetlock.select.files import Module, Reader
from snippetlock.select.imports import Import, imports
from snippetlock.select.labels import Step, chosen
from snippetlock.select.outline import Definition
from snippetlock.text import line_at

__all__ = ["Missing", "Target", "resolve"]

_LONGEST = 50  # imports in a row: more is no re-export, and Python's own stack is not endless
_LOOKUPS = 5000  # names looked up for one selector: alternatives of alternatives multiply


@dataclass(frozen=True, slots=True)
class Target:
    """A definition in a module, below the definitions that hold it; the module itself where there is none."""

    module: Module
    way: tuple[Definition, ...] = ()

    @property
    def line(self) -> int:
        """The line of its `def`, `class` or assignment."""
        skim = self.module.outline.skim
        return line_at(skim.text, skim.codes[self.way[-1].statement.line]) if self.way else 1


class Missing(SelectorError):
    """Nothing is called `step` at `target`; turned into a message by `hints`, which looks for what could be meant."""

    def __init__(self, target: Target, step: Step) -> None:
        super().__init__(f"no {step} in {target.module.name}", path=target.module.path)
        self.target = target
        self.step = step


class _Endless(SelectorError):
    """The search is given up as a whole: other ways are not tried."""


def resolve(reader: Reader, module: Module, steps: tuple[Step, ...], trail: tuple[str, ...] = ()) -> list[Target]:
    """Everything that the steps can mean, from the names of `module` on: one target if all is well.

    `trail` are the names passed on the way here. Raises `Missing` for nothing, and `SelectorError` for a name
    that leaves the tree or is imported in a circle.
    """
    if not steps:
        return [Target(module)]
    step = steps[0]
    trail = _further(module, step.name, trail)
    if next(reader.lookups) >= _LOOKUPS:
        raise _Endless(
            f"{step.name!r} can come from too many places to follow",
            path=module.path,
            mend="name the module that defines it",
        )
    found = module.outline.definitions(module.outline.module, step.name)
    targets: list[Target] = []
    problems: list[SelectorError] = []
    for definition in chosen(module.outline.skim, found, step):
        targets += _collect(problems, _inside(Target(module, (definition,)), steps[1:]))
    if found and (step.role or step.number):
        return _unique(targets, problems, Missing(Target(module), step))
    named = imports(module, step.name)
    for each in named:
        if each.name != "*":
            targets += _collect(problems, _follow(reader, module, each, steps, trail))
    if not found and all(each.name == "*" for each in named):
        stars: list[SelectorError] = []
        for each in named:
            targets += _collect(stars, _star(reader, each, steps, trail))
        problems += (p for p in stars if not isinstance(p, Missing) or p.target.way)
        if not targets:
            targets += _collect(problems, _submodule(reader, module, steps, trail))
    return _unique(targets, problems, Missing(Target(module), step))


def _collect(problems: list[SelectorError], results: Iterator[Target]) -> list[Target]:
    try:
        return list(results)
    except _Endless:
        raise
    except SelectorError as error:
        problems.append(error)
        return []


def _unique(targets: list[Target], problems: list[SelectorError], missing: Missing) -> list[Target]:
    """The targets, each once; raises what stood in the way where there is none."""
    kept = {(t.module.path, t.way[-1:]): t for t in targets}
    if not kept:
        raise next((p for p in problems if not isinstance(p, Missing)), problems[0] if problems else missing)
    return list(kept.values())


def _inside(target: Target, steps: tuple[Step, ...]) -> Iterator[Target]:
    """What the steps mean below a definition."""
    if not steps:
        yield target
        return
    outline, last = target.module.outline, target.way[-1]
    if last.kind == "attribute":
        raise Missing(target, steps[0])
    found = outline.definitions(outline.inside(last.statement), steps[0].name)
    kept = chosen(outline.skim, found, steps[0])
    if not kept:
        raise Missing(target, steps[0])
    for definition in kept:
        yield from _inside(Target(target.module, (*target.way, definition)), steps[1:])


def _follow(
    reader: Reader, module: Module, each: Import, steps: tuple[Step, ...], trail: tuple[str, ...]
) -> Iterator[Target]:
    """What the steps mean where their first is bound by an import."""
    source = reader.module(each.module) if not each.module.startswith(".") else None
    if source is not None and each.attribute and f"{source.name}:{each.attribute}" not in trail:
        yield from resolve(reader, source, (replace(steps[0], name=each.attribute), *steps[1:]), trail)
        return
    if each.attribute:  # a module: of a folder without `__init__.py`, or of the very package that imports it
        source = reader.module(f"{each.module}.{each.attribute}") if not each.module.startswith(".") else None
    if source is not None:
        yield from _whole(reader, source, steps, trail)
    elif f"{each.module}:{each.attribute}" in trail:
        raise _circle(module, each, trail)
    else:
        raise _not_there(reader, module, each)


def _star(reader: Reader, each: Import, steps: tuple[Step, ...], trail: tuple[str, ...]) -> Iterator[Target]:
    source = reader.module(each.module) if not each.module.startswith(".") else None
    if source is not None and exported(source, steps[0].name) and f"{source.name}:{steps[0].name}" not in trail:
        yield from resolve(reader, source, steps, trail)


def _whole(reader: Reader, module: Module, steps: tuple[Step, ...], trail: tuple[str, ...]) -> Iterator[Target]:
    """What the steps mean where their first names this module, of which there is only one."""
    if steps[0].role or steps[0].number:
        raise Missing(Target(module), steps[0])
    yield from resolve(reader, module, steps[1:], trail)


def _submodule(reader: Reader, module: Module, steps: tuple[Step, ...], trail: tuple[str, ...]) -> Iterator[Target]:
    name = module.name
    for i, step in enumerate(steps if module.package else ()):
        name = f"{name}.{step.name}"
        inner = reader.module(name)
        if inner is not None:
            yield from _whole(reader, inner, steps[i:], trail)
            return


def _further(module: Module, name: str, trail: tuple[str, ...]) -> tuple[str, ...]:
    """The trail with one more name; raises where it does not end."""
    if len(trail) == _LONGEST:
        raise _Endless(
            f"{name!r} is imported through more than {_LONGEST} modules",
            path=module.path,
            mend="name the module that defines it",
        )
    return (*trail, f"{module.name}:{name}")


def _circle(module: Module, each: Import, trail: tuple[str, ...]) -> SelectorError:
    """The error for an import of what is being looked up already."""
    here = f"{each.module}:{each.attribute}"
    alone = trail[-1] == here
    return SelectorError(
        f"{each.name!r} is imported from its own module, which does not define it"
        if alone
        else f"{each.name!r} is imported in a circle",
        path=module.path,
        line=line_at(module.text, each.offset),
        evidence=(" -> ".join((*trail[trail.index(here) :], here)),),
        mend="name the module that defines it, if one does",
    )


def _not_there(reader: Reader, module: Module, each: Import) -> SelectorError:
    """The error for an import of something that the tree has not."""
    top = each.module.partition(".")[0]
    own = not top or top == module.name.partition(".")[0] or reader.module(top) is not None
    statement = f"from {each.module} import {each.attribute}" if each.attribute else f"import {each.module}"
    if each.name not in (each.attribute, each.module):
        statement += f" as {each.name}"
    if own:
        what, mend = (
            f"{each.name!r} is imported from a module that the tree has not",
            ELSEWHERE,
        )
    else:
        what, mend = (
            f"{each.name!r} comes from {top}, which is outside of the tree",
            "select what the tree itself defines",
        )
    return SelectorError(
        what, path=module.path, line=line_at(module.text, each.offset), evidence=(statement,), mend=mend
    )
