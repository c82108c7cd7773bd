"""What every tree refuses: paths that could leave it, and files too large to be source."""

from __future__ import annotations

from snippetlock.errors import MissingFile, TreeError, nearest

LARGEST = 32 * 1024 * 1024  # bytes of one file; the longest real source files have a hundredth of it


def unsafe(path: str) -> str:
    """Why a path is refused, in a few words; empty when it is not."""
    if not path:
        return "an empty path"
    if "\0" in path:
        return "a NUL character in the path"
    if "\\" in path:
        return "a backslash in the path"
    if path.startswith("/"):
        return "an absolute path"
    if path[1:2] == ":":
        return "a drive letter in the path"
    parts = path.split("/")
    if ".." in parts:
        return "`..` in the path"
    if "" in parts or "." in parts:
        return "an empty part or `.` in the path"
    return ""


def check(path: str) -> None:
    """Raise `TreeError` for a path that could leave the tree."""
    if reason := unsafe(path):
        mend = "write the path from the top of the tree: `package/file.py`"
        raise TreeError(f"refused: {reason}", path=path, mend=mend)


def missing(path: str, known: tuple[str, ...]) -> MissingFile:
    """The error for a file that is not there, with those that could have been meant."""
    near = nearest(path, known)
    mend = f"did you mean {' or '.join(near)}?" if near else "look for its name in the library at the pin"
    return MissingFile("the tree has no such file", path=path, mend=mend)


def too_large(path: str, size: int, limit: int) -> TreeError:
    """The error for a file over the limit; `size` is what it claims, or what was read before we stopped."""
    what = f"refused: {size:,} bytes, more than the {limit:,} that are read of one file"
    return TreeError(what, path=path, mend="quote from a smaller file")
