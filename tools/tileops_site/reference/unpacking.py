"""Lays the pinned library's Python files into a folder: mkdocstrings reads files, and a wheel has none.

Nothing of them is imported or run there.
"""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from snippetlock.errors import PinError
from snippetlock.lock import exclusive
from snippetlock.model import Tree


def unpack(tree: Tree, folder: Path) -> bool:
    """Make the folder hold the tree's Python files and no others; returns whether there was anything to do.

    It is there whole or as it was: the files are written beside it and moved, by one process at a time, and what a
    killed one left there goes. A folder that holds just these files is left alone, for another build may be reading
    it. Raises `PinError` when the folder cannot be written, `LockError` when another process is at it for too long.
    """
    files = {path: tree.read(path) for path in tree.paths() if path.endswith(".py")}
    if _holds(folder, files):
        return False
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        if not os.access(folder.parent, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        with exclusive(folder):
            if _holds(folder, files):  # another build was faster
                return False
            for left in folder.parent.glob(f".{folder.name}.*.tmp"):
                shutil.rmtree(left, ignore_errors=True)
            _lay(files, folder)
    except OSError as error:
        raise _unwritable(folder, error) from error
    return True


def _holds(folder: Path, files: Mapping[str, bytes]) -> bool:
    there = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if not path.is_dir()}
    try:
        return there.keys() == files.keys() and all(path.read_bytes() == files[name] for name, path in there.items())
    except OSError:
        return False


def _lay(files: Mapping[str, bytes], folder: Path) -> None:
    draft, old = (Path(tempfile.mkdtemp(prefix=f".{folder.name}.", suffix=".tmp", dir=folder.parent)) for _ in "12")
    try:
        for path, data in files.items():
            (draft / path).parent.mkdir(parents=True, exist_ok=True)
            (draft / path).write_bytes(data)
        if os.path.lexists(folder):
            os.replace(folder, old / folder.name)
        os.replace(draft, folder)
    finally:
        for each in (draft, old):
            shutil.rmtree(each, ignore_errors=True)


def _unwritable(folder: Path, error: OSError) -> PinError:
    what = f"the library cannot be laid out for the API reference: {error.strerror or error}"
    return PinError(what, path=folder.name, mend="make the folder above it writable")
