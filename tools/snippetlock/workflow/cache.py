"""Results kept between runs: values and bytes by key, texts by digest. Losing any of it only costs time.

Shared by processes: an entry is written beside its place and renamed onto it, and says its own checksum, so a
reader sees a whole entry or none. An entry that is damaged is treated as absent, and a folder that cannot be
written to as one that keeps nothing.
"""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from unicodedata import unidata_version

TYPE_CHECKING = False  # as `typing` has it, which costs 3 ms
if TYPE_CHECKING:
    from typing import Any


class Cache:
    """A folder of entries, one file each. The folder is made when something is first kept."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get(self, kind: str, key: str) -> Any:
        """The value kept under the key, or None."""
        body = self._read(self._path(kind, f"{key}.json"))
        return None if body is None else json.loads(body)

    def put(self, kind: str, key: str, value: Any) -> None:
        """Keep a value that JSON can say."""
        body = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        self._keep(self._path(kind, f"{key}.json"), body.encode("utf-8", "surrogatepass"))

    def data(self, kind: str, key: str) -> bytes | None:
        """The bytes kept under the key, or None. For what is large: nothing has to be parsed."""
        return self._read(self._path(kind, key))

    def put_data(self, kind: str, key: str, data: bytes) -> None:
        """Keep bytes. Apart from the values: the same key may have both."""
        self._keep(self._path(kind, key), data)

    def text(self, digest: str) -> str | None:
        """The text that has this SHA-256 (of its UTF-8 bytes), or None."""
        try:
            data = _bytes(self._text_path(digest))
        except OSError:
            return None
        return data.decode("utf-8", "surrogatepass") if sha256(data).hexdigest() == digest else None

    def keep_text(self, digest: str, text: str) -> None:
        """Keep a text by its digest, over a damaged one too."""
        if self.text(digest) is None:
            self._write(self._text_path(digest), text.encode("utf-8", "surrogatepass"))

    # Plain strings: to make a `Path` takes as long as to find that nothing is there, and there are thousands.

    def _path(self, kind: str, name: str) -> str:
        return f"{self._folder}/{kind}/{name}"

    def _text_path(self, digest: str) -> str:
        return f"{self._folder}/texts/{digest}"

    def _read(self, path: str) -> bytes | None:
        try:
            checksum, _, body = _bytes(path).partition(b"\n")
        except OSError:
            return None
        return body if sha256(body).hexdigest().encode() == checksum else None

    def _keep(self, path: str, body: bytes) -> None:
        self._write(path, sha256(body).hexdigest().encode() + b"\n" + body)

    def _write(self, path: str, data: bytes) -> None:
        folder, _, name = path.rpartition("/")
        beside = f"{folder}/.{name}.{os.getpid()}"
        try:
            try:
                _put(beside, data)
            except FileNotFoundError:  # the first entry of its kind
                os.makedirs(folder, exist_ok=True)
                _put(beside, data)
            os.replace(beside, path)
        except (OSError, KeyboardInterrupt) as error:
            with suppress(OSError):
                os.unlink(beside)
            if isinstance(error, KeyboardInterrupt):
                raise
            # read-only, full, or somebody's file in the way: we work without


def _bytes(path: str) -> bytes:
    with open(path, "rb", buffering=0) as file:
        return file.read()


def _put(path: str, data: bytes) -> None:
    with open(path, "wb") as file:
        file.write(data)


def tool_stamp(package: Path = Path(__file__).parent.parent) -> str:
    """A digest that changes when this tool, the parsers it relies on, or Python, is another one than before.

    Names, sizes and times of the tool's files stand for their content: an installation does not change one and
    keep all three. For a parser stand its version and the size and time of its first file, for Python its version
    and Unicode's, by which it tells names. Results of another stamp are never used.
    """
    within = len(str(package)) + 1
    facts: list[object] = [sys.version_info[:], unidata_version]
    for folder, folders, files in os.walk(package):
        folders.sort()
        for name in sorted(files):
            if name.endswith((".py", ".txt")):
                path = f"{folder}/{name}"
                facts.append((path[within:], *_state(path)))
    facts += [(name, _installed(name, called)) for name, called in _PARSERS]
    return sha256(repr(facts).encode()).hexdigest()


_PARSERS = (("libcst", "libcst"), ("yaml", "pyyaml"))
"""What is imported, and what its record of installation is called, in lower case."""


def _installed(name: str, called: str) -> tuple[object, ...]:
    """What tells one installation of a package from another; found as importing would, without its machinery."""
    for folder in sys.path:
        try:
            first = _state(os.path.join(folder, name, "__init__.py"))
        except OSError:
            continue
        records = (entry for entry in os.listdir(folder) if entry.endswith((".dist-info", ".egg-info")))
        return (*first, *sorted(entry for entry in records if entry.lower().startswith(f"{called}-")))
    return ()


def _state(path: str) -> tuple[int, int]:
    known = os.stat(path)
    return known.st_size, known.st_mtime_ns
