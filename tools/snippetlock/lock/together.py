"""Write several files together or not at all: a journal first, which says all of it, then the files, one by one.

Killed before the journal has its name, nothing was written; killed after, `finish` writes the rest. A journal is
data that somebody else may have put there, so a file is written only within the project, and only where it is as
the journal found it: what was edited since is nobody's to write over.
"""

from __future__ import annotations

import base64
import binascii
import json
import os
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import Any

from snippetlock.errors import LockError
from snippetlock.lock.guard import replace_file
from snippetlock.reading import read_file
from snippetlock.records import dataclass
from snippetlock.text import sha256

_FORMAT = 1
_WRITTEN, _NOT_WRITTEN, _EDITED = "written", "not written yet", "edited since"
_LINK = "put the file itself, or the folder, into the project in place of the link"
_AGAIN = "make the file and its folder writable, and see that the disk has room; then run the command again"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Step:
    """One file, relative to the project with `/`: the digest of what it was and its new content, None for no file."""

    path: str
    old: str | None
    data: bytes | None

    @property
    def new(self) -> str | None:
        return _digest(self.data)


def write_together(files: Mapping[Path, bytes | None], journal: Path, root: Path) -> tuple[Path, ...]:
    """Make each of `files` have its new content (None takes it away), all of them or none; the ones that changed.

    Paths are absolute or count from `root`, the project's folder, which none of them may leave. Modes and links
    are kept as `replace_file` keeps them. Raises `LockError`, and then nothing is changed, or the message says
    what is. Call it inside `exclusive`, with no unfinished journal.
    """
    whole(journal, root)
    steps: list[_Step] = []
    before: dict[str, bytes | None] = {}
    for path, data in files.items():
        name = _relative(root, path)
        before[name] = _content(_inside(root, name, journal))
        step = _Step(path=name, old=_digest(before[name]), data=data)
        if step.old != step.new:
            steps.append(step)
    if not steps:
        _remove(journal)
        return ()
    try:
        replace_file(journal, _dump(steps))
    except OSError as error:
        raise LockError(f"the change cannot be begun: {error.strerror}", path=_name(journal), mend=_AGAIN) from error
    done: list[_Step] = []
    try:
        for step in _ordered(steps):
            done.append(step)
            _apply(root / step.path, step.data)
    except OSError as error:
        raise _taken_back(root, journal, done, before, error) from error
    _remove(journal)
    return tuple(root / step.path for step in steps)


def writable(paths: Iterable[Path], root: Path) -> None:
    """Raise `LockError` for a file that a link leads out of the project with: `write_together` would refuse it.

    For who wants to say so before all the work. Paths are absolute or count from `root`.
    """
    home = os.path.realpath(root)
    for path in paths:
        real = os.path.realpath(root / path)
        if not Path(real).is_relative_to(home):
            what = "a link leads out of the project, so it cannot be written together with the other files"
            raise LockError(what, path=_relative(root, path), evidence=(f"it leads to {real}",), mend=_LINK)


def unfinished(journal: Path) -> bool:
    """Whether a change was begun and not finished. A torn journal is none: no file was written after it."""
    return _read(journal) is not None


def planned(journal: Path) -> tuple[tuple[str, bytes | None], ...]:
    """What an unfinished change is to write: each file, from the project's folder, and its content; None takes it away.

    Nothing where there is none, or a torn one. `finish` takes a journal's word for it: whoever calls that looks here.
    """
    return tuple((step.path, step.data) for step in _read(journal) or ())


def finish(journal: Path, root: Path) -> tuple[Path, ...]:
    """Write what an interrupted change left unwritten, and return those files; drop a torn journal.

    Raises `LockError` where a file is neither as it was nor as it shall be, or cannot be written: nothing is
    written in the first case. Call it inside `exclusive`.
    """
    steps = _read(journal)
    if steps is None:
        _remove(journal)
        return ()
    states = [(step, _state(root, step, journal)) for step in steps]
    if any(state == _EDITED for _, state in states):
        mend = f"to give the change up, restore its files from version control and remove {_name(journal)}"
        what = "an interrupted change of the pin cannot be finished: a file was edited since"
        raise LockError(what, path=_name(journal), evidence=_told(states), mend=mend)
    left = [step for step, state in states if state == _NOT_WRITTEN]
    for step in _ordered(left):
        try:
            _apply(root / step.path, step.data)
        except OSError as error:
            raise LockError(f"cannot be written: {error.strerror}", path=step.path, mend=_AGAIN) from error
    _remove(journal)
    return tuple(root / step.path for step in left)


def whole(journal: Path, root: Path) -> None:
    """Raise `LockError` where a change is half done: by a process that was killed since the project was opened.

    For who writes, inside `exclusive`: what it reads there, and what it would write, is of no one state.
    """
    if unfinished(journal):
        raise interrupted(journal, root)


def interrupted(journal: Path, root: Path) -> LockError:
    """The error for who needs the project in one state while a change of it is half done."""
    steps = _read(journal) or ()
    lines = _told([(step, _state(root, step, journal)) for step in steps])
    mend = "run `snippetlock bump` to finish it"
    return LockError("a change of the pin was interrupted", path=_name(journal), evidence=lines, mend=mend)


def _state(root: Path, step: _Step, journal: Path) -> str:
    """How far one file of a change has come."""
    now = _digest(_content(_inside(root, step.path, journal)))
    return _WRITTEN if now == step.new else _NOT_WRITTEN if now == step.old else _EDITED


def _told(states: Iterable[tuple[_Step, str]]) -> list[str]:
    return [f"{step.path}  {state}" for step, state in states]


def _ordered(steps: Iterable[_Step]) -> list[_Step]:
    """Files that go are taken away last: of all that can be taken back this is the hardest."""
    return sorted(steps, key=lambda step: step.data is None)


def _apply(path: Path, data: bytes | None) -> None:
    if data is not None:
        replace_file(path, data)
        return
    with suppress(FileNotFoundError):
        os.unlink(os.path.realpath(path))


def _taken_back(
    root: Path, journal: Path, done: Iterable[_Step], before: Mapping[str, bytes | None], cause: OSError
) -> LockError:
    """Put back what was there before; the error for who asked. Where that fails too, the journal stays for `finish`."""
    *written, failed = done
    what = f"cannot be written: {cause.strerror}"
    try:
        for step in [failed, *reversed(written)]:
            path = root / step.path
            if _digest(_content(path)) != step.old:
                _apply(path, before[step.path])
        os.unlink(journal)
    except (OSError, LockError) as error:
        why = error.what if isinstance(error, LockError) else error.strerror
        lines = (f"and what was written before it cannot be taken back: {why}",)
        mend = "make the files writable, then run `snippetlock bump` to finish the change"
        return LockError(what, path=failed.path, evidence=lines, mend=mend)
    return LockError(f"{what}; nothing was changed", path=failed.path, mend=_AGAIN)


def _remove(journal: Path) -> None:
    """Take the journal away, for good: its folder is told to remember."""
    try:
        os.unlink(journal)
    except FileNotFoundError:
        return
    except OSError as error:
        mend = f"remove {_name(journal)}: everything in it is written"
        raise LockError(f"the journal cannot be removed: {error.strerror}", path=_name(journal), mend=mend) from error
    with suppress(OSError):
        folder = os.open(journal.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _dump(steps: Iterable[_Step]) -> bytes:
    """The journal: a line with the digest of all after it, then what to do as JSON."""
    files = [
        {"path": s.path, "old": s.old, "data": s.data if s.data is None else base64.b64encode(s.data).decode("ascii")}
        for s in steps
    ]
    body = json.dumps({"format": _FORMAT, "files": files}, indent=1).encode("utf-8")
    return sha256(body).encode("ascii") + b"\n" + body


def _read(journal: Path) -> tuple[_Step, ...] | None:
    """What a journal says; None where there is none, or a torn one. Raises `LockError` for one that cannot be read.

    A link is refused: nobody of ours makes one, and a journal would be written over whatever it leads to.
    """
    if journal.is_symlink():
        what = f"refused: it is a link, to {os.readlink(journal)}"
        raise LockError(what, path=_name(journal), mend="remove it: snippetlock did not make it")
    try:
        digest, _, body = read_file(journal).partition(b"\n")
    except FileNotFoundError:
        return None
    except OSError as error:
        mend = "make it readable, or remove it when no change of the pin was going on"
        raise LockError(f"the journal cannot be read: {error.strerror}", path=_name(journal), mend=mend) from error
    if digest != sha256(body).encode("ascii"):
        return None
    try:
        said = json.loads(body)
        if said["format"] != _FORMAT:
            mend = "run the snippetlock that began the change, or restore its files and remove the journal"
            raise LockError(f"a journal of format {said['format']!r}", path=_name(journal), mend=mend)
        return tuple(_step(one) for one in said["files"])
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        mend = "remove it: snippetlock did not write it"
        raise LockError("not a journal", path=_name(journal), mend=mend) from error


def _step(said: Mapping[str, Any]) -> _Step:
    path, old, data = said["path"], said["old"], said["data"]
    if not isinstance(path, str) or not isinstance(old, str | None) or not isinstance(data, str | None):
        raise TypeError("not a step")
    try:
        return _Step(path=path, old=old, data=None if data is None else base64.b64decode(data, validate=True))
    except binascii.Error as error:
        raise ValueError("not base64") from error


def _relative(root: Path, path: Path) -> str:
    """The path from the project's folder. What leaves it is left as it is, and refused by `_inside`."""
    full = root / path
    return full.relative_to(root).as_posix() if full.is_relative_to(root) else full.as_posix()


def _inside(root: Path, name: str, journal: Path) -> Path:
    """The file's place; refused where it, or what its links lead to, is not in the project, or is git's own."""
    reason, mend = "it is not a path within the project", f"remove {_name(journal)}: snippetlock wrote no such thing"
    if _is_relative(name):
        path = root / name
        real, home = Path(os.path.realpath(path)), os.path.realpath(root)
        if not real.is_relative_to(home):
            reason = "a link leads out of the project"
            mend = _LINK
        elif any(_is_git(part) for part in (*path.relative_to(root).parts, *real.relative_to(home).parts)):
            reason = "it is a file of git's"
        else:
            return path
    raise LockError(f"refused to write {name!r}: {reason}", path=_name(journal), mend=mend)


def _is_relative(name: str) -> bool:
    """Whether a path stays below where it counts from, and is one that the system can be asked about at all."""
    try:
        os.fsencode(name)
    except UnicodeEncodeError:
        return False
    pure = PurePosixPath(name)
    return bool(name) and not pure.is_absolute() and ".." not in pure.parts and not {"\\", "\0"} & {*name}


def _is_git(part: str) -> bool:
    """Whether some system takes a name for that of git's folder, or for one of its files."""
    plain = re.sub(r"[^\x21-\x7e]", "", part).lower()
    return plain.startswith((".git", "git~"))


def _content(path: Path) -> bytes | None:
    try:
        return read_file(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        mend = "put the file itself in its place, and make it readable"
        raise LockError(f"cannot be read: {error.strerror}", path=_name(path), mend=mend) from error


def _digest(data: bytes | None) -> str | None:
    return None if data is None else sha256(data)


def _name(path: Path) -> str:
    return f"{path.parent.name}/{path.name}"
