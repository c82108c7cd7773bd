"""A tree that is a wheel, read straight from the zip. Never unpacks, never trusts what the zip claims.

An archive with an entry that could harm (a path that leaves it, a link, a name twice) is refused whole, for
such an archive was made to deceive. An entry that only cannot be read (too large, encrypted, damaged) is
refused when it is asked for: a wheel may rightly carry a large binary that nobody quotes.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
import struct
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from snippetlock.errors import PinError, TreeError
from snippetlock.source.door import LARGEST, check, missing, too_large, unsafe
from snippetlock.source.notice import is_notice

if TYPE_CHECKING:
    from zipfile import ZipInfo

_NOTICE = r"[^/]+\.dist-info/(?:licenses/(?:.+/)?)?(?P<name>[^/]+)"
_STORED, _DEFLATED = 0, 8
_NO_DAY = (1980, 1, 1)  # the first that a zip can have, which builders write who want the same bytes each time
_AGAIN = "run `snippetlock pin fetch` to get it again"


class WheelTree:
    """The packages in a wheel whose SHA-256 is `sha256`; the whole file is hashed at once, the zip read at first use.

    Raises `PinError` when the file is absent, unreadable, of another digest, no zip, or unsafe. `where` is
    what messages call the pin, or what somebody called a wheel that is not `pinned`.
    """

    def __init__(self, path: Path, sha256: str, *, limit: int = LARGEST, where: str = "", pinned: bool = True) -> None:
        self.path = path
        self.identity = f"sha256:{sha256}"
        self._limit = limit
        self._where = where
        self._pinned = pinned
        self._entries: dict[str, ZipInfo] | None = None
        self._state = verify(path, sha256, where)

    def read(self, path: str) -> bytes:
        check(path)
        entry = self._directory().get(path)
        if entry is None or _aside(path):
            raise missing(path, self.paths())
        return self._member(path, entry)

    def has(self, path: str) -> bool:
        return path in self._directory() and not _aside(path)

    def paths(self) -> tuple[str, ...]:
        return tuple(sorted(path for path in self._directory() if not _aside(path)))

    @property
    def dated(self) -> str:
        """The day of the newest file, `2026-01-31`; empty for a wheel whose builder left its files without dates."""
        day = max((entry.date_time[:3] for entry in self._directory().values()), default=_NO_DAY)
        return "{:04}-{:02}-{:02}".format(*day) if day > _NO_DAY else ""

    def notices(self) -> tuple[tuple[str, bytes], ...]:
        """The licence files of the installation record, of every package that the wheel vendors too."""
        found = []
        for path, entry in sorted(self._directory().items()):
            match = re.fullmatch(_NOTICE, path)
            if match and is_notice(match["name"]):
                found.append((path, self._member(path, entry)))
        return tuple(found)

    def _open(self) -> BinaryIO:
        """The file that was hashed, and no other that took its place since."""
        try:
            file = open(self.path, "rb")  # noqa: SIM115  (handed to a `with` of the caller)
        except OSError as error:
            raise PinError(f"the wheel cannot be read: {error.strerror}", path=self._where, mend=_AGAIN) from error
        if _state(file) != self._state:
            file.close()
            raise PinError("the wheel changed while it was read", path=self._where, mend="run the command again")
        return file

    def _directory(self) -> dict[str, ZipInfo]:
        if self._entries is None:
            from zipfile import BadZipFile, ZipFile  # 5 ms: not where the digest alone decides

            try:
                with self._open() as file, ZipFile(file) as archive:
                    self._entries = _safe_entries(archive.infolist(), self._where)
            except (BadZipFile, ValueError, NotImplementedError, OSError, struct.error) as error:
                what = f"the {'pinned file' if self._pinned else 'wheel'} is not a zip archive: {error}"
                mend = "name another: this one is cut off, or was never a wheel"
                if self._pinned:
                    mend = "pin a wheel: `file` and `sha256` name another file"
                raise PinError(what, path=self._where, mend=mend) from error
        return self._entries

    def _member(self, path: str, entry: ZipInfo) -> bytes:
        if entry.flag_bits & 0x1:
            raise _damaged(path, "it is encrypted")
        if entry.compress_type not in (_STORED, _DEFLATED):
            raise _damaged(path, f"it is compressed by method {entry.compress_type}, which no wheel uses")
        if entry.file_size > self._limit:
            raise too_large(path, entry.file_size, self._limit)
        with self._open() as file:
            raw = _raw(file, path, entry)
        data = raw if entry.compress_type == _STORED else _inflate(raw, path, self._limit)
        if len(data) != entry.file_size:
            raise _damaged(path, f"it has {len(data):,} bytes and claims {entry.file_size:,}")
        import zlib

        if zlib.crc32(data) != entry.CRC:
            raise _damaged(path, "its checksum does not hold")
        return data


def verify(path: Path, sha256: str, where: str = "") -> tuple[int, ...]:
    """Hash a wheel, or raise `PinError`; return what tells this file from one put in its place later."""
    try:
        with open(path, "rb") as file:
            state = _state(file)
            got = hashlib.file_digest(file, "sha256").hexdigest()
            size = file.tell()
    except FileNotFoundError as error:
        raise PinError(f"there is no wheel at {path}", path=where, mend="run `snippetlock pin fetch`") from error
    except OSError as error:
        raise PinError(f"the wheel cannot be read: {error.strerror}: {path}", path=where, mend=_AGAIN) from error
    if got != sha256:
        raise PinError(
            "the wheel is not the pinned one: truncated, altered, or another",
            path=where,
            evidence=(f"file      {path} ({size:,} bytes)", f"expected  sha256 {sha256}", f"got       sha256 {got}"),
            mend=_AGAIN,
        )
    return state


def _state(file: BinaryIO) -> tuple[int, ...]:
    status = os.fstat(file.fileno())
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


def _safe_entries(entries: list[ZipInfo], where: str) -> dict[str, ZipInfo]:
    """The files by name. One unsafe entry anywhere refuses the archive."""
    from unicodedata import normalize

    found: dict[str, ZipInfo] = {}
    seen: set[str] = set()
    for entry in entries:
        # Not `filename`: zipfile cuts it at a NUL and, on Windows, turns backslashes round.
        name = entry.orig_filename
        folder = name.endswith("/")
        reason = unsafe(name.removesuffix("/")) or _unsafe_kind(entry, folder)
        plain = name if name.isascii() else normalize("NFC", name)
        if not reason and plain in seen:
            reason = "the same name twice"
        if reason:
            mend = "do not use this wheel; pin one that its author built"
            raise PinError(f"the wheel is refused: {reason}: {name!r}", path=where, mend=mend)
        seen.add(plain)
        if not folder:
            found[name] = entry
    return found


def _unsafe_kind(entry: ZipInfo, folder: bool) -> str:
    """Why an entry is refused for what it is, by the Unix mode that the zip keeps for it."""
    kind = stat.S_IFMT(entry.external_attr >> 16)
    if kind == stat.S_IFLNK:
        return "a symbolic link"
    if kind and kind != (stat.S_IFDIR if folder else stat.S_IFREG):
        return "neither a file nor a folder"
    return ""


def _raw(file: BinaryIO, path: str, entry: ZipInfo) -> bytes:
    """The member's bytes as they lie in the zip: where its own header, which must agree, says."""
    try:
        file.seek(entry.header_offset)
    except (OSError, ValueError) as error:  # before the beginning: a damaged directory can say so
        raise _damaged(path, "its header is not where the directory says") from error
    header = file.read(30)
    if len(header) != 30 or header[:4] != b"PK\x03\x04":
        raise _damaged(path, "its header is not where the directory says")
    name_size, extra_size = struct.unpack("<HH", header[26:30])
    name = file.read(name_size)
    encoding = "utf-8" if entry.flag_bits & 0x800 else "cp437"
    if name != entry.orig_filename.encode(encoding, errors="replace"):
        raise _damaged(path, f"its own header calls it {name.decode(encoding, errors='replace')!r}")
    file.seek(extra_size, os.SEEK_CUR)
    raw = file.read(entry.compress_size)
    if len(raw) != entry.compress_size:
        raise _damaged(path, "the archive ends before it does")
    return raw


def _inflate(raw: bytes, path: str, limit: int) -> bytes:
    """Inflate, and stop at the limit whatever the zip claims."""
    import zlib

    inflater = zlib.decompressobj(-15)
    try:
        data = inflater.decompress(raw, limit + 1)
    except zlib.error as error:
        raise _damaged(path, "its compressed data is broken") from error
    if len(data) > limit:
        raise too_large(path, len(data), limit)
    if not inflater.eof:
        raise _damaged(path, "its compressed data ends too soon")
    return data


def _aside(path: str) -> bool:
    """Whether a member is of the installation record: no part of the packages."""
    top, slash, _ = path.partition("/")
    return bool(slash) and top.endswith((".dist-info", ".data"))


def _damaged(path: str, what: str) -> TreeError:
    return TreeError(f"the wheel's entry is refused: {what}", path=path, mend="pin a wheel that its author built")
