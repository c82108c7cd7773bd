"""How the names of a selector say which one of several: `value@setter`, `f#2`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from snippetlock.errors import SelectorError
from snippetlock.records import dataclass
from snippetlock.select.outline import Definition, Outline, Scope, normal
from snippetlock.select.skim import Skim
from snippetlock.text import late

__all__ = ["Step", "chosen", "label", "labels", "roles", "steps"]

_DEEPEST = 100  # Python itself reads no deeper blocks
_STEP = late(r"([^\W\d]\w*)(?:@(getter|setter|deleter|overload))?(?:#([1-9]\d*))?")
_DECORATOR = late(r"@\s*([\w.]+)")
_GETTERS = frozenset(("property", "cached_property", "abstractproperty", "getter"))


@dataclass(frozen=True, slots=True)
class Step:
    """One name of a selector; `role` and `number` (from 1, 0 for none) tell it from others of that name."""

    name: str
    role: str = ""
    number: int = 0

    def __str__(self) -> str:
        return self.name + (f"@{self.role}" if self.role else "") + (f"#{self.number}" if self.number else "")


def steps(name: str) -> tuple[Step, ...]:
    """The names of a selector's right side, in order. Raises `SelectorError` for what is no name."""
    found: list[Step] = []
    words = name.split(".") if name else []
    if len(words) > _DEEPEST:
        raise SelectorError(f"a name has more than {_DEEPEST} parts", mend="select something less deep")
    for word in words:
        match = _STEP.fullmatch(word)
        if not match:
            mend = "write names with dots between them; after a name may stand @getter, @setter, @deleter or #2"
            raise SelectorError(f"{word!r} is no name", mend=mend)
        found.append(Step(normal(match[1]), match[2] or "", int(match[3] or 0)))
    return tuple(found)


def chosen(skim: Skim, found: Sequence[Definition], step: Step) -> tuple[Definition, ...]:
    """Those of the definitions of one name that the step's role and number mean."""
    kept = [d for d, role in zip(found, roles(skim, found), strict=True) if step.role in ("", role)]
    return tuple(kept[step.number - 1 : step.number] if step.number else kept)


def labels(skim: Skim, found: Sequence[Definition]) -> tuple[str, ...]:
    """For each definition of a scope, the name that selects it alone."""
    names = tuple(definition.name for definition in found)
    if len(set(names)) == len(names):
        return names
    groups: dict[str, list[Definition]] = {}
    for definition in found:
        groups.setdefault(definition.name, []).append(definition)
    by_group = {name: iter(_group_labels(skim, group)) for name, group in groups.items()}
    return tuple(next(by_group[definition.name]) for definition in found)


def label(outline: Outline, scope: Scope, definition: Definition) -> str:
    """The name that selects a definition of this scope alone: what its twins are is found out once."""
    key = (scope, definition.name)
    if key not in outline.labelled:
        group = outline.definitions(scope, definition.name)
        outline.labelled[key] = dict(zip(group, labels(outline.skim, group), strict=True))
    return outline.labelled[key][definition]


def _group_labels(skim: Skim, group: Sequence[Definition]) -> list[str]:
    name = group[0].name
    if len(group) == 1:
        return [name]
    known = roles(skim, group)
    counts = Counter(known)

    if all(role in ("getter", "setter", "deleter") and counts[role] == 1 for role in known):
        return [f"{name}@{role}" for role in known]
    return [f"{name}#{number}" for number in range(1, len(group) + 1)]


def roles(skim: Skim, group: Sequence[Definition]) -> tuple[str, ...]:
    """What each definition of one name is among them: getter, setter, deleter, overload, or nothing special.

    A function without a decorator that says so is the getter where others of its name are its setter or deleter.
    """
    found = [_role(skim, definition) for definition in group]
    if "setter" in found or "deleter" in found:
        found = [
            "getter" if not role and definition.kind == "function" else role
            for role, definition in zip(found, group, strict=True)
        ]
    return tuple(found)


def _role(skim: Skim, definition: Definition) -> str:
    for line in range(definition.statement.first, definition.statement.line):
        match = _DECORATOR.match(skim.text, skim.codes[line])
        *owner, word = match[1].split(".") if match else ("",)
        if word in ("setter", "deleter") and owner:
            return word
        if word in _GETTERS:
            return "getter"
        if word == "overload":
            return "overload"
    return ""
