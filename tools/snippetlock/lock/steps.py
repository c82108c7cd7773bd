"""What a change of several files is to do, and the journal that says all of it. Writes no other file.

A journal is data that somebody else may have put there. One that was cut off while it was written is as good as
none: no file is written before it is whole.
"""

from __future__ import annotations

import base64
import binascii
import json
import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from snippetlock.errors import LockError
from snippetlock.reading import read_file
from snippetlock.records import dataclass
from snippetlock.text import sha256

_FORMAT = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One file, relative to the project with `/`: the digest of what it was and its new content, None for no file."""

    path: str
    old: str | None
    data: bytes | None

    @property
    def new(self) -> str | None:
        return digest(self.data)


def unfinished(journal: Path) -> bool:
    """Whether a change was begun and not finished. A torn journal is none: no file was written after it."""
    return read(journal) is not None


def planned(journal: Path) -> tuple[tuple[str, bytes | None], ...]:
    """What an unfinished change is to write: each file, from the project's folder, and its content; None takes it away.

    Nothing where there is none, or a torn one. `finish` takes a journal's word for it: whoever calls that looks here.
    """
    return tuple((step.path, step.data) for step in read(journal) or ())


def remove(journal: Path) -> None:
    """Take a journal away, for good: its folder is told to remember."""
    try:
        os.unlink(journal)
    except FileNotFoundError:
        return
    except OSError as error:
        mend = f"remove {called(journal)}: everything in it is written"
        raise LockError(f"the journal cannot be removed: {error.strerror}", path=called(journal), mend=mend) from error
    with suppress(OSError):
        folder = os.open(journal.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def dump(steps: Iterable[Step]) -> bytes:
    """The journal: a line with the digest of all after it, then what to do as JSON."""
    files = [
        {"path": s.path, "old": s.old, "data": s.data if s.data is None else base64.b64encode(s.data).decode("ascii")}
        for s in steps
    ]
    body = json.dumps({"format": _FORMAT, "files": files}, indent=1).encode("utf-8")
    return sha256(body).encode("ascii") + b"\n" + body


def read(journal: Path) -> tuple[Step, ...] | None:
    """What a journal says; None where there is none, or a torn one. Raises `LockError` for one that cannot be read.

    A link is refused: nobody of ours makes one, and a journal would be written over whatever it leads to.
    """
    if journal.is_symlink():
        what = f"refused: it is a link, to {os.readlink(journal)}"
        raise LockError(what, path=called(journal), mend="remove it: snippetlock did not make it")
    try:
        stated, _, body = read_file(journal).partition(b"\n")
    except FileNotFoundError:
        return None
    except OSError as error:
        mend = "make it readable, or remove it when no change of the pin was going on"
        raise LockError(f"the journal cannot be read: {error.strerror}", path=called(journal), mend=mend) from error
    if stated != sha256(body).encode("ascii"):
        return None
    try:
        said = json.loads(body)
        if said["format"] != _FORMAT:
            mend = "run the snippetlock that began the change, or restore its files and remove the journal"
            raise LockError(f"a journal of format {said['format']!r}", path=called(journal), mend=mend)
        return tuple(_step(one) for one in said["files"])
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        mend = "remove it: snippetlock did not write it"
        raise LockError("not a journal", path=called(journal), mend=mend) from error


def _step(said: Mapping[str, Any]) -> Step:
    path, old, data = said["path"], said["old"], said["data"]
    if not isinstance(path, str) or not isinstance(old, str | None) or not isinstance(data, str | None):
        raise TypeError("not a step")
    try:
        return Step(path=path, old=old, data=None if data is None else base64.b64decode(data, validate=True))
    except binascii.Error as error:
        raise ValueError("not base64") from error


def digest(data: bytes | None) -> str | None:
    """That of a file's content; None for no file."""
    return None if data is None else sha256(data)


def called(path: Path) -> str:
    """A path as messages say it: the file and its folder."""
    return f"{path.parent.name}/{path.name}"
