"""The index of one state of a library, opened: tables and sheets are loaded when something asks for them."""

from __future__ import annotations

from collections.abc import Iterable

from snippetlock.index import rows
from snippetlock.index.build import Share, Store, Tables, join, listing_key, sheet_at
from snippetlock.index.rows import Row
from snippetlock.index.shapes import PARAMETER_KINDS, Definition, Keys, Parameter

TYPE_CHECKING = False  # as `typing` has it; what is only for annotations costs as much as all the rest of a lookup
if TYPE_CHECKING:
    from typing import Any

    from snippetlock.index.said import Text, Unread
    from snippetlock.model import Tree

__all__ = ["File", "Index", "open_index"]


class File:
    """A Python or data file of the index, its sheet in hand."""

    __slots__ = ("called", "children", "number", "path", "sheet", "unread")

    def __init__(self, number: int, path: str, sheet: rows.Sheet | None) -> None:
        self.number = number
        self.path = path
        self.unread = sheet is None
        self.sheet = sheet = sheet or rows.empty()
        self.called: dict[str, list[int]] = {}
        self.children: dict[tuple[int, str], list[int]] = {}
        for at, row in enumerate(sheet["defs"]):
            self.called.setdefault(row[rows.NAME], []).append(at)
            self.children.setdefault((row[rows.OWNER], row[rows.NAME]), []).append(at)

    @property
    def package(self) -> bool:
        """Whether it is the `__init__` of a package."""
        return self.path.rpartition("/")[2].partition(".")[0] == "__init__"


class Index:
    """Everything that is known of one state. Not for two threads at once.

    `modules` are the Python files by dotted name, -1 for a folder that has none of its own.
    """

    def __init__(self, tree: Tree, store: Store, stamp: str, share: Share | None = None) -> None:
        self.tree = tree
        self._store = store
        self._stamp = stamp
        self._share = share
        self._key = listing_key(tree, stamp)
        self._tables: Tables = {}
        self._sheets: dict[str, rows.Sheet] = {}  # in hand since they were made, until they are asked for
        self._files: dict[int, File] = {}
        self._definitions: dict[tuple[int, int], Definition] = {}
        self.memo: dict[Any, Any] = {}  # what other modules found out: by their own keys
        self.modules: dict[str, int] = {}
        self.tails: dict[str, list[str]] = {}
        for number, (path, place) in enumerate(self.table("names")["files"]):
            if path.endswith(".py") or (path.endswith(".pyi") and place is not None):
                self._add_module(module_of(path), number)

    def table(self, name: str) -> Any:
        """A table. One that is lost is made again, with all others."""
        if name not in self._tables:
            found = self._store.get(f"index-{name}", self._key)
            if found is None:
                self._tables, self._sheets = join(self.tree, self._store, self._stamp, self._key, self._share)
            else:
                self._tables[name] = found
        return self._tables[name]

    @property
    def unread(self) -> tuple[Unread, ...]:
        """The files that could not be read: what they define is not in the index."""
        from snippetlock.index.said import Unread

        return tuple(Unread(path=path, why=why, line=line) for path, why, line in self.table("names")["unread"])

    @property
    def paths(self) -> tuple[str, ...]:
        """Every file of the tree, sorted."""
        return tuple(path for path, _ in self.table("names")["files"])

    @property
    def names(self) -> dict[str, list[int]]:
        """The files that define each bare name."""
        found: dict[str, list[int]] = self.table("names")["names"]
        return found

    def file(self, number: int) -> File:
        """The file of this number, without anything in it if it could not be read."""
        if number not in self._files:
            path, place = self.table("names")["files"][number]
            sheet = self._sheets.pop(place, None)
            if sheet is None and place is not None:
                sheet = sheet_at(self.tree, self._store, self._stamp, path, place)
            self._files[number] = File(number, path, sheet)
        return self._files[number]

    def definition(self, file: File, number: int) -> Definition:
        """The definition of this row."""
        key = (file.number, number)
        if key not in self._definitions:
            self._definitions[key] = _definition(file, number)
        return self._definitions[key]

    def inside(self, file: File, owner: int, name: str) -> tuple[Definition, ...]:
        """What is called `name` directly inside a row, or in the module itself for -1."""
        return tuple(self.definition(file, at) for at in file.children.get((owner, name), ()))

    def named(self, name: str) -> tuple[Definition, ...]:
        """Every definition with this bare name, modules aside."""
        found = []
        for number in self.names.get(name, ()):
            file = self.file(number)
            found += [self.definition(file, at) for at in file.called.get(name, ())]
        return tuple(found)

    def module(self, name: str) -> Definition | None:
        """The module or package of this dotted name."""
        if name not in self.modules:
            return None
        number = self.modules[name]
        path = self.table("names")["files"][number][0] if number >= 0 else name.replace(".", "/")
        return Definition(
            kind="module", module=name, qualified="", path=path, line=1, last=1, number=(number, -1)
        )  # fmt: skip

    def text(self, file: File, number: int) -> Text:
        """The text of this row."""
        from snippetlock.index.said import Text

        parts, line, scope, role, name = file.sheet["texts"][number][: rows.HELD]
        within = qualified(file, scope) if scope >= 0 else ""
        return Text(parts=tuple(parts), path=file.path, line=line, role=role, name=name, within=within)

    def _add_module(self, name: str, number: int) -> None:
        if self.modules.get(name, -1) < 0 or self.paths[number].rpartition("/")[2].startswith("__init__."):
            if name not in self.modules:
                self.tails.setdefault(name.rpartition(".")[2], []).append(name)
            self.modules[name] = number
        above = name.rpartition(".")[0]
        if above and above not in self.modules:
            self._add_module(above, -1)


def open_index(tree: Tree, store: Store, stamp: str, share: Share | None = None) -> Index:
    """The index of a tree, from the store or built anew and kept there.

    `stamp` tells one version of this tool, and of Python, from another. With `share` several processes read it. A file
    that cannot be read is in `unread`. Who asks the index of a folder can get a `TreeError` when it changes meanwhile.
    """
    return Index(tree, store, stamp, share)


def module_of(path: str) -> str:
    """The dotted name that a Python file is imported by."""
    base = path.rpartition(".")[0]
    return base.removesuffix("/__init__").replace("/", ".")


def qualified(file: File, number: int) -> str:
    """The qualified name of a row."""
    words: list[str] = []
    while number >= 0:
        row = file.sheet["defs"][number]
        if words and row[rows.KIND] == "f":
            words.append("<locals>")
        words.append(row[rows.NAME])
        number = row[rows.OWNER]
    return ".".join(reversed(words))


def _definition(file: File, number: int) -> Definition:
    row: Row = file.sheet["defs"][number]
    kind, _, _, line, last, flags, decorators, a, b, c = row[:10]
    path, common = file.path, {"decorators": tuple(decorators), "number": (file.number, number)}
    place: dict[str, Any] = {"module": module_of(path), "qualified": qualified(file, number), "path": path}
    place |= {"line": line, "last": last, **common}
    if kind == "c":
        return Definition(kind="class", bases=tuple(a), keywords=tuple(map(_pair, b)), **place)
    if kind == "f":
        return Definition(
            kind="function",
            parameters=tuple(_parameters(a)),
            returns=b,
            asynchronous=bool(flags & rows.ASYNC),
            raises=tuple(dict.fromkeys(c[0])),
            **place,
        )
    setter = qualified(file, row[rows.D]) if kind == "i" else ""
    keys = Keys(names=tuple(c[0]), complete=c[1]) if c is not None else None
    return Definition(kind="attribute", annotation=a, value=b, keys=keys, setter=setter, **place)


def _pair(row: Row) -> tuple[str, str]:
    return row[0], row[1]


def _parameters(parameters: Iterable[Row]) -> Iterable[Parameter]:
    for name, kind, default, annotation in parameters:
        yield Parameter(name=name, kind=PARAMETER_KINDS[kind], default=default, annotation=annotation)
