"""What a reference of a claim leads to: definitions, files, folders, values of data files. Imports and runs nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from snippetlock.errors import nearest
from snippetlock.index import Definition, follow, members, rows, within
from snippetlock.index import nearest as nearest_names
from snippetlock.index.index import module_of
from snippetlock.index.matching import fits
from snippetlock.records import dataclass
from snippetlock.references.claims.answers import Object, Stop
from snippetlock.references.claims.library import Library
from snippetlock.references.claims.terms import Reference
from snippetlock.select.values import DATA, Datum

__all__ = ["Entry", "Path", "Target", "folders", "like", "object_of", "one", "place_of", "several", "wild"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Path:
    """A file of the tree, or a folder."""

    path: str
    folder: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A value of a data file, below its keys."""

    path: str
    keys: tuple[str, ...]
    datum: Datum


Target = Definition | Path | Entry | str
"""A `str` is what the library imports from elsewhere, by its dotted name."""


def place_of(target: Target) -> str:
    """Where it stands, as `path:line`; empty for what stands elsewhere."""
    if isinstance(target, Definition):
        return target.place if target.qualified else target.path
    if isinstance(target, Entry):
        return f"{target.path}:{target.datum.line}" if target.datum.line else target.path
    return target.path if isinstance(target, Path) else ""


def object_of(library: Library, target: Target) -> Object:
    """A target as a value: two names of one thing give the same."""
    if isinstance(target, Definition):
        target = follow(library.index, target)
        return Object(target.selector, target.number if target.qualified else target.module)
    if isinstance(target, str):
        return Object(target, target)
    keys = target.keys if isinstance(target, Entry) else ()
    return Object(":".join([target.path, ".".join(keys)]) if keys else target.path, (target.path, keys))


def one(library: Library, reference: Reference) -> tuple[Target, ...]:
    """What a reference means: several for what is defined more than once. Raises `Stop` for nothing."""
    key = ("one", reference.text)
    if key not in library.known:
        try:
            library.known[key] = _in_module(library, reference) if reference.module else _in_file(library, reference)
        except Stop as stop:
            library.known[key] = stop
    found: tuple[Target, ...] | Stop = library.known[key]
    if isinstance(found, Stop):
        raise found
    return found


def _in_module(library: Library, reference: Reference) -> tuple[Target, ...]:
    index = library.index
    module = index.module(reference.module)
    if module is None:
        return _elsewhere(library, reference)
    found: list[Definition | str] = [module]
    for at, name in enumerate(reference.parts):
        inner = list(dict.fromkeys(each for target in found for each in within(index, target, name)))
        if not inner:
            raise _missing(library, reference, found[0], at)
        found = inner
    return tuple(found)


def _elsewhere(library: Library, reference: Reference) -> tuple[Target, ...]:
    """A name of another package, or none."""
    modules = library.index.modules
    top, dot, _ = reference.module.partition(".")
    if top not in modules and (dot or reference.parts):
        return (".".join([reference.module, *reference.parts]),)
    near = _moved(library, reference, 0) or nearest(reference.module, modules)
    mend = f"did you mean {' or '.join(map(repr, near))}?" if near else "write a text in quotes"
    raise Stop("missing", f"the library has no module {reference.module!r}", mend=mend)


def _moved(library: Library, reference: Reference, at: int) -> tuple[str, ...]:
    """Where what a reference names at the top of a module is now, if it is elsewhere under the same letters."""
    if at or not reference.parts:
        return ()
    first, *rest = reference.parts
    alike = [each for each in nearest_names(library.index, first) if each.lower() == first.lower()]
    module = library.index.module(reference.module)
    here = [name for name in alike if module is not None and within(library.index, module, name)]
    if here:
        return (f"{reference.module}:{'.'.join([here[0], *rest])}",)
    found = (each for name in (first, *alike) for each in library.index.named(name) if not each.owner)
    return tuple(dict.fromkeys(f"{each.module}:{'.'.join([each.name, *rest])}" for each in found))[:3]


def _missing(library: Library, reference: Reference, owner: Definition | str, at: int) -> Stop:
    name = reference.parts[at]
    before = ".".join(reference.parts[:at])
    where = f"{reference.module}:{before}" if before else reference.module
    if isinstance(owner, str):
        return Stop("unknown", f"{where} is {owner}, which is not in the library")
    owner = follow(library.index, owner)
    if owner.kind == "class":
        pool: Iterable[str] = members(library.index, owner)
    else:
        number = owner.number[0]
        file = library.index.file(number) if number >= 0 else None
        pool = [word for holder, word in (file.children if file else ()) if holder == owner.number[1]]
    near = nearest(name, pool)
    others = [] if near else [each for each in nearest_names(library.index, name) if each != name]
    lead = f"{reference.module}:" + (f"{before}." if before else "")
    shown = [f"{lead}{each}" for each in near] or list(_moved(library, reference, at)) or others
    same = [each for each in shown if each.rpartition(".")[2].rpartition(":")[2].lower() == name.lower()]
    shown = same or shown
    return Stop(
        "missing",
        f"{where} has no {name!r}",
        evidence=(f"{place_of(owner)}  {owner.selector}",) if place_of(owner) else (),
        mend=f"did you mean {' or '.join(map(repr, shown))}?" if shown else "",
    )


def _in_file(library: Library, reference: Reference) -> tuple[Target, ...]:
    path, index = reference.path, library.index
    if path.rstrip("/") in folders(library) and not reference.parts:
        return (Path(path=path.rstrip("/"), folder=True),)
    if path not in _files(library):
        near = nearest(path, index.paths)
        mend = f"did you mean {' or '.join(map(repr, near))}?" if near else "write the path from the top of the library"
        raise Stop("missing", f"the library has no file {path!r}", mend=mend)
    if not reference.parts:
        return (Path(path=path),)
    if path.endswith((".py", ".pyi")):
        module = Reference(text=reference.text, module=module_of(path), parts=reference.parts)
        return _in_module(library, module)
    if not path.endswith(DATA):
        kinds = ", ".join(DATA)
        raise Stop("misfit", f"of what is in {path!r} nothing can be claimed", mend=f"name a part of a file in {kinds}")
    datum = library.data(path)
    for at, key in enumerate(reference.parts):
        if key not in datum.entries:
            if datum.strange:
                raise Stop("unknown", f"it is not told whether {path} has {key!r}: {datum.strange}")
            above = ".".join(reference.parts[:at])
            near = nearest(key, datum.entries)
            mend = f"did you mean {' or '.join(map(repr, near))}?" if near else ""
            line = f"{path}:{datum.line}" if datum.line else path
            raise Stop("missing", f"{above or path} has no {key!r}", evidence=(f"{line}  {above}",), mend=mend)
        datum = datum.entries[key]
    return (Entry(path=path, keys=reference.parts, datum=datum),)


def _files(library: Library) -> frozenset[str]:
    if "files" not in library.known:
        library.known["files"] = frozenset(library.index.paths)
    found: frozenset[str] = library.known["files"]
    return found


def folders(library: Library) -> frozenset[str]:
    """Every folder of the tree."""
    if "folders" not in library.known:
        parts = (path.split("/")[:-1] for path in library.index.paths)
        library.known["folders"] = frozenset("/".join(each[:cut]) for each in parts for cut in range(1, len(each) + 1))
    found: frozenset[str] = library.known["folders"]
    return found


# Patterns


def several(
    library: Library, reference: Reference, holds: Callable[[Target, Reference, int], bool]
) -> tuple[Target, ...]:
    """All that a pattern means, in the order of files and lines. `holds` decides about the conditions of a part."""
    found = _definitions(library, reference) if reference.module else _inside(library, reference, holds)
    if reference.module:
        last = len(reference.parts) - 1
        found = (each for each in found if holds(each, reference, last))
    return tuple(found)


def _definitions(library: Library, reference: Reference) -> Iterator[Target]:
    index = library.index
    for at, _ in reference.conditions:
        if at != len(reference.parts) - 1:
            raise Stop("misfit", "a condition on names of Python stands behind the last part", mend="put it there")
    modules = reference.module.split(".")
    if not reference.parts:
        for name in sorted(index.modules):
            if wild(modules, name.split(".")):
                module = index.module(name)
                yield from [module] if module is not None else []
        return
    last = reference.parts[-1]
    pool: Iterable[Definition] = index.named(last)
    if "*" in last:
        fitting = {name for name in index.modules if wild(modules, name.split("."))}
        pool = library.definitions(lambda module, row: module in fitting and wild((last,), (row[rows.NAME],)))
    seen: set[tuple[str, str]] = set()
    for each in pool:
        key = (each.module, each.qualified)
        if key in seen or each.local or not wild(reference.parts, each.qualified.split(".")):
            continue
        if wild(modules, each.module.split(".")):
            seen.add(key)
            yield each


def _inside(
    library: Library, reference: Reference, holds: Callable[[Target, Reference, int], bool]
) -> Iterator[Target]:
    pattern = reference.path.split("/")
    paths = (path for path in library.index.paths if wild(pattern, path.split("/")))
    if not reference.parts:
        yield from (Path(path=path) for path in paths)
        return
    for path in paths:
        if not path.endswith(DATA):
            raise Stop("misfit", f"of what is in {path!r} nothing can be claimed", mend="name data files: `*.yaml`")
        found = [Entry(path=path, keys=(), datum=library.data(path))]
        for at, part in enumerate(reference.parts):
            found = [each for entry in found for each in _below(entry, part, at in reference.quoted)]
            if any(number == at for number, _ in reference.conditions):
                found = [each for each in found if holds(each, reference, at)]
        yield from found


def _below(entry: Entry, part: str, quoted: bool) -> Iterator[Entry]:
    if quoted or "*" not in part:
        names: Sequence[str] = (part,) if part in entry.datum.entries else ()
    elif part == "**":
        raise Stop("misfit", "`**` stands in paths and names of Python", mend="write `*` for each key on the way")
    else:
        names = [name for name in entry.datum.entries if like(part, name)]
    if entry.datum.strange and ("*" in part or not names):
        where = ".".join(entry.keys) or entry.path
        raise Stop("unknown", f"it is not told what {where} has: {entry.datum.strange}")
    for name in names:
        yield Entry(path=entry.path, keys=(*entry.keys, name), datum=entry.datum.entries[name])


def wild(pattern: Sequence[str], names: Sequence[str]) -> bool:
    """Whether a row of names fits a row of patterns; `**` is any number of names.

    From left to right; behind a `**` the first place that fits is taken, and given up for the next one.
    """
    at = here = 0
    back = after = -1
    while here < len(names):
        if at < len(pattern) and pattern[at] == "**":
            back, after = at, here
            at += 1
        elif at < len(pattern) and like(pattern[at], names[here]):
            at += 1
            here += 1
        elif back >= 0:
            after += 1
            at, here = back + 1, after
        else:
            return False
    return all(each == "**" for each in pattern[at:])


def like(pattern: str, name: str) -> bool:
    """Whether a name fits a pattern; `*` is any number of characters."""
    return fits(pattern.split("*"), name)
