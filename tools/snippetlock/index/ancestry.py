"""Classes and what they have: the bases as far as the tree tells, members along them, and whether one can be missed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from snippetlock.index import rows
from snippetlock.index.index import Index
from snippetlock.index.names import Meaning, absolute, follow, resolve
from snippetlock.index.shapes import Definition
from snippetlock.index.standard import DECORATORS, METACLASSES, is_standard, standard_members
from snippetlock.records import dataclass

__all__ = ["Lineage", "bases", "lineage", "member", "members", "openings", "unproven"]

_DEEPEST = 100
_WIDEST = 1000  # classes above one: the order of more is no longer worked out
_GENERATED = r"(?<![\w.])(?:def|class)\s+{0}\b|\b{0}\s*=|\.{0}\b"


@dataclass(frozen=True, slots=True, kw_only=True)
class Lineage:
    """A class and the classes it derives from, in the order Python looks a member up, as far as the tree has them.

    `outside` are bases that the tree does not define and nothing here knows. `standard` are those of Python itself.
    `endless` says that a class derives from itself, or from too many.
    """

    order: tuple[Definition, ...]
    outside: tuple[str, ...] = ()
    standard: tuple[str, ...] = ()
    endless: bool = False


def bases(index: Index, cls: Definition) -> tuple[Meaning, ...]:
    """What the bases of a class are: classes of the tree, or the dotted names of others, in order.

    A base that is computed, or cannot be resolved, is told as it is written.
    """
    number, row = cls.number
    file = index.file(number)
    owner = file.sheet["defs"][row][rows.OWNER]
    found: list[Meaning] = []
    for written in cls.bases:
        name = written.partition("[")[0].strip()
        meant: list[Meaning] = []
        for each in resolve(index, file, name, owner) if name.replace(".", "").isidentifier() else ():
            each = follow(index, each) if isinstance(each, Definition) else each
            if isinstance(each, str) or (each.kind == "class" and each.number != cls.number):
                meant.append(each)
        known = [each for each in meant if isinstance(each, Definition)]
        found.append(known[0] if known else meant[0] if meant else _plain(name, written))
    return tuple(found)


def _plain(name: str, written: str) -> str:
    return f"builtins.{name}" if is_standard(f"builtins.{name}") else written


def lineage(index: Index, cls: Definition) -> Lineage:
    """The class and all it derives from, in Python's order as far as it is known."""
    found: Lineage = _lineage(index, cls, ())
    return found


def _lineage(index: Index, cls: Definition, below: tuple[tuple[int, int], ...]) -> Lineage:
    key = ("lineage", *cls.number)
    if key in index.memo:
        done: Lineage = index.memo[key]
        return done
    if cls.number in below or len(below) > _DEEPEST:
        return Lineage(order=(), endless=True)
    orders: list[list[Definition]] = []
    outside: dict[str, None] = {}
    standard: dict[str, None] = {}
    direct: list[Definition] = []
    endless = False
    for base in bases(index, cls):
        if isinstance(base, str):
            (standard if is_standard(base) else outside)[base] = None
            continue
        above = _lineage(index, base, (*below, cls.number))
        endless = endless or above.endless
        orders.append([each for each in above.order if each.number != cls.number])
        direct.append(base)
        outside |= dict.fromkeys(above.outside)
        standard |= dict.fromkeys(above.standard)
    order = (cls, *_merged([*orders, direct]))
    index.memo[key] = Lineage(order=order, outside=tuple(outside), standard=tuple(standard), endless=endless)
    return index.memo[key]  # type: ignore[no-any-return]


def _merged(orders: list[list[Definition]]) -> Iterator[Definition]:
    """The merge of C3; where it has no answer, the first of what is left comes next."""
    waiting = [order for order in orders if order]
    if sum(map(len, waiting)) > _WIDEST:
        yield from {each.number: each for order in waiting for each in order}.values()
        return
    while waiting:
        tails = {each.number for order in waiting for each in order[1:]}
        head = next((order[0] for order in waiting if order[0].number not in tails), waiting[0][0])
        yield head
        waiting = [rest for order in waiting if (rest := [e for e in order if e.number != head.number])]


def member(index: Index, cls: Definition, name: str) -> tuple[Definition, ...]:
    """The definitions of a member in the first class that has it; several for a property with setter, or overloads."""
    for each in lineage(index, cls).order:
        number, row = each.number
        private = f"_{each.name.lstrip('_')}__"  # what Python makes of `__name` in a class
        own = f"__{name[len(private) :]}" if name.startswith(private) else name
        found = index.inside(index.file(number), row, own)
        if found:
            return found
    return ()


def members(index: Index, cls: Definition) -> dict[str, tuple[Definition, ...]]:
    """Every member by name, each of the first class that has it; in order, the class's own first."""
    found: dict[str, tuple[Definition, ...]] = {}
    for each in lineage(index, cls).order:
        number, row = each.number
        file = index.file(number)
        for owner, name in file.children:
            if owner == row and name not in found:
                found[name] = index.inside(file, row, name)
    return found


def unproven(index: Index, cls: Definition, name: str) -> tuple[str, ...]:
    """Why it cannot be said that a class, or a module, has no member `name`; empty where that is proven.

    Not asked whether it has one: `within` tells.
    """
    return (*openings(index, cls, name), *_elsewhere(index, name))


def openings(index: Index, cls: Definition, name: str) -> tuple[str, ...]:
    """Why a class or a module itself, as it is written, could have a member `name` that nothing shows.

    What the rest of the library may do to it is not asked.
    """
    if cls.kind != "class":
        return tuple(_module_openings(index, cls))
    line = lineage(index, cls)
    reasons = [f"{base} is not in the tree" for base in line.outside]
    if line.endless:
        reasons.append(f"{cls.qualified} derives from itself, or from too many")
    for base in (*line.standard, "builtins.object"):
        known = standard_members(base)
        if known is None or name in known:
            reasons.append(f"{base} has it" if known else f"{base} makes members of its own")
    for each in line.order:
        reasons += _openings(index, each)
    return tuple(reasons)


def _elsewhere(index: Index, name: str) -> list[str]:
    """What speaks for a member wherever it is looked for, found out once for a name."""
    known: dict[str, list[str]] = index.memo.setdefault("elsewhere", {})
    if name not in known:
        known[name] = _spoken_for(index, name)
    return known[name]


def _spoken_for(index: Index, name: str) -> list[str]:
    reasons = []
    if name.startswith("__") and name.endswith("__"):
        reasons.append("Python itself may give it one")
    if index.table("words").get(name, 0) & rows.SET:
        reasons.append(f"something is set as .{name} elsewhere")
    if name in index.table("texts")["constants"]:
        reasons.append(f"the source has the string {name!r}")
    elif _generated(index, name):
        reasons.append(f"a string of the source holds code with {name}")
    return reasons


def _module_openings(index: Index, module: Definition) -> list[str]:
    if module.kind != "module":
        article = "an" if module.kind == "attribute" else "a"
        return [f"{module.name} is {article} {module.kind}"]
    number = module.number[0]
    if number < 0:
        return []
    file = index.file(number)
    if file.unread:
        return [f"{file.path} could not be read"]
    reasons = [f"{module.module} has __getattr__"] if (-1, "__getattr__") in file.children else []
    if -1 in file.sheet["open"]:
        reasons.append(f"{module.module} asks for its globals()")
    stars = [absolute(file, row) for row in file.sheet["imports"] if row[rows.BOUND] == "*"]
    return [*reasons, *(f"{star} is not in the tree" for star in stars if star not in index.modules)]


def _openings(index: Index, cls: Definition) -> list[str]:
    number, row = cls.number
    file = index.file(number)
    reasons = []
    for hook in ("__getattr__", "__getattribute__"):
        if (row, hook) in file.children:
            reasons.append(f"{cls.qualified} has {hook}")
    if row in file.sheet["open"]:
        reasons.append(f"{cls.qualified} sets attributes by computed names")
    for word, value in cls.keywords:
        if word == "**" or (word == "metaclass" and not _among(index, cls, value, METACLASSES)):
            reasons.append(f"{cls.qualified} is made by {value}")
    reasons += [f"{cls.qualified} is decorated by {d}" for d in cls.decorators if not _among(index, cls, d, DECORATORS)]
    return reasons


def _among(index: Index, cls: Definition, written: str, known: Sequence[str] | frozenset[str]) -> bool:
    """Whether a name in a class header is one of those outside of the tree."""
    number, row = cls.number
    file = index.file(number)
    name = written.partition("(")[0].strip()
    meant = resolve(index, file, name, file.sheet["defs"][row][rows.OWNER]) or (f"builtins.{name}",)
    return all(each in known for each in meant)


def _generated(index: Index, name: str) -> bool:
    """Whether a string of the source can be code that defines or sets the name."""
    texts = index.table("texts")
    if "code" not in index.memo:
        whole = [text for text in texts["constants"] if "\n" in text or "def " in text or "=" in text or "." in text]
        index.memo["code"] = "\0".join([*whole, *("\1".join(parts) for parts, _, _ in texts["templates"])])
    code: str = index.memo["code"]
    return name in code and re.search(_GENERATED.format(re.escape(name)), code) is not None
