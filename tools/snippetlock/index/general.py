"""Several definitions of one name in the order to tell them in: what the others derive from comes first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from snippetlock.index import rows
from snippetlock.index.ancestry import lineage
from snippetlock.index.index import Index
from snippetlock.index.shapes import Definition

__all__ = ["general_first"]


def general_first(index: Index, found: Iterable[Definition]) -> tuple[Definition, ...]:
    """Members of classes by how many of the others stand in a class below theirs; else in the order that they have."""
    definitions = tuple(found)
    if len(definitions) < 2:
        return definitions
    owners = [_owner(index, each) for each in definitions]
    below: Counter[tuple[int, int]] = Counter()
    for owner in {owner.number: owner for owner in owners if owner}.values():
        below.update(each.number for each in lineage(index, owner).order[1:])
    ranks = [-below[owner.number] if owner else 0 for owner in owners]
    order = sorted(range(len(definitions)), key=lambda at: (definitions[at].local, ranks[at]))
    return tuple(definitions[at] for at in order)


def _owner(index: Index, definition: Definition) -> Definition | None:
    """The class that a definition stands in."""
    number, row = definition.number
    if row < 0:
        return None
    file = index.file(number)
    owner = file.sheet["defs"][row][rows.OWNER]
    return index.definition(file, owner) if owner >= 0 and file.sheet["defs"][owner][rows.KIND] == "c" else None
