"""What is asked of a definition: its kind, what it takes, gives, raises and holds. Imports and runs nothing."""

from __future__ import annotations

from snippetlock.errors import nearest
from snippetlock.index import Definition, Parameter, Signature, follow, rows, signature
from snippetlock.references.claims.answers import Made, Stop
from snippetlock.references.claims.library import Library
from snippetlock.references.claims.literals import worked_out
from snippetlock.references.claims.meant import defined, single
from snippetlock.references.claims.targets import Entry, Path, place_of
from snippetlock.references.claims.terms import Reference

__all__ = ["annotation", "decorators", "default", "keyword_only", "kind", "members", "parameters", "raises", "returns"]

_KINDS = (("property", "property"), ("setter", "property"), ("class", "classmethod"), ("static", "staticmethod"))


def kind(library: Library, reference: Reference) -> Made:
    """What it is: module, class, function, method, classmethod, staticmethod, property, attribute, file, folder, or
    of a value of a data file mapping, sequence or scalar."""
    target = single(library, reference)
    said: str
    if isinstance(target, Path):
        said = "folder" if target.folder else "file"
    elif isinstance(target, Entry):
        said = target.datum.kind
    else:
        assert isinstance(target, Definition)
        target = follow(library.index, target)
        said = target.kind
        if said == "function":
            number, row = target.number
            defs = library.index.file(number).sheet["defs"]
            owner = defs[row][rows.OWNER]
            method = owner >= 0 and defs[owner][rows.KIND] == "c"
            roles = target.roles
            said = next((name for role, name in _KINDS if role in roles), "method" if method else "function")
    return Made(value=said, places=(place_of(target),))


def _signature(library: Library, reference: Reference) -> Signature:
    found = signature(library.index, defined(library, reference, "function", "class"))
    if found.parameters is None:
        what = f"what {reference.text} takes is not told: {found.reason}"
        raise Stop("unknown", what, evidence=(found.source.place,))
    return found


def parameters(library: Library, reference: Reference) -> Made:
    """What a caller passes, in order: without `self`, of a class to its constructor, `*` before what is variadic."""
    found = _signature(library, reference)
    return Made(value=tuple(each.starred for each in found.parameters or ()), places=(found.source.place,))


def keyword_only(library: Library, reference: Reference) -> Made:
    """The parameters that are passed by name alone."""
    found = _signature(library, reference)
    words = tuple(each.name for each in found.parameters or () if each.kind == "keyword-only")
    return Made(value=words, places=(found.source.place,))


def _parameter(library: Library, reference: Reference, name: str) -> tuple[Parameter, Definition]:
    found = _signature(library, reference)
    for each in found.parameters or ():
        if each.name == name:
            return each, found.source
    near = nearest(name, [each.name for each in found.parameters or ()])
    mend = f"did you mean {' or '.join(map(repr, near))}?" if near else ""
    what = f"{reference.text} has no parameter {name!r}: it takes {found.shown}"
    raise Stop("missing", what, evidence=(found.source.place,), mend=mend)


def default(library: Library, reference: Reference, name: str) -> Made:
    """What a parameter is where nothing is passed."""
    parameter, source = _parameter(library, reference, name)
    if parameter.default is None:
        what = f"the parameter {name!r} of {reference.text} has no default"
        raise Stop("missing", what, evidence=(source.place,), mend="say that it has to be given")
    return Made(value=worked_out(library, source, parameter.default), places=(source.place,))


def annotation(library: Library, reference: Reference, name: str | None = None) -> Made:
    """The annotation of an attribute, or of a parameter, as it is written."""
    if name is not None:
        parameter, source = _parameter(library, reference, name)
        note, place = parameter.annotation, source.place
    else:
        attribute = single(library, reference)
        if not isinstance(attribute, Definition) or attribute.kind != "attribute":
            mend = f'of a parameter write `annotation({reference.text}, "name")`'
            raise Stop("misfit", f"{reference.text} is no attribute", evidence=(place_of(attribute),), mend=mend)
        note, place = attribute.annotation, attribute.place
    if not note:
        raise Stop("missing", f"{name or reference.text} has no annotation", evidence=(place,))
    return Made(value=note, places=(place,))


def returns(library: Library, reference: Reference) -> Made:
    """The annotation of what a function returns, as it is written."""
    function = defined(library, reference, "function")
    if not function.returns:
        raise Stop("missing", f"{reference.text} says nothing of what it returns", evidence=(function.place,))
    return Made(value=function.returns, places=(function.place,))


def raises(library: Library, reference: Reference) -> Made:
    """The exceptions that a function's own body raises, as they are written."""
    function = defined(library, reference, "function")
    return Made(value=function.raises, places=(function.place,))


def decorators(library: Library, reference: Reference) -> Made:
    """The decorators, from the top, as they are written, without `@`."""
    definition = defined(library, reference, "function", "class")
    return Made(value=definition.decorators, places=(definition.place,))


def members(library: Library, reference: Reference) -> Made:
    """What the body of a class defines, or a module at its top, in order. Not what they inherit or import."""
    holder = defined(library, reference, "class", "module")
    number, row = holder.number
    if number < 0:
        return Made(value=())
    file = library.index.file(number)
    defs = file.sheet["defs"]
    names = (
        name
        for (owner, name), ats in file.children.items()
        if owner == row and any(defs[at][rows.KIND] != "i" for at in ats)
    )
    return Made(value=tuple(names), places=(place_of(holder),))
