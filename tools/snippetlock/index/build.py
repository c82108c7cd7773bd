"""Read a whole tree into sheets and the tables over them, each through a store. Imports and runs nothing of it.

A sheet is kept by its file's content, so one changed file costs one file; the tables are kept by the state of the
whole tree. Losing any of it only costs time.
"""

from __future__ import annotations

import gc
import json
from collections.abc import Iterator
from contextlib import contextmanager

from snippetlock.errors import SnippetlockError
from snippetlock.index import rows
from snippetlock.index.rows import Sheet
from snippetlock.text import decode, sha256

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Protocol

    from snippetlock.model import Tree
else:
    Protocol = object

__all__ = ["TABLES", "Store", "Tables", "join", "listing_key", "sheet_at"]

Tables = dict[str, "Any"]
TABLES = ("names", "words", "texts", "keys")
"""The tables, each loaded when it is first asked for."""

_PYTHON, _DATA = (".py", ".pyi"), (".yaml", ".yml")
_SHEETS = "index-sheets"


class Store(Protocol):
    """Where values that JSON can say are kept by key. None is what was never kept, or is lost."""

    def get(self, kind: str, key: str) -> Any: ...

    def put(self, kind: str, key: str, value: Any) -> None: ...


def listing_key(tree: Tree, stamp: str) -> str:
    """What tells this state of the tree, as this tool reads it, from any other. Of a folder it reads every file."""
    if tree.identity is not None:
        return _key(stamp, tree.identity)
    return _key(stamp, [[path, _state(tree, path, stamp)] for path in tree.paths()])


def join(tree: Tree, store: Store, stamp: str, key: str) -> Tables:
    """Read every file, and keep the tables over them under `key`.

    A file that cannot be read is in the table `names` with the reason; all else goes on without it.
    """
    names: dict[str, list[int]] = {}
    bound: dict[str, list[int]] = {}
    words: dict[str, int] = {}
    constants: dict[str, list[int]] = {}
    keys: dict[str, list[int]] = {}
    templates: list[Any] = []
    files: list[Any] = []
    unread: list[Any] = []
    paths = tree.paths()
    beside = set(paths)
    with _paused():
        for path in paths:
            kind = _suffix(path)
            if kind not in _PYTHON + _DATA or (kind == ".pyi" and path[:-1] in beside):
                files.append([path, None])
                continue
            try:
                place, data = _content(tree, path, stamp)
                sheet = _sheet(tree, store, path, place, data)
            except SnippetlockError as error:
                files.append([path, None])
                unread.append([path, error.what, error.line])
                continue
            number = len(files)
            files.append([path, place])
            for name in {row[rows.NAME] for row in sheet["defs"]}:
                names.setdefault(name, []).append(number)
            for name in {row[rows.BOUND] for row in sheet["imports"]}:
                bound.setdefault(name, []).append(number)
            for word, how in sheet["words"].items():
                words[word] = words.get(word, 0) | how
            for name in {row[1] for row in sheet["keys"]}:
                keys.setdefault(name, []).append(number)
            for at, row in enumerate(sheet["texts"]):
                parts = row[rows.PARTS]
                if len(parts) == 1:
                    held = constants.setdefault(parts[0], [])
                    if not held or held[-1] != number:
                        held.append(number)
                else:
                    templates.append([parts, number, at])
    made: Tables = {
        "names": {"files": files, "unread": unread, "names": names, "bound": bound},
        "words": words,
        "texts": {"constants": constants, "templates": templates},
        "keys": keys,
    }
    for table, value in made.items():
        store.put(f"index-{table}", key, value)
    return made


def sheet_at(tree: Tree, store: Store, path: str, place: str) -> Sheet:
    """The sheet that the tables say is kept at `place`; read anew where it is lost."""
    return _sheet(tree, store, path, place, None)


def _state(tree: Tree, path: str, stamp: str) -> str:
    """What tells one content of a file from another; of one that says nothing to us, that it is there."""
    if not path.endswith(_PYTHON + _DATA):
        return ""
    try:
        return _content(tree, path, stamp)[0]
    except SnippetlockError as error:
        return error.what


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


def _sheet(tree: Tree, store: Store, path: str, place: str, data: bytes | None) -> Sheet:
    kept = store.get(_SHEETS, place)
    if not isinstance(kept, dict) or kept.keys() != rows.empty().keys():
        data = tree.read(path) if data is None else data
        if path.endswith(_DATA):
            kept = _data_sheet(data, path)
        else:
            from snippetlock.index.harvest import harvest  # and `ast`: not where everything is kept

            kept = harvest(decode(data, path, python=True), path)
        store.put(_SHEETS, place, kept)
    sheet: Sheet = kept
    return sheet


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
