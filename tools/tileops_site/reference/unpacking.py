"""Lays the pinned library's Python files into a folder: mkdocstrings reads files, and a wheel has none.

Nothing of them is imported or run there.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from snippetlock.errors import PinError
from snippetlock.model import Tree

_MARK = ".pin"  # says of which state the folder's files are


def unpack(tree: Tree, folder: Path) -> bool:
    """Make the folder hold the tree's Python files and no others; returns whether there was anything to do.

    It is there whole or as it was: the files are written beside it and moved. One that holds the same state is left
    alone, but a tree that can change under us is laid out anew. Raises `PinError` when the folder cannot be written.
    """
    mark = tree.identity or ""
    if mark and _read(folder / _MARK) == mark:
        return False
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        draft = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", suffix=".tmp", dir=folder.parent))
    except OSError as error:
        raise _unwritable(folder, error) from error
    try:
        for path in tree.paths():
            if path.endswith(".py"):
                (draft / path).parent.mkdir(parents=True, exist_ok=True)
                (draft / path).write_bytes(tree.read(path))
        (draft / _MARK).write_text(mark, encoding="utf-8")
        shutil.rmtree(folder, ignore_errors=True)
        os.replace(draft, folder)
    except OSError as error:
        raise _unwritable(folder, error) from error
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return True


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""


def _unwritable(folder: Path, error: OSError) -> PinError:
    what = f"the library cannot be laid out for the API reference: {error.strerror or error}"
    return PinError(what, path=folder.name, mend="make the folder above it writable")
