"""From where a night is to its files: a folder, an archive, a branch of a git repository. Writes nothing anywhere.

Files may be compressed by gzip, whatever their names say. What comes out is bounded, so that a small file cannot
become an endless one.
"""

from __future__ import annotations

import gzip
import io
import os
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, BinaryIO, cast

from snippetlock.source import GitTree, Repo, reach
from snippetlock.source.revisions import resolve
from tileops_site.benchmarks.model import NightError

Opener = Callable[[], AbstractContextManager[BinaryIO]]

RESULTS, TESTS, META = "bench_results.xml", "test_results.xml", "meta.json"
FILES = (RESULTS, TESTS, META)
LARGEST = 4 * 1024**3  # bytes of one file as it is read; a real night has a thousandth of it
_BLOB = 256 * 1024**2  # bytes of one file of a branch: git gives it as a whole
_MAGIC = b"\x1f\x8b"
_BROKEN = (OSError, EOFError, zlib.error, zipfile.BadZipFile, tarfile.TarError)


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a night's files are. `name` is what pages call it; `files` opens each by its plain name.

    `at` is what messages call it: it can be a path of this machine, and is on no page.
    """

    name: str
    at: str
    files: Mapping[str, Opener]


def named(path: Path, base: Path) -> Path:
    """The same path with a name at its end: `.` and `..` have none before they are joined to the folder they are of."""
    return path if path.name.strip(".") else Path(os.path.normpath(base / path))


def places(path: Path) -> tuple[Place, ...]:
    """The nights at a path: one that is a night itself, or all that lie in a folder, by name. Raises `NightError`."""
    if not os.path.exists(path):
        raise NightError("there is nothing here", path=str(path), mend="name a folder or an archive of a night")
    own = _place(path)
    if own is not None:
        return (own,)
    below = sorted(path.iterdir()) if path.is_dir() else []
    found = tuple(place for one in below if (place := _place(one)) is not None)
    if not found:
        raise _none(path)
    return found


def _none(path: Path) -> NightError:
    """What to say of a path that has no night."""
    archive = "an archive (.zip, .tar, .tar.gz)"
    if path.name in (RESULTS, f"{RESULTS}.gz"):
        mend = f"name the folder that it lies in: {path.parent}"
        return NightError("a night is more than this one file", path=str(path), mend=mend)
    mend = f"name a folder or {archive} that holds {RESULTS} or {RESULTS}.gz"
    if path.is_file() and not _archive(path):
        return NightError("no night here: it is no archive, or a damaged one", path=str(path), mend=mend)
    return NightError(f"no night here: there is no {RESULTS}", path=str(path), mend=mend)


def _archive(path: Path) -> bool:
    return zipfile.is_zipfile(path) or tarfile.is_tarfile(path)


def branch_place(repo: Repo, branch: str, *, ask: bool) -> Place:
    """The night at the tip of a branch; `ask` the server what is new. Raises a `SnippetlockError` for none."""
    commit = (reach if ask else resolve)(repo, branch).id
    tree = GitTree(repo, commit, limit=_BLOB)
    found = _chosen(tree.paths(), f"{repo.name} {branch}")
    if RESULTS not in found:
        evidence = (f"commit {commit[:10]}",)
        mend = "name another branch in tileops_ref/benchmarks.yaml"
        raise NightError(f"the branch {branch!r} has no {RESULTS}", path=repo.name, evidence=evidence, mend=mend)
    tree.prefetch(found.values())
    contents = {file: tree.read(path) for file, path in found.items()}
    repo.objects.close()
    at = f"{repo.name} {branch}"
    return Place(name=branch, at=at, files={file: _held(data, f"{at}/{file}") for file, data in contents.items()})


def _place(path: Path) -> Place | None:
    """A night in a folder or an archive; None for anything else."""
    if path.is_dir():
        names = [name for name in sorted(os.listdir(path)) if (path / name).is_file()]
        return _night(path.name, path, names, lambda name: lambda: _plain(path / name))
    if not path.is_file():
        return None
    try:
        return _packed(path)
    except _BROKEN as error:
        raise _unreadable(str(path), error) from error


def _packed(path: Path) -> Place | None:
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            names = [info.filename for info in archive.infolist() if not info.is_dir()]
        return _night(path.stem, path, names, lambda name: lambda: _zipped(path, name))
    if tarfile.is_tarfile(path):
        with tarfile.open(path) as tar:
            names = [member.name for member in tar if member.isfile()]
        stem = path.name.partition(".tar")[0].removesuffix(".tgz")
        return _night(stem, path, names, lambda name: lambda: _tarred(path, name))
    return None


def _night(name: str, path: Path, names: Sequence[str], opener: Callable[[str], Opener]) -> Place | None:
    found = _chosen(names, str(path))
    files = {file: _unpacking(opener(member), f"{path}/{member}") for file, member in found.items()}
    return Place(name=name, at=str(path), files=files) if RESULTS in found else None


def _chosen(names: Sequence[str], place: str) -> dict[str, str]:
    """Which members are a night's files: each once, at the top or in a folder."""
    found: dict[str, str] = {}
    for file in FILES:
        wanted = sorted(name for name in names if PurePosixPath(name).name in (file, f"{file}.gz"))
        if len(wanted) > 1:
            mend = "keep one of them; several nights are folders or archives of their own"
            raise NightError(f"{file} is there {len(wanted)} times", path=place, evidence=wanted[:5], mend=mend)
        if wanted:
            found[file] = wanted[0]
    return found


@contextmanager
def _plain(path: Path) -> Iterator[BinaryIO]:
    with open(path, "rb") as stream:
        yield stream


@contextmanager
def _zipped(path: Path, name: str) -> Iterator[BinaryIO]:
    with zipfile.ZipFile(path) as archive, archive.open(name) as stream:
        yield cast(BinaryIO, stream)


@contextmanager
def _tarred(path: Path, name: str) -> Iterator[BinaryIO]:
    with tarfile.open(path) as archive:
        stream: IO[bytes] | None = archive.extractfile(name)
        if stream is None:
            raise OSError("no regular file")
        with stream:
            yield cast(BinaryIO, stream)


def _held(data: bytes, place: str) -> Opener:
    @contextmanager
    def opened() -> Iterator[BinaryIO]:
        yield io.BytesIO(data)

    return _unpacking(opened, place)


def _unpacking(opener: Opener, place: str) -> Opener:
    """The same, taken out of gzip where it is in it, bounded, and with errors that say which file it is."""

    @contextmanager
    def opened() -> Iterator[BinaryIO]:
        try:
            with opener() as raw:
                stream = raw if raw.seekable() else io.BufferedReader(cast(io.RawIOBase, raw))
                packed = stream.read(2) == _MAGIC
                stream.seek(0)
                inner = cast(BinaryIO, gzip.GzipFile(fileobj=stream)) if packed else stream
                yield cast(BinaryIO, _Bounded(inner, place))
        except _BROKEN as error:
            raise _unreadable(place, error) from error

    return opened


class _Bounded(io.RawIOBase):
    """A stream that gives no more than `LARGEST` bytes."""

    def __init__(self, stream: BinaryIO, place: str) -> None:
        self._stream = stream
        self._place = place
        self._left = LARGEST

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        data = self._stream.read(size if 0 <= size <= self._left else self._left + 1)
        self._left -= len(data)
        if self._left < 0:
            mend = "no night is so large: look where the file comes from"
            raise NightError(f"refused: more than {LARGEST:,} bytes", path=self._place, mend=mend)
        return data


def _unreadable(place: str, error: Exception) -> NightError:
    mend = "take the night again from where it is published"
    return NightError(f"cannot be read: {str(error) or type(error).__name__}", path=place, mend=mend)
