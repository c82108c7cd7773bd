"""Where a report goes: a place where nothing is lost, and where no report of an earlier run is taken for this one's."""

from __future__ import annotations

import json
import os
from pathlib import Path

from snippetlock.errors import SnippetlockError, UsageError
from snippetlock.report.pull import HEADS

TYPE_CHECKING = False  # as `typing` has it, which costs 3 ms
if TYPE_CHECKING:
    from snippetlock.config import Config

__all__ = ["begin", "place", "write"]

_OTHER = "name a file that is not there yet, or a report of an earlier move"


def place(path: Path | None) -> Path | None:
    """Where a report goes. Raises `UsageError` for what says no form, and for a file of somebody's."""
    if path is None:
        return None
    if path.suffix not in (".md", ".json"):
        raise UsageError(f"--report {path}: its name says no form", mend="name a file that ends in .md or .json")
    if not path.parent.is_dir():
        raise UsageError(f"--report {path}: there is no such folder", mend="make it first")
    if path.is_dir():
        raise UsageError(f"--report {path}: it is a folder", mend="name a file in it")
    try:
        data = path.read_bytes() if path.exists() else b""
    except OSError as error:
        raise UsageError(f"--report {path}: it cannot be read: {error.strerror}", mend=_OTHER) from error
    if data and not _ours(data, path.suffix):
        raise UsageError(f"--report {path}: there is a file, and it is no report of a move", mend=_OTHER)
    return Path(os.path.abspath(path))


def begin(path: Path, config: Config) -> None:
    """Take the report of an earlier run away: whatever becomes of this one, nobody is to read that as its report.

    Raises `UsageError` for a place among the pages, where a report would be taken for one of them.
    """
    real = Path(os.path.realpath(path))
    if real.is_relative_to(os.path.realpath(config.docs)):
        what = f"--report {path}: below {config.name(config.docs)} it would be one of the pages"
        raise UsageError(what, mend="name a file elsewhere")
    try:
        real.unlink(missing_ok=True)
    except OSError as error:
        raise _unwritable(path, error) from error


def write(path: Path, text: str) -> SnippetlockError | None:
    """Write a report whole or not at all; why it was not, where it was not."""
    from snippetlock.lock import replace_file

    try:
        replace_file(path, text.encode("utf-8"))
    except OSError as error:
        return _unwritable(path, error)
    return None


def _unwritable(path: Path, error: OSError) -> UsageError:
    mend = "name a file that can be written"
    return UsageError(f"the report cannot be written: {error.strerror}", path=str(path), mend=mend)


def _ours(data: bytes, suffix: str) -> bool:
    """Whether a file is what a move wrote before."""
    if suffix == ".md":
        return data.startswith(tuple(head.encode("utf-8") for head in HEADS))
    try:
        said = json.loads(data)
    except (ValueError, RecursionError):
        return False
    return isinstance(said, dict) and str(said.get("tool")).startswith("snippetlock ") and "schema" in said
