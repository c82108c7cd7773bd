"""A tree that is a folder: a developer's own checkout, which can change under us."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from snippetlock.errors import PinError, TreeError
from snippetlock.source.door import LARGEST, check, missing, too_large, unsafe
from snippetlock.source.notice import is_notice

_SKIPPED = frozenset({"__pycache__", "node_modules"})  # left out of `paths`, with every name that starts with a dot


def packages_folder(folder: Path, below: str) -> Path:
    """The folder that holds the packages: of a whole checkout, the repository's root `below` it."""
    return folder / below if below and (folder / below).is_dir() else folder


class FolderTree:
    """Files below `folder`, the one that holds the packages.

    A symbolic link that ends inside the folder is followed; one that ends outside is refused, and so is
    everything that is not a regular file. Raises `PinError` when the folder is none.
    """

    identity = None

    def __init__(self, folder: Path, *, limit: int = LARGEST, where: str = "") -> None:
        real = os.path.realpath(folder)
        if not os.path.isdir(real):
            what = "is not a folder" if os.path.exists(real) else "does not exist"
            mend = "set `folder` in the pin to the checkout"
            raise PinError(f"the pinned folder {what}: {folder}", path=where, mend=mend)
        self.folder = folder
        self._root = real
        self._limit = limit

    def read(self, path: str) -> bytes:
        check(path)
        real = self._inside(path)
        try:
            if not stat.S_ISREG(os.stat(real).st_mode):  # before opening: a FIFO would keep us waiting
                raise TreeError("refused: not a regular file", path=path, mend="quote from a file")
            with open(real, "rb") as file:
                data = file.read(self._limit + 1)
        except (FileNotFoundError, NotADirectoryError) as error:
            if os.path.islink(os.path.join(self._root, path)):
                raise TreeError("a link to nothing", path=path, mend="mend the link in the folder") from error
            raise missing(path, self.paths()) from error
        except OSError as error:
            raise TreeError(f"cannot be read: {error.strerror}", path=path, mend="make the file readable") from error
        if len(data) > self._limit:
            raise too_large(path, os.stat(real).st_size, self._limit)
        return data

    def has(self, path: str) -> bool:
        """Also true for what `read` refuses with a reason: a link that leaves the folder is not "no such file"."""
        if unsafe(path):
            return False
        full = os.path.join(self._root, path)
        return os.path.lexists(full) and not os.path.isdir(full)

    def paths(self) -> tuple[str, ...]:
        return tuple(sorted(self._walk()))

    def notices(self) -> tuple[tuple[str, bytes], ...]:
        """The licence files at the top of the folder, else of the one above (a checkout's `src`)."""
        for root in (Path(self._root), Path(self._root).parent):
            names = sorted(entry.name for entry in os.scandir(root) if is_notice(entry.name) and entry.is_file())
            if names:
                tree = FolderTree(root, limit=self._limit)
                return tuple((name, tree.read(name)) for name in names)
        return ()

    def _inside(self, path: str) -> str:
        """The real place of a file; refused when a link on the way leads out of the folder."""
        real = os.path.realpath(os.path.join(self._root, path))
        if not Path(real).is_relative_to(self._root):
            mend = "put the file itself in its place"
            raise TreeError("refused: a link that leaves the folder", path=path, mend=mend)
        return real

    def _walk(self) -> Iterator[str]:
        for folder, folders, files in os.walk(self._root):
            folders[:] = sorted(name for name in folders if name not in _SKIPPED and not name.startswith("."))
            below = os.path.relpath(folder, self._root).replace(os.sep, "/")
            prefix = "" if below == "." else below + "/"
            yield from (prefix + name for name in files if not name.startswith("."))
