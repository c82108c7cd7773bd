"""What is asked of many things: whether there are any, how many there are, their names and their values."""

from __future__ import annotations

from typing import Any

from snippetlock.errors import nearest
from snippetlock.index import Definition, follow
from snippetlock.index.ancestry import openings
from snippetlock.records import replace
from snippetlock.references.claims.answers import Made, Stop, alike
from snippetlock.references.claims.library import Library
from snippetlock.references.claims.literals import value_of
from snippetlock.references.claims.meant import lines_of, single, whole
from snippetlock.references.claims.single import entries, value
from snippetlock.references.claims.targets import Entry, Path, Target, folders, one, place_of, several, wild
from snippetlock.references.claims.terms import Condition, Reference
from snippetlock.select.values import Datum

__all__ = ["count", "exists", "names", "values"]


class _Holds:
    """Decides whether what a pattern means fulfils the conditions of one of its parts."""

    def __init__(self, library: Library) -> None:
        self.library = library

    def __call__(self, target: Target, reference: Reference, at: int) -> bool:
        return all(self._one(target, condition) for number, condition in reference.conditions if number == at)

    def _one(self, target: Target, condition: Condition) -> bool:
        found = self._inner(target, condition.keys)
        if condition.sign in ("", "not"):
            return (found is not None) == (condition.sign == "")
        if found is None:
            return False
        given = whole(found) if isinstance(found, Entry) else value_of(self.library, found).value
        return alike(given, condition.value) == (condition.sign == "==")

    def _inner(self, target: Target, keys: tuple[str, ...]) -> Entry | Definition | None:
        if isinstance(target, Entry):
            datum: Datum | None = target.datum
            for key in keys:
                if datum is not None and datum.strange and key not in datum.entries:
                    raise Stop("unknown", f"it is not told what {'.'.join(target.keys)} has: {datum.strange}")
                datum = datum.entries.get(key) if datum is not None else None
            return Entry(path=target.path, keys=(*target.keys, *keys), datum=datum) if datum is not None else None
        if len(keys) != 1:
            what = "a condition on a class asks it for one of the names that it defines itself"
            raise Stop("misfit", what, mend="write `Class[name]`")
        if not isinstance(target, Definition) or target.kind not in ("class", "module") or target.number[0] < 0:
            return None
        number, row = target.number
        found = self.library.index.inside(self.library.index.file(number), row, keys[0])
        return found[0] if found else None


def _several(library: Library, reference: Reference) -> tuple[Target, ...]:
    """All that a pattern means. Raises `Stop` where the files that it speaks of are none, or cannot be read."""
    index = library.index
    if reference.module:
        wanted = reference.module.split(".")
        _unread(library, wanted)
        if not any(wild(wanted, name.split(".")) for name in index.modules):
            raise Stop("missing", f"no module of the library fits {reference.module!r}", mend=_like(library, wanted[0]))
    else:
        lead = reference.path.split("/")[:-1]
        plainly = "/".join(lead[: next((at for at, part in enumerate(lead) if "*" in part), len(lead))])
        if plainly and plainly not in folders(library):
            near = nearest(plainly, folders(library))
            mend = f"did you mean {' or '.join(map(repr, near))}?" if near else ""
            raise Stop("missing", f"the library has no folder {plainly!r}", mend=mend)
    return several(library, reference, _Holds(library))


def _like(library: Library, top: str) -> str:
    near = nearest(top, {name.partition(".")[0] for name in library.index.modules}, 1)
    return f"did you mean {near[0]!r}?" if near and near[0] != top else "`*` is one part of a name, `**` any number"


def _unread(library: Library, modules: list[str]) -> None:
    from snippetlock.index.index import module_of

    for each in library.index.unread:
        if each.path.endswith(".py") and wild(modules, module_of(each.path).split(".")):
            where = f"{each.path}:{each.line}" if each.line else each.path
            raise Stop("unknown", f"{each.path} cannot be read: {each.why}", evidence=(where,))


def exists(library: Library, reference: Reference) -> Made:
    """Whether there is what a reference means. What it stands in has to be there: else a slip would be a proof."""
    if reference.pattern:
        found = _several(library, reference)
        return Made(value=bool(found), places=lines_of(found))
    try:
        found = one(library, reference)
    except Stop as stop:
        if stop.why != "missing" or not _only_last(library, reference):
            raise
        return Made(value=False)
    if isinstance(found[0], str) and len(reference.parts) != 1:
        raise Stop("unknown", f"{reference.text} is {found[0]}, which is not in the library")
    return Made(value=True, places=lines_of(found))


def _only_last(library: Library, reference: Reference) -> bool:
    """Whether all but the last part is there. Raises `Stop` where that could have what nothing shows."""
    if reference.parts:
        above = replace(reference, text=f"{reference.text}\0", parts=reference.parts[:-1], conditions=())
    elif reference.module:
        head = reference.module.rpartition(".")[0]
        return not head or head in library.index.modules
    else:
        head = reference.path.rstrip("/").rpartition("/")[0]
        return not head or head in folders(library)
    try:
        found = one(library, above)
    except Stop:
        return False
    for each in found:
        if isinstance(each, Definition):
            owner = follow(library.index, each)
            why = openings(library.index, owner, reference.parts[-1])
            if why and owner.kind in ("class", "module"):
                what = f"it is not told whether {reference.text} exists: {why[0]}"
                raise Stop("unknown", what, evidence=(place_of(each),))
    return True


def count(library: Library, given: Any) -> Made:
    """How many things a pattern means, or how many entries something has."""
    if not isinstance(given, Reference):
        if not isinstance(given, tuple | frozenset | dict | str):
            raise Stop("misfit", "`count` takes a pattern, or what has entries", mend="name a list, a set or a dict")
        return Made(value=len(given))
    if given.pattern:
        found = _several(library, given)
        return Made(value=len(found), places=lines_of(found))
    target = single(library, given)
    if isinstance(target, Path) and target.folder:
        lead = f"{target.path}/"
        return Made(value=sum(path.startswith(lead) for path in library.index.paths), places=(target.path,))
    made = entries(library, given, target)
    return Made(value=len(made.value), places=made.places)


def names(library: Library, reference: Reference) -> Made:
    """What the things that a pattern means are called: the last part of each."""
    found = _several(library, reference) if reference.pattern else one(library, reference)
    return Made(value=tuple(map(_name, found)), places=lines_of(found))


def _name(target: Target) -> str:
    if isinstance(target, Entry):
        return target.keys[-1] if target.keys else target.path
    if isinstance(target, Path):
        return target.path
    if isinstance(target, str):
        return target.rpartition(".")[2]
    return target.name if target.qualified else target.module


def values(library: Library, reference: Reference) -> Made:
    """The values of the things that a pattern means."""
    found = _several(library, reference) if reference.pattern else one(library, reference)
    return Made(value=tuple(value(library, reference, each).value for each in found), places=lines_of(found))
