"""What is asked of one thing: its keys, its value, its text. Imports and runs nothing."""

from __future__ import annotations

import ast

from snippetlock.index import Definition, follow
from snippetlock.references.claims.answers import Made, Stop
from snippetlock.references.claims.library import Library
from snippetlock.references.claims.literals import entries_of, node_of, value_of
from snippetlock.references.claims.meant import single, whole
from snippetlock.references.claims.spelled import text_of
from snippetlock.references.claims.targets import Entry, Path, Target, object_of, place_of
from snippetlock.references.claims.terms import Reference
from snippetlock.select.values import DATA

__all__ = ["entries", "keys", "text", "value"]


def entries(library: Library, reference: Reference, target: Target) -> Made:
    """The entries of a collection: keys of a mapping, items of a list."""
    if isinstance(target, Path) and not target.folder:
        if not target.path.endswith(DATA):
            raise Stop("misfit", f"{target.path} is no file of data", mend="name a YAML, TOML or JSON file")
        target = Entry(path=target.path, keys=(), datum=library.data(target.path))
    if isinstance(target, Entry):
        if target.datum.kind == "scalar":
            raise Stop("misfit", f"{reference.text} is one value and has no entries", evidence=(place_of(target),))
        if target.datum.strange:
            what = f"it is not told what {reference.text} has: {target.datum.strange}"
            raise Stop("unknown", what, evidence=(place_of(target),))
        return Made(value=tuple(target.datum.entries), places=(place_of(target),))
    if isinstance(target, Definition) and (target := follow(library.index, target)).kind == "attribute":
        return Made(value=entries_of(library, target), places=(target.place,))
    mend = "write `members(…)` for what a class or a module defines" if isinstance(target, Definition) else ""
    raise Stop("misfit", f"{reference.text} has no entries", evidence=(place_of(target),), mend=mend)


def keys(library: Library, reference: Reference) -> Made:
    """The keys of a dict or a mapping, in order."""
    target = single(library, reference)
    made = entries(library, reference, target)
    sequence = isinstance(target, Entry) and target.datum.kind == "sequence"
    if isinstance(target, Definition):
        node = node_of(library, follow(library.index, target))
        sequence = isinstance(node, ast.List | ast.Tuple | ast.Set)
    if sequence:
        mend = f"write `value({reference.text})`, or `count({reference.text})`"
        raise Stop("misfit", f"{reference.text} is a list and has no keys", evidence=made.places, mend=mend)
    return made


def value(library: Library, reference: Reference, target: Target | None = None) -> Made:
    """What something is set to."""
    target = single(library, reference) if target is None else target
    if isinstance(target, Entry):
        return Made(value=whole(target), places=(place_of(target),))
    if isinstance(target, str):
        raise Stop("unknown", f"{reference.text} is {target}, which is not in the library")
    if isinstance(target, Path):
        raise Stop("misfit", f"{reference.text} is a {'folder' if target.folder else 'file'}", mend="name a key in it")
    found = follow(library.index, target)
    if found.kind != "attribute" and target.kind == "attribute":  # another name for a class or a function
        return Made(value=object_of(library, found), places=(target.place,))
    return value_of(library, found)


def text(library: Library, reference: Reference, key: str | None = None) -> Made:
    """The expression that something is set to, in Python's own spacing and the source's quotes; of a dict, of a key."""
    target = single(library, reference)
    if isinstance(target, Entry):
        raise Stop("misfit", f"{reference.text} is a value of a data file", mend=f"write `value({reference.text})`")
    if not isinstance(target, Definition):
        raise Stop("misfit", f"{reference.text} is set to nothing", mend="name an attribute of a class or a module")
    node = node_of(library, target)
    if key is None:
        return Made(value=text_of(library, target, node), places=(target.place,))
    inner = node.args[0] if isinstance(node, ast.Call) and len(node.args) == 1 else node
    pairs = zip(inner.keys, inner.values, strict=True) if isinstance(inner, ast.Dict) else ()
    for name, given in pairs:
        if isinstance(name, ast.Constant) and name.value == key:
            return Made(value=text_of(library, target, given), places=(f"{target.path}:{given.lineno}",))
    raise Stop("missing", f"no key {key!r} is written in {reference.text}", evidence=(target.place,))
