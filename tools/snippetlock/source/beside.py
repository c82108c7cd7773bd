"""The library's files, and beside them the examples of the docs project itself, under their paths in the project."""

from __future__ import annotations

from pathlib import Path

from snippetlock.errors import TreeError
from snippetlock.model import Tree
from snippetlock.source.door import LARGEST, missing
from snippetlock.source.folder import FolderTree

__all__ = ["Beside"]


class Beside:
    """The library as a tree, with a folder of the project laid over the paths that begin with `prefix`.

    `prefix` is that folder's path in the project, a slash behind it. What lies there changes under us, so there is
    no identity, whatever the library's is. Where there is no such folder, no path below `prefix` is there.
    """

    identity = None

    def __init__(self, library: Tree, folder: Path, prefix: str, *, limit: int = LARGEST) -> None:
        self._library = library
        self._own = FolderTree(folder, limit=limit) if folder.is_dir() else None
        self._prefix = prefix

    def read(self, path: str) -> bytes:
        if not path.startswith(self._prefix):
            return self._library.read(path)
        inner = path[len(self._prefix) :]
        if self._own is None or not self._own.has(inner):
            raise missing(path, self._examples())
        try:
            return self._own.read(inner)
        except TreeError as error:
            raise TreeError(error.what, path=path, mend=error.mend) from error

    def has(self, path: str) -> bool:
        if not path.startswith(self._prefix):
            return self._library.has(path)
        return self._own is not None and self._own.has(path[len(self._prefix) :])

    def paths(self) -> tuple[str, ...]:
        return (*self._library.paths(), *self._examples())

    def _examples(self) -> tuple[str, ...]:
        return tuple(self._prefix + path for path in self._own.paths()) if self._own else ()
