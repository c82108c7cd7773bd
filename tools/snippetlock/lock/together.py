"""Write several files together or not at all: a journal first, which says all of it, then the files, one by one.

Killed before the journal has its name, nothing was written; killed after, `finish` writes the rest. A journal is
data that somebody else may have put there, so a file is written only within the project, and only where it is as
the journal found it: what was edited since is nobody's to write over.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path, PurePosixPath

from snippetlock.errors import LockError
from snippetlock.lock.guard import replace_file
from snippetlock.lock.steps import Step, called, digest, dump, read, remove, unfinished
from snippetlock.reading import read_file

_WRITTEN, _NOT_WRITTEN, _EDITED = "written", "not written yet", "edited since"
_LINK = "put the file itself, or the folder, into the project in place of the link"
_AGAIN = "make the file and its folder writable, and see that the disk has room; then run the command again"


def write_together(files: Mapping[Path, bytes | None], journal: Path, root: Path) -> tuple[Path, ...]:
    """Make each of `files` have its new content (None takes it away), all of them or none; the ones that changed.

    Paths are absolute or count from `root`, the project's folder, which none of them may leave. Modes and links
    are kept as `replace_file` keeps them. Raises `LockError`, and then nothing is changed, or the message says
    what is. Call it inside `exclusive`, with no unfinished journal.
    """
    whole(journal, root)
    steps: list[Step] = []
    before: dict[str, bytes | None] = {}
    for path, data in files.items():
        name = _relative(root, path)
        before[name] = _content(_inside(root, name, journal))
        step = Step(path=name, old=digest(before[name]), data=data)
        if step.old != step.new:
            steps.append(step)
    if not steps:
        remove(journal)
        return ()
    try:
        replace_file(journal, dump(steps))
    except OSError as error:
        raise LockError(f"the change cannot be begun: {error.strerror}", path=called(journal), mend=_AGAIN) from error
    done: list[Step] = []
    try:
        for step in _ordered(steps):
            done.append(step)
            _apply(root / step.path, step.data)
    except OSError as error:
        raise _taken_back(root, journal, done, before, error) from error
    remove(journal)
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


def finish(journal: Path, root: Path) -> tuple[Path, ...]:
    """Write what an interrupted change left unwritten, and return those files; drop a torn journal.

    Raises `LockError` where a file is neither as it was nor as it shall be, or cannot be written: nothing is
    written in the first case. Call it inside `exclusive`.
    """
    steps = read(journal)
    if steps is None:
        remove(journal)
        return ()
    states = [(step, _state(root, step, journal)) for step in steps]
    if any(state == _EDITED for _, state in states):
        mend = f"to give the change up, restore its files from version control and remove {called(journal)}"
        what = "an interrupted change of the pin cannot be finished: a file was edited since"
        raise LockError(what, path=called(journal), evidence=_told(states), mend=mend)
    left = [step for step, state in states if state == _NOT_WRITTEN]
    for step in _ordered(left):
        try:
            _apply(root / step.path, step.data)
        except OSError as error:
            raise LockError(f"cannot be written: {error.strerror}", path=step.path, mend=_AGAIN) from error
    remove(journal)
    return tuple(root / step.path for step in left)


def whole(journal: Path, root: Path) -> None:
    """Raise `LockError` where a change is half done: by a process that was killed since the project was opened.

    For who writes, inside `exclusive`: what it reads there, and what it would write, is of no one state.
    """
    if unfinished(journal):
        raise interrupted(journal, root)


def interrupted(journal: Path, root: Path) -> LockError:
    """The error for who needs the project in one state while a change of it is half done."""
    steps = read(journal) or ()
    lines = _told([(step, _state(root, step, journal)) for step in steps])
    mend = "run `snippetlock bump` to finish it"
    return LockError("a change of the pin was interrupted", path=called(journal), evidence=lines, mend=mend)


def _state(root: Path, step: Step, journal: Path) -> str:
    """How far one file of a change has come."""
    now = digest(_content(_inside(root, step.path, journal)))
    return _WRITTEN if now == step.new else _NOT_WRITTEN if now == step.old else _EDITED


def _told(states: Iterable[tuple[Step, str]]) -> list[str]:
    return [f"{step.path}  {state}" for step, state in states]


def _ordered(steps: Iterable[Step]) -> list[Step]:
    """Files that go are taken away last: of all that can be taken back this is the hardest."""
    return sorted(steps, key=lambda step: step.data is None)


def _apply(path: Path, data: bytes | None) -> None:
    if data is not None:
        replace_file(path, data)
        return
    with suppress(FileNotFoundError):
        os.unlink(os.path.realpath(path))


def _taken_back(
    root: Path, journal: Path, done: Iterable[Step], before: Mapping[str, bytes | None], cause: OSError
) -> LockError:
    """Put back what was there before; the error for who asked. Where that fails too, the journal stays for `finish`."""
    *written, failed = done
    what = f"cannot be written: {cause.strerror}"
    try:
        for step in [failed, *reversed(written)]:
            path = root / step.path
            if digest(_content(path)) != step.old:
                _apply(path, before[step.path])
        os.unlink(journal)
    except (OSError, LockError) as error:
        why = error.what if isinstance(error, LockError) else error.strerror
        lines = (f"and what was written before it cannot be taken back: {why}",)
        mend = "make the files writable, then run `snippetlock bump` to finish the change"
        return LockError(what, path=failed.path, evidence=lines, mend=mend)
    return LockError(f"{what}; nothing was changed", path=failed.path, mend=_AGAIN)


def _relative(root: Path, path: Path) -> str:
    """The path from the project's folder. What leaves it is left as it is, and refused by `_inside`."""
    full = root / path
    return full.relative_to(root).as_posix() if full.is_relative_to(root) else full.as_posix()


def _inside(root: Path, name: str, journal: Path) -> Path:
    """The file's place; refused where it, or what its links lead to, is not in the project, or is git's own."""
    reason, mend = "it is not a path within the project", f"remove {called(journal)}: snippetlock wrote no such thing"
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
    raise LockError(f"refused to write {name!r}: {reason}", path=called(journal), mend=mend)


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
        raise LockError(f"cannot be read: {error.strerror}", path=called(path), mend=mend) from error
