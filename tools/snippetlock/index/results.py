"""What reading an attribute gives: an object of a class of the tree, where the source tells that."""

from __future__ import annotations

from snippetlock.index import rows
from snippetlock.index.ancestry import lineage
from snippetlock.index.index import Index
from snippetlock.index.names import follow, resolve
from snippetlock.index.shapes import Definition

__all__ = ["gives"]

_PROTOCOL = "Protocol"


def gives(index: Index, definition: Definition) -> Definition | None:
    """The class of what a property or an attribute holds; None where it is not told, or may be another.

    By the annotation, or by what every `return` of a property makes. A union tells nothing, nor does a protocol, of
    which an object may have more. What a class below has is not asked.
    """
    number, row = definition.number
    if definition.kind == "attribute":
        written = definition.annotation
    elif definition.kind == "function" and "property" in definition.roles and not definition.asynchronous:
        written = definition.returns or "".join(index.file(number).sheet["defs"][row][rows.C][2:])
    else:
        return None
    name = written.strip("\"' ")
    if not name.replace(".", "").isidentifier():
        return None
    file = index.file(number)
    found = resolve(index, file, name, file.sheet["defs"][row][rows.OWNER])
    meant = [follow(index, each) for each in found if isinstance(each, Definition)]
    if len(meant) != 1 or len(found) != 1 or meant[0].kind != "class":
        return None
    standard = lineage(index, meant[0]).standard
    return None if any(base.endswith(f".{_PROTOCOL}") for base in standard) else meant[0]
