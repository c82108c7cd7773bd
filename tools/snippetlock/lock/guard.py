"""Write a file whole or not at all, and let one process at a time do so."""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from snippetlock.errors import LockError

_STEP = 0.05  # seconds between two tries


def replace_file(path: Path, data: bytes) -> None:
    """Make `data` the file's content: killed at any point, the old or the new content is there, whole.

    A link is followed; permissions stay. What a killed run left of its work is taken away. Two processes
    must not call this for one file at once: see `exclusive`. Raises OSError, the old file then untouched.
    """
    target = Path(os.path.realpath(path))
    work = target.with_name(f".{target.name}.tmp")
    with suppress(FileNotFoundError):
        os.unlink(work)
    mode = stat.S_IMODE(os.stat(target).st_mode) if target.exists() else None
    try:
        handle = os.open(work, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
        try:
            if mode is not None:
                os.fchmod(handle, mode)
            view = memoryview(data)
            while view:
                view = view[os.write(handle, view) :]
            os.fsync(handle)
        finally:
            os.close(handle)
        os.replace(work, target)
    except OSError:
        with suppress(OSError):
            os.unlink(work)
        raise
    with suppress(
        OSError
    ):  # the new name lasts a loss of power only then; some file systems refuse, and need no asking
        folder = os.open(target.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


@contextmanager
def exclusive(path: Path, wait: float = 10.0) -> Iterator[None]:
    """Be the only process that writes `path`, among those that ask; wait up to so many seconds.

    Held by the system for as long as this process lives, so a killed one blocks nobody. The file beside `path`
    that it is held by goes when it is given back. Raises `LockError`. POSIX only: elsewhere there is no such lock
    and the error says so.
    """
    name = f"{path.parent.name}/{path.name}"
    guard = path.with_name(f".{path.name}.guard")
    try:
        import fcntl
    except ImportError as error:
        mend = "run it on Linux or macOS"
        raise LockError("this system lacks the file locks that an update needs", path=name, mend=mend) from error
    handle = None
    try:
        for attempt in range(max(1, round(wait / _STEP))):
            if attempt:
                time.sleep(_STEP)
            handle = _held(guard, fcntl.flock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if handle is not None:
                break
    except OSError as error:
        mend = "make the lock's folder writable"
        raise LockError(f"cannot write beside the lock: {error.strerror}", path=name, mend=mend) from error
    if handle is None:
        mend = "wait for it to finish, then run this again"
        raise LockError(f"another process is writing the lock, and was not done after {wait:g} s", path=name, mend=mend)
    try:
        yield
    finally:
        with suppress(OSError):
            os.unlink(guard)
        os.close(handle)


def _held(guard: Path, flock: Callable[[int, int], None], how: int) -> int | None:
    """A handle of the guard that nobody else holds, or None.

    The last holder takes the file away as it leaves: what we hold must still be the file of that name.
    """
    handle = os.open(guard, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o666)  # nobody of ours makes it a link
    try:
        flock(handle, how)
        if os.path.samestat(os.fstat(handle), os.stat(guard)):
            return handle
    except (BlockingIOError, FileNotFoundError):
        pass
    except OSError:
        os.close(handle)
        raise
    os.close(handle)
    return None
