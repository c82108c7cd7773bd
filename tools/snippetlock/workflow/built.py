"""Read a built site: which HTML pages it has, and what each shows as code. Follows no link."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from snippetlock.config import Config
from snippetlock.errors import UsageError
from snippetlock.reading import read_file
from snippetlock.records import dataclass
from snippetlock.references.published import Doubt, Shown, read

_HTML = (".html", ".htm", ".xhtml", ".xht")
_CHARSET = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w-]+)", re.I)
_HEAD = 1024  # bytes in which a browser looks for the encoding
_UTF8 = (b"utf-8", b"utf8")


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """A site's folder, the names of its HTML pages below it, and those of the links in it, sorted."""

    config: Config
    folder: Path
    pages: tuple[str, ...]
    links: tuple[str, ...]

    def called(self, name: str) -> str:
        """How findings call a file of the site."""
        return self.config.name(self.folder.absolute() / name)

    def shown(self, name: str) -> Shown:
        """What a page shows as code. Raises `UsageError` when it cannot be read."""
        try:
            data = read_file(self.folder / name)
        except OSError as error:
            raise _unreadable(self.called(name), error) from error
        shown = read(data.decode("utf-8", "replace"))
        doubts = tuple(Doubt(1, what) for what in _encoding(data))
        return shown._replace(doubts=(*doubts, *shown.doubts)) if doubts else shown


def built(config: Config, folder: Path) -> Built:
    """The site in a folder. Raises `UsageError` for a folder without HTML pages, or one that cannot be read."""
    if not os.path.isdir(folder):
        raise UsageError(f"there is no HTML page in {folder}", mend="build the site first, then name its folder")
    pages: list[str] = []
    links: list[str] = []
    for name, link in _walk(folder, "", config):
        if link:
            links.append(name)
        if name.lower().endswith(_HTML) and (folder / name).is_file():
            pages.append(name)
    if not pages and not links:
        raise UsageError(f"there is no HTML page in {folder}", mend="build the site first, then name its folder")
    return Built(config=config, folder=folder, pages=tuple(sorted(pages)), links=tuple(sorted(links)))


def _walk(folder: Path, prefix: str, config: Config) -> Iterator[tuple[str, bool]]:
    """Every file and every link, by its name below the site's folder; what a link leads to is not entered."""
    try:
        with os.scandir(folder) as entries:
            found = [(entry.name, entry.is_symlink(), entry.is_dir(follow_symlinks=False)) for entry in entries]
    except OSError as error:
        raise _unreadable(config.name(folder.absolute()), error) from error
    for name, link, directory in found:
        if directory and not link:
            yield from _walk(folder / name, f"{prefix}{name}/", config)
        else:
            yield f"{prefix}{name}", link


def _encoding(data: bytes) -> Iterator[str]:
    """Why a browser may read other letters than those of UTF-8."""
    if data.startswith((b"\xfe\xff", b"\xff\xfe")):
        yield "it is UTF-16"
        return
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        yield "it is not UTF-8"
    for said in _CHARSET.findall(data[:_HEAD]):
        if said.lower() not in _UTF8:
            yield f"it says that its encoding is {said.decode('ascii', 'replace')}"


def _unreadable(name: str, error: OSError) -> UsageError:
    mend = "mend its permissions, or build the site again"
    return UsageError(f"a part of the site cannot be read: {error.strerror}: {name}", mend=mend)
