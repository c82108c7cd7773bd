"""What a name can mean: from a place in a file, or from nowhere in particular, as prose says it.

A name that leads out of the tree is told as the dotted name it has there (`torch.Tensor`), because then what it is
and has cannot be known here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from snippetlock.index import rows
from snippetlock.index.index import File, Index, module_of
from snippetlock.index.rows import Row
from snippetlock.index.shapes import Definition

__all__ = ["Meaning", "absolute", "callee", "follow", "lookup", "outside", "resolve", "within"]

Meaning = Definition | str
_LONGEST = 50  # imports or aliases in a row: more is no re-export
_RECEIVERS = ("self", "cls")
_PARTS = 50  # of a dotted name: one of more names nothing


def lookup(index: Index, name: str) -> tuple[Definition, ...]:
    """Every definition that a bare or dotted name can mean, in exactly this case; what functions hide comes last.

    `pkg.mod.Class.member` is followed through re-exports and base classes, and so is what begins anywhere further
    in: `mod.Class`, `Class.member`. `self.member` is the member of any class. A colon is read as a dot.
    """
    known = index.memo.setdefault("lookup", {})
    if name not in known:
        parts = name.replace(":", ".").split(".")
        found = _looked_up(index, parts) if all(parts) and len(parts) <= _PARTS else []
        unique = {each.number if each.qualified else each.module: each for each in found}
        known[name] = tuple(sorted(unique.values(), key=lambda each: (each.local, each.path, each.line)))
    result: tuple[Definition, ...] = known[name]
    return result


def _looked_up(index: Index, parts: list[str]) -> list[Definition]:
    first, rest = parts[0], parts[1:]
    if first in _RECEIVERS and rest:
        members = [each for each in index.named(rest[0]) if _is_member(index, each)]
        return _definitions(_chain(index, members, rest[1:]))
    if first in index.modules:  # the name of a package of the tree, or of a module at its top
        found = _definitions(_absolute(index, parts))
        if found:
            return found
    meant: list[Meaning] = []
    for cut in range(len(parts), 0, -1):
        end = ".".join(parts[:cut])
        for module in index.tails.get(parts[cut - 1], ()):
            if module == end or module.endswith(f".{end}"):
                meant += _chain(index, [index.module(module)], parts[cut:])
    meant += _chain(index, index.named(first), rest)
    return _definitions(meant)


def _definitions(found: Iterable[Meaning | None]) -> list[Definition]:
    return [each for each in found if isinstance(each, Definition)]


def _is_member(index: Index, definition: Definition) -> bool:
    number, row = definition.number
    file = index.file(number)
    owner = file.sheet["defs"][row][rows.OWNER]
    return bool(owner >= 0 and file.sheet["defs"][owner][rows.KIND] == "c")


def _absolute(index: Index, parts: list[str]) -> list[Meaning]:
    """What a name means that begins with a package: modules on the way, then what is in them."""
    found: list[Meaning] = []
    for cut in range(len(parts), 0, -1):
        module = index.module(".".join(parts[:cut]))
        if module is not None:
            found += _chain(index, [module], parts[cut:])
    return found


def _chain(index: Index, targets: Iterable[Meaning | None], names: list[str]) -> list[Meaning]:
    """What the names mean, each a member of what the one before it means."""
    found = [target for target in targets if target is not None]
    for name in names:
        found = [inner for target in found for inner in within(index, target, name)]
    return found


def within(index: Index, target: Meaning, name: str) -> tuple[Meaning, ...]:
    """What `name` means as an attribute of something."""
    if isinstance(target, str):
        return (f"{target}.{name}",)
    target = follow(index, target)
    number, row = target.number
    if target.kind == "module":
        found = in_module(index, index.file(number), name) if number >= 0 else ()
        below = index.module(f"{target.module}.{name}")
        return found or ((below,) if below is not None else ())
    if target.kind == "class":
        from snippetlock.index.ancestry import member

        return member(index, target, name)
    if target.kind == "function":
        return index.inside(index.file(number), row, name)
    return ()


def follow(index: Index, definition: Definition) -> Definition:
    """What an attribute that is only another name for something (`Public = _impl.Private`) stands for; else itself."""
    for _ in range(_LONGEST):
        value = definition.value
        if definition.kind != "attribute" or definition.setter or not value:
            break
        if not value.replace(".", "").isidentifier() or value == definition.name:
            break
        number, row = definition.number
        file = index.file(number)
        found = _definitions(resolve(index, file, value, file.sheet["defs"][row][rows.OWNER]))
        if not found or found[0].number == definition.number:
            break
        definition = found[0]
    return definition


def callee(index: Index, definition: Definition) -> Definition:
    """What is called by a name: what that stands for, but a method under a module's own name as it stands there.

    `burn = Oven.fire` binds no instance, and `signature` must see that.
    """
    meant = follow(index, definition)
    unbound = definition.kind == "attribute" and not definition.owner and meant.kind == "function" and meant.owner
    return definition if unbound else meant


def resolve(index: Index, file: File, name: str, scope: int = -1) -> tuple[Meaning, ...]:
    """What a dotted name means where a row of the file is written, -1 for the module; nothing for what is unknown."""
    key = ("resolve", file.number, name, scope)
    if key not in index.memo:
        index.memo[key] = ()  # while we look: a name that leads to itself means nothing
        first, *rest = name.split(".")
        index.memo[key] = tuple(_chain(index, _in_scope(index, file, first, scope), rest))
    found: tuple[Meaning, ...] = index.memo[key]
    return found


def _in_scope(index: Index, file: File, name: str, scope: int) -> tuple[Meaning, ...]:
    while scope >= 0:
        found: list[Meaning] = list(index.inside(file, scope, name))
        for row in _imports(file, name, scope):
            found += _follow_import(index, file, row, set())
        if found:
            return tuple(found)
        scope = file.sheet["defs"][scope][rows.OWNER]
    return in_module(index, file, name)


def _imports(file: File, name: str, scope: int) -> Iterator[Row]:
    return (row for row in file.sheet["imports"] if row[rows.BOUND] == name and row[rows.INSIDE] == scope)


def in_module(index: Index, file: File, name: str) -> tuple[Meaning, ...]:
    """What a name means in a module: defined there, imported, brought by a star, or a module below."""
    key = ("module", file.number, name)
    if key not in index.memo:
        index.memo[key] = _bound(index, file, name, set(), 0) or ()
    found: tuple[Meaning, ...] = index.memo[key]
    return found


def _bound(index: Index, file: File, name: str, seen: set[tuple[int, str]], depth: int) -> tuple[Meaning, ...] | None:
    """The same, on the way through imports; None where they lead in a circle or on and on."""
    if (file.number, name) in seen or depth > _LONGEST:
        return None
    seen.add((file.number, name))
    found: list[Meaning] = list(index.inside(file, -1, name))
    for row in _imports(file, name, -1):
        found += _follow_import(index, file, row, seen, depth)
    if not found:
        for row in _imports(file, "*", -1):
            number = index.modules.get(absolute(file, row), -1)
            if number >= 0 and _brings(index.file(number), name):
                found += _bound(index, index.file(number), name, seen, depth + 1) or ()
    if not found and file.package:
        below = index.module(f"{module_of(file.path)}.{name}")
        found += [below] if below is not None else []
    return tuple(dict.fromkeys(found))


def _follow_import(
    index: Index, file: File, row: Row, seen: set[tuple[int, str]], depth: int = 0
) -> tuple[Meaning, ...]:
    source, attribute = absolute(file, row), row[rows.ATTRIBUTE]
    module = index.module(source)
    if not attribute:
        return (module if module is not None else source,)
    if module is not None and module.number[0] >= 0:
        found = _bound(index, index.file(module.number[0]), attribute, seen, depth + 1)
        if found is None or found:
            return found or ()
    below = index.module(f"{source}.{attribute}")
    return (below if below is not None else f"{source}.{attribute}",)


def _brings(file: File, name: str) -> bool:
    """Whether a star import of a file may bring a name."""
    listed = file.sheet["all"]
    if listed is None:
        return not name.startswith("_")
    return name in listed[0] or not listed[1]


def absolute(file: File, row: Row) -> str:
    """The full name of the module that an import row names; one that leaves the tree keeps its dots."""
    level, source = int(row[rows.LEVEL]), str(row[rows.SOURCE])
    if not level:
        return source
    above = module_of(file.path).split(".")
    cut = len(above) - (level - file.package)
    if cut <= 0:
        return "." * level + source
    return ".".join([*above[:cut], *([source] if source else [])])


def outside(index: Index, name: str) -> tuple[str, ...]:
    """The names outside of the tree that a bare name is imported from, anywhere in it: `Tensor` is `torch.Tensor`."""
    found: dict[str, None] = {}
    for number in index.table("names")["bound"].get(name, ()):
        file = index.file(number)
        for row in file.sheet["imports"]:
            if row[rows.BOUND] == name:
                found |= dict.fromkeys(
                    each for each in _follow_import(index, file, row, set()) if isinstance(each, str)
                )
    return tuple(found)
