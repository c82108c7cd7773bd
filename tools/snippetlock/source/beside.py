"""The examples of a docs project under their paths in it, alone or beside the library's files."""

from __future__ import annotations

from pathlib import Path

from snippetlock.errors import TreeError
from snippetlock.model import Tree
from snippetlock.source.door import LARGEST, missing
from snippetlock.source.folder import FolderTree

__all__ = ["Beside", "Own"]


class Own:
    """A folder of the project as a tree whose paths begin with `prefix`, the folder's path in it with a slash behind.

    What lies there changes under us, so there is no identity. Where there is no such folder, nothing is there.
    """

    identity = None

    def __init__(self, folder: Path, prefix: str, *, limit: int = LARGEST) -> None:
        self.prefix = prefix
        self._folder = FolderTree(folder, limit=limit) if folder.is_dir() else None

    def read(self, path: str) -> bytes:
        if self._folder is None or not self.has(path):
            raise missing(path, self.paths())
        try:
            return self._folder.read(path[len(self.prefix) :])
        except TreeError as error:
            raise TreeError(error.what, path=path, mend=error.mend) from error

    def has(self, path: str) -> bool:
        return path.startswith(self.prefix) and self._folder is not None and self._folder.has(path[len(self.prefix) :])

    def paths(self) -> tuple[str, ...]:
        return tuple(self.prefix + path for path in self._folder.paths()) if self._folder else ()


class Beside:
    """The library as a tree, with the project's own files laid over the paths that begin as theirs do."""

    identity = None

    def __init__(self, library: Tree, own: Own) -> None:
        self._library = library
        self._own = own

    def read(self, path: str) -> bytes:
        return self._of(path).read(path)

    def has(self, path: str) -> bool:
        return self._of(path).has(path)

    def paths(self) -> tuple[str, ...]:
        return (*self._library.paths(), *self._own.paths())

    def _of(self, path: str) -> Tree:
        return self._own if path.startswith(self._own.prefix) else self._library
