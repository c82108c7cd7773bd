"""A repository's objects, by name, out of one long-lived `git cat-file` each for sizes and for contents.

Never fetches: an object that is not there is None. Not for two threads at once; a forked process starts its own git.
"""

from __future__ import annotations

import os
import subprocess
import weakref
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import IO, NamedTuple

from snippetlock.errors import RepositoryError
from snippetlock.source.git import failed, start, unnamed, words

LINK, SUBMODULE, FOLDER = "120000", "160000", "40000"  # the modes of a tree's entries that are no regular files
_AT_ONCE = 32  # names sent before their answers are read: fewer bytes than the smallest pipe holds
_TOGETHER = 8 * 1024 * 1024  # bytes of contents held at once
_SMALL = 1024 * 1024  # bytes; who is looked at in passing is not read when it has more
_TREES = 4096  # trees kept parsed


class Info(NamedTuple):
    """An object's full name, its kind (`commit`, `tree`, `blob`, `tag`) and its size in bytes."""

    id: str
    kind: str
    size: int


_Answer = tuple[Info | None, bytes | None]


class Entry(NamedTuple):
    """One entry of a tree: its mode, as git writes it in a tree, and the object's name."""

    mode: str
    id: str


class Objects:
    """Reads the objects of the repository at `git_dir`.

    Its processes start at first use. `close` ends them, and so does the end of the last reference, so a reader
    that nobody closes leaves nothing behind. Closed, it can be used again.
    """

    def __init__(self, git_dir: Path) -> None:
        self._git_dir = git_dir
        self._sizes = _Pipe(git_dir, contents=False)
        self._contents = _Pipe(git_dir, contents=True)
        self._trees: dict[str, Mapping[str, Entry]] = {}

    def __enter__(self) -> Objects:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self) -> tuple[type[Objects], tuple[Path]]:
        return Objects, (self._git_dir,)

    def close(self) -> None:
        self._sizes.close()
        self._contents.close()

    def check(self, names: Iterable[str]) -> list[Info | None]:
        """What each name stands for (`main^{commit}`, an id, an abbreviation); None for nothing, or for several."""
        return [info for some in _chunks(names) for info, _ in self._sizes.ask(some)]

    def glance(self, names: Iterable[str]) -> list[Info | None]:
        """As `check`, of few small objects, by the process that reads contents: for who goes on to read some."""
        found: list[Info | None] = []
        for some in _chunks(names):
            left = some
            while left:
                answers = self._contents.some(left, _SMALL)
                found += [info for info, _ in answers]
                left = left[len(answers) :]
        return found

    def read(self, ids: Iterable[str], limit: int) -> Iterator[_Answer]:
        """Each object and its content, in the order asked. One over `limit` bytes is not read: its content is None.

        A group is read whole before any of it is handed out, for the pipe is shared.
        """
        for some in _chunks(ids):
            while some:
                found = self._contents.some(some, limit)
                some = some[len(found) :]
                yield from found

    def tree(self, name: str) -> Mapping[str, Entry]:
        """The entries of a tree, by their names. Raises `RepositoryError` when it is not there."""
        known = self._trees.get(name)
        if known is None:
            if len(self._trees) >= _TREES:
                self._trees.clear()
            info, data = self._contents.ask([name])[0]
            if info is None or data is None or info.kind != "tree":
                raise failed(f"the tree {name} is missing", str(self._git_dir))
            known = self._trees[name] = dict(_entries(data, len(info.id) // 2))
        return known


class _Pipe:
    """One `git cat-file` that answers names in their order, with contents or without."""

    def __init__(self, git_dir: Path, *, contents: bool) -> None:
        self._git_dir = git_dir
        self._full = contents
        self._owner = 0
        self._process: subprocess.Popen[bytes] | None = None
        self._errors: IO[bytes] | None = None
        self._end: weakref.finalize[[subprocess.Popen[bytes], IO[bytes]], _Pipe] | None = None

    def close(self) -> None:
        if self._end is not None:
            self._end()
        self._process = self._errors = self._end = None

    def ask(self, names: Sequence[str]) -> list[_Answer]:
        """The answers to at most as many names as a pipe takes. Raises `RepositoryError` when git gives up."""
        found: list[_Answer] = []
        while len(found) < len(names):
            found += self.some(names[len(found) :])
        return found

    def some(self, names: Sequence[str], limit: int | None = None) -> list[_Answer]:
        """The first answers, one at least: as many as may be held at once.

        The content of one over `limit` bytes is not read, and is None. Raises `RepositoryError` when git gives up.
        """
        found: list[_Answer] = []
        try:
            self._ask(names, found, limit)
        finally:
            if len(found) < len(names):  # what is still in the pipe would answer the next question
                self.close()
        return found

    def _ask(self, names: Sequence[str], found: list[_Answer], limit: int | None) -> None:
        """Add the answers to `found`; fewer than asked where git ended at one it may not fetch, or they are large."""
        process = self._running()
        assert process.stdin
        assert process.stdout
        with suppress(BrokenPipeError):  # it ended; its answers so far are still to be read
            process.stdin.write("".join(f"{name}\n" for name in names).encode("utf-8", "surrogateescape"))
            process.stdin.flush()
        held = 0
        for _ in names:
            line = process.stdout.readline()
            if not line.endswith(b"\n"):
                said = self._ended()
                if "promisor remote" not in said:
                    raise failed(said, str(self._git_dir))
                found.append((None, None))
                return
            info = _info(line)
            if info is None or not self._full:
                found.append((info, None))
            elif limit is not None and info.size > limit:
                found.append((info, None))
                self.close()  # not read to its end to be thrown away
                return
            else:
                found.append((info, self._content(info, process.stdout)))
                held += info.size
                if held > _TOGETHER:
                    return

    def _content(self, info: Info, output: IO[bytes]) -> bytes:
        data = output.read(info.size + 1)
        if len(data) <= info.size:  # a damaged object: git wrote what it could, and ended
            raise failed(self._ended(), str(self._git_dir))
        return data[:-1]

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is not None and self._owner != os.getpid():
            self._abandon()
        if self._process is None:
            how = "--batch" if self._full else "--batch-check"
            self._errors = unnamed()  # closed with the process
            try:
                self._process = start(self._git_dir, "cat-file", how, errors=self._errors, feed=True)
            except RepositoryError:
                self._errors.close()
                raise
            self._owner = os.getpid()
            self._end = weakref.finalize(self, _stop, self._process, self._errors)
        return self._process

    def _abandon(self) -> None:
        """After a fork: the process is our parent's, who goes on reading from it."""
        assert self._process
        assert self._errors
        assert self._end
        self._end.detach()
        self._process.returncode = 0  # nothing of ours to wait for
        _shut(self._process, self._errors)
        self._process = self._errors = self._end = None

    def _ended(self) -> str:
        """What a git that ended by itself said."""
        assert self._process
        assert self._errors
        self._process.wait()
        said = words(self._errors)
        self.close()
        return said


def _info(line: bytes) -> Info | None:
    """What git says of an object; None for nothing, or for several."""
    if line.endswith((b" missing\n", b" ambiguous\n")):
        return None
    name, kind, size = line.decode("ascii").split()
    return Info(name, kind, int(size))


def _stop(process: subprocess.Popen[bytes], errors: IO[bytes]) -> None:
    # Killed, not left to see the end of its input: a forked child may hold the other end of that pipe.
    process.kill()
    process.wait()
    _shut(process, errors)


def _shut(process: subprocess.Popen[bytes], errors: IO[bytes]) -> None:
    for pipe in filter(None, (process.stdin, process.stdout, errors)):
        with suppress(OSError):  # what could not be written to a git that had ended
            pipe.close()


def _entries(data: bytes, length: int) -> Iterator[tuple[str, Entry]]:
    """The entries of a tree object; `length` is how many bytes an object's name has."""
    at = 0
    while at < len(data):
        space = data.index(b" ", at)
        end = data.index(b"\0", space)
        mode, name = data[at:space].decode("ascii"), data[space + 1 : end].decode("utf-8", "surrogateescape")
        at = end + 1 + length
        yield name, Entry(mode, data[end + 1 : at].hex())


def _chunks(names: Iterable[str]) -> Iterator[list[str]]:
    rest = iter(names)
    while some := list(islice(rest, _AT_ONCE)):
        yield some
