"""Read a whole tree into sheets and the tables over them, each through a store. Imports and runs nothing of it.

A sheet is kept by its file's content, so one changed file costs one file; the tables are kept by the state of the
whole tree. Losing any of it only costs time.
"""

from __future__ import annotations

import gc
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

from snippetlock.errors import SnippetlockError, TreeError
from snippetlock.index import rows
from snippetlock.index.rows import Sheet
from snippetlock.text import decode, sha256

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Protocol

    from snippetlock.model import Tree
else:
    Protocol = object

__all__ = ["Share", "Store", "Tables", "join", "listing_key", "sheet_at"]

Tables = dict[str, "Any"]
"""By the name of each, `names`, `words`, `texts` and `keys`: each is loaded when it is first asked for."""
_Fault = tuple[str, "int | None"]  # why a file cannot be read, and the line
_File = tuple[str, str, "bytes | None", "_Fault | None"]  # its path, and what `_state` says of it

Share = Callable[[Callable[["Any"], "Any"], Sequence["Any"]], Iterable["Any"]]
"""Has something done with each of many things, by as many processes as may work; what came of it in their order."""

_PAYS = 400_000
"""Bytes of a library from which on it pays to share them: a quarter of a second's work, the processes cost a third."""
_TASKS = 32  # what is shared is cut in: small enough that nobody waits long for the last one
_HELD = 600  # sheets that whoever asks for them next need not load again: some 20 MB
_USUAL = 8_000  # bytes of a file that git knows without reading it

_PYTHON, _DATA = (".py", ".pyi"), (".yaml", ".yml")
_SHEETS = "index-sheets"


class Store(Protocol):
    """Where values that JSON can say are kept by key. None is what was never kept, or is lost."""

    def get(self, kind: str, key: str) -> Any: ...

    def put(self, kind: str, key: str, value: Any) -> None: ...


def listing_key(tree: Tree, stamp: str) -> str:
    """What tells this state of the tree, as this tool reads it, from any other.

    Of a folder every Python and data file is read.
    """
    if tree.identity is not None:
        return _key(stamp, tree.identity)
    return _key(stamp, [[path, _state(tree, path, stamp)[0]] for path in tree.paths()])


def join(tree: Tree, store: Store, stamp: str, key: str, share: Share | None = None) -> tuple[Tables, dict[str, Sheet]]:
    """Read every file, and keep the tables over them under `key`: the tables, and the first sheets by their places.

    A file that cannot be read is in the table `names` with the reason; all else goes on without it. What changes
    while it is read is not kept. With `share` several processes read, and then the tree is held at once.
    """
    joined = _Joined()
    held: dict[str, Sheet] = {}
    states = []
    paths = tree.paths()
    beside = set(paths)

    def read(file: _File) -> Sheet | _Fault | None:
        path, place, data, fault = file
        if fault is not None:
            return fault
        if not place or (path.endswith(".pyi") and path[:-1] in beside):
            return None
        try:
            return _sheet(tree, store, path, place, data)
        except SnippetlockError as refused:
            return refused.what, refused.line

    with _paused():
        files = ((path, *_state(tree, path, stamp)) for path in paths)
        for (path, place, *_), found in _shared(read, files, share):
            states.append([path, place])
            if found is None:
                joined.files.append([path, None])
            elif isinstance(found, tuple):
                joined.skip(path, *found)
            else:
                joined.add(path, place, found)
                if len(held) < _HELD:
                    held[place] = found
    made = joined.tables()
    if tree.identity is not None or _key(stamp, states) == key:
        for table, value in made.items():
            store.put(f"index-{table}", key, value)
    return made, held


def _shared(
    read: Callable[[_File], Sheet | _Fault | None], files: Iterable[_File], share: Share | None
) -> Iterable[tuple[_File, Sheet | _Fault | None]]:
    """Each file with what came of reading it."""
    if share is not None:
        files = list(files)
        if sum(len(data) if data is not None else _USUAL for _, place, data, _ in files if place) >= _PAYS:
            found: list[Any] = [None] * len(files)
            groups = [files[at::_TASKS] for at in range(_TASKS)]
            for at, some in enumerate(share(lambda group: [read(file) for file in group], groups)):
                found[at::_TASKS] = some
            return zip(files, found, strict=True)
    return ((file, read(file)) for file in files)


class _Joined:
    """The tables while they grow."""

    def __init__(self) -> None:
        self.files: list[Any] = []
        self.unread: list[Any] = []
        self.names: dict[str, list[int]] = {}
        self.bound: dict[str, list[int]] = {}
        self.words: dict[str, int] = {}
        self.constants: dict[str, list[int]] = {}
        self.templates: list[Any] = []
        self.holding: list[Any] = []
        self.keys: dict[str, list[int]] = {}

    def skip(self, path: str, why: str, line: int | None) -> None:
        """Note a file that cannot be read."""
        self.files.append([path, None])
        self.unread.append([path, why, line])

    def add(self, path: str, place: str, sheet: Sheet) -> None:
        """Note what a file has."""
        number = len(self.files)
        self.files.append([path, place])
        for table, found in (
            (self.names, {row[rows.NAME] for row in sheet["defs"]}),
            (self.bound, {row[rows.BOUND] for row in sheet["imports"]}),
            (self.keys, {row[1] for row in sheet["keys"]}),
            (self.constants, {row[rows.PARTS][0] for row in sheet["texts"] if len(row[rows.PARTS]) == 1}),
        ):
            for name in found:
                table.setdefault(name, []).append(number)
        for word, how in sheet["words"].items():
            self.words[word] = self.words.get(word, 0) | how
        parts = ((at, row[rows.PARTS]) for at, row in enumerate(sheet["texts"]))
        self.templates += ([part, number, at] for at, part in parts if len(part) > 1)
        self.holding += ([number, at, row[rows.HELD]] for at, row in enumerate(sheet["texts"]) if len(row) > rows.HELD)

    def tables(self) -> Tables:
        """All of them, sorted, so that what is kept does not depend on chance."""
        names, bound, words, keys, constants = (
            dict(sorted(table.items())) for table in (self.names, self.bound, self.words, self.keys, self.constants)
        )
        return {
            "names": {"files": self.files, "unread": self.unread, "names": names, "bound": bound},
            "words": words,
            "texts": {"constants": constants, "templates": self.templates, "holding": self.holding},
            "keys": keys,
        }


def sheet_at(tree: Tree, store: Store, stamp: str, path: str, place: str) -> Sheet:
    """The sheet that the tables say is kept at `place`; read anew where it is lost.

    Raises `TreeError` where the file is another one by now.
    """
    kept = _kept(store, place)
    if kept is None:
        now, data = _content(tree, path, stamp)
        if now != place:
            raise TreeError("it changed while it was read", path=path, mend="run the command again")
        kept = _sheet(tree, store, path, place, data)
    return kept


def _state(tree: Tree, path: str, stamp: str) -> tuple[str, bytes | None, _Fault | None]:
    """What tells one content of a file from another, nothing for one that says nothing to us; its bytes; or why not."""
    if not path.endswith(_PYTHON + _DATA):
        return "", None, None
    try:
        return *_content(tree, path, stamp), None
    except SnippetlockError as error:
        return error.what, None, (error.what, error.line)


def _content(tree: Tree, path: str, stamp: str) -> tuple[str, bytes | None]:
    """Where a file's sheet is kept, and its bytes if they had to be read to tell.

    An object of git has a name without being read.
    """
    blob = getattr(tree, "blob_id", None)
    known = blob(path) if blob is not None else None
    kind = _suffix(path)
    if known:
        return _key(stamp, [kind, f"git:{known}"]), None
    data = tree.read(path)
    return _key(stamp, [kind, sha256(data)]), data


def _kept(store: Store, place: str) -> Sheet | None:
    """A sheet of our form from the store."""
    kept: Sheet | None = store.get(_SHEETS, place)
    return kept if isinstance(kept, dict) and kept.keys() == rows.empty().keys() else None


def _sheet(tree: Tree, store: Store, path: str, place: str, data: bytes | None) -> Sheet:
    kept = _kept(store, place)
    if kept is None:
        data = tree.read(path) if data is None else data
        if path.endswith(_DATA):
            kept = _data_sheet(data, path)
        else:
            from snippetlock.index.harvest import harvest  # and `ast`: not where everything is kept

            kept = harvest(decode(data, path, python=True), path)
        store.put(_SHEETS, place, kept)
    return kept


def _data_sheet(data: bytes, path: str) -> Sheet:
    """The keys of a YAML file as (number of the key above or -1, key, line); an item of a sequence is its number."""
    from snippetlock.select.keys import keys

    return rows.empty() | {"keys": keys(data, path)}


def _suffix(path: str) -> str:
    return f".{path.rpartition('.')[2]}"


def _key(stamp: str, value: object) -> str:
    return sha256(json.dumps([rows.LAYOUT, stamp, value], ensure_ascii=True))


@contextmanager
def _paused() -> Iterator[None]:
    """No looking for rings among the nodes of syntax trees: there are none, and a million nodes to look at."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()
