"""Read a file that somebody else put there, without waiting for what is no file."""

from __future__ import annotations

import errno
import os
import stat

_KINDS = (
    (stat.S_ISFIFO, "a FIFO"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


def read_file(path: str | os.PathLike[str]) -> bytes:
    """The bytes of a regular file; a link is followed.

    Raises OSError, for a FIFO, a socket and a device before they are opened: that might never come back.
    """
    mode = os.stat(path).st_mode
    for is_kind, name in _KINDS:
        if is_kind(mode):
            raise OSError(errno.EINVAL, f"it is {name}, not a file")
    with open(path, "rb") as file:
        return file.read()


def no_file(error: OSError) -> bool:
    """Whether what could not be read is something else than a file, so that no permission would help."""
    return error.errno in (errno.EINVAL, errno.EISDIR)
