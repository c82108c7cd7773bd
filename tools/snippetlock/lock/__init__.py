"""The lock file: what was accepted, a snippet an entry. Compares nothing with the tree."""

from __future__ import annotations

from pathlib import Path

from snippetlock.errors import LockError, SourceError
from snippetlock.lock.entries import FORMAT, Entry, Lock, Move
from snippetlock.lock.form import dump_lock, parse_lock
from snippetlock.lock.guard import exclusive, replace_file
from snippetlock.lock.lines import MEND
from snippetlock.reading import read_file
from snippetlock.text import decode, normalise

__all__ = [
    "FORMAT",
    "Entry",
    "Lock",
    "Move",
    "dump_lock",
    "exclusive",
    "read_lock",
    "replace_file",
    "says",
    "write_lock",
]


def read_lock(path: Path) -> Lock | None:
    """The lock in a file, or None when there is none. Raises `LockError` for one that cannot be read."""
    name = f"{path.parent.name}/{path.name}"
    try:
        return parse_lock(decode(read_file(path), name, python=False), name)
    except FileNotFoundError:
        return None
    except OSError as error:
        mend = "put the lock file there, or nothing"
        raise LockError(f"the lock cannot be read: {error.strerror}", path=name, mend=mend) from error
    except SourceError as error:
        raise LockError(error.what, path=name, line=error.line, mend=MEND) from error


def says(path: Path, lock: Lock) -> bool:
    """Whether the file says this already, whatever version control made of its line ends. Raises OSError."""
    return path.is_file() and normalise(path.read_bytes().decode("utf-8", "replace")) == dump_lock(lock)


def write_lock(path: Path, lock: Lock) -> bool:
    """Write the lock whole or not at all; False when the file already says so and was left alone.

    Line ends that version control changed are no reason to write. Raises `LockError` when it cannot be written;
    the old lock is then as it was. Call it inside `exclusive`.
    """
    try:
        if says(path, lock):
            return False
        replace_file(path, dump_lock(lock).encode("utf-8"))
    except OSError as error:
        name = f"{path.parent.name}/{path.name}"
        mend = "make the file and its folder writable, and see that the disk has room"
        raise LockError(f"the lock cannot be written: {error.strerror}", path=name, mend=mend) from error
    return True
