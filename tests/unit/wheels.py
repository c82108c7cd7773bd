"""Small wheels, and a package index that is a folder: pip reads it by a `file:` address, as it reads a server's."""

from __future__ import annotations

import base64
import hashlib
import os
import re
import zipfile
from pathlib import Path


def wheel(
    folder: Path, name: str, version: str, files: dict[str, str], *, tags: str = "py3-none-any", called: str = ""
) -> Path:
    """A wheel that pip accepts. `called` is the name that it has inside, where that is another one."""
    info = f"{name}-{version}.dist-info"
    metadata = f"Metadata-Version: 2.1\nName: {called or name}\nVersion: {version}\nRequires-Python: >=9\n"
    contents = {
        **files,
        f"{info}/METADATA": metadata,
        f"{info}/WHEEL": f"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: {tags}\n",
    }
    record = ""
    for path, text in contents.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()
        record += f"{path},sha256={digest},{len(text.encode())}\n"
    folder.mkdir(parents=True, exist_ok=True)
    place = folder / f"{name}-{version}-{tags}.whl"
    with zipfile.ZipFile(place, "w") as archive:
        for path, text in {**contents, f"{info}/RECORD": record}.items():
            archive.writestr(zipfile.ZipInfo(path), text)
    return place


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def plain(name: str) -> str:
    """A package's name as an index writes it in addresses."""
    return re.sub(r"[-_.]+", "-", name).lower()


class Index:
    """An index in `folder`, all that pip is told of. What was added last stands last; pip sorts by version itself."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.links: dict[str, list[str]] = {}

    @property
    def environ(self) -> dict[str, str]:
        """What pip sees. Set against us: options that a user may have set for other work."""
        return {
            "PATH": os.environ["PATH"],
            "HOME": str(self.folder.parent),
            "PIP_CONFIG_FILE": os.devnull,
            "PIP_INDEX_URL": f"file://{self.folder}",
            "PIP_NO_BINARY": ":all:",
            "PIP_QUIET": "3",
            "PIP_PRE": "1",
            "PIP_USER": "1",
            "PIP_TARGET": "/nowhere",
            "PIP_REQUIRE_VIRTUALENV": "1",
            "PIP_REQUIRE_HASHES": "1",
        }

    def add(
        self,
        name: str,
        version: str,
        files: dict[str, str] | None = None,
        *,
        yanked: str | None = None,
        tags: str = "py3-none-any",
        called: str = "",
        hashed: bool = True,
    ) -> Path:
        """A release with a wheel."""
        given = {f"{name}/__init__.py": f'__version__ = "{version}"\n'} if files is None else files
        place = wheel(self.folder / plain(name), name, version, given, tags=tags, called=called)
        self._link(name, place, f"#sha256={digest(place)}" if hashed else "", yanked)
        return place

    def sources(self, name: str, version: str) -> None:
        """A release that has an archive of its sources alone."""
        place = self.folder / plain(name) / f"{name}-{version}.tar.gz"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(b"never opened")
        self._link(name, place, "", None)

    def _link(self, name: str, place: Path, fragment: str, yanked: str | None) -> None:
        mark = "" if yanked is None else f' data-yanked="{yanked}"'
        self.links.setdefault(name, []).append(f'<a href="{place.name}{fragment}"{mark}>{place.name}</a><br>\n')
        page = f"<!DOCTYPE html>\n<html><body>\n{''.join(self.links[name])}</body></html>\n"
        (place.parent / "index.html").write_text(page)
