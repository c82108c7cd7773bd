"""Read the pages of a docs folder. Judges nothing: a page that cannot be read is its caller's to report."""

from __future__ import annotations

from functools import cached_property, lru_cache
from pathlib import Path

from snippetlock.errors import ConfigError
from snippetlock.model import Finding, Place
from snippetlock.reading import no_file, read_file
from snippetlock.records import dataclass, replace
from snippetlock.references import Scan, scan
from snippetlock.references.layout import Layout


@dataclass(frozen=True, kw_only=True)
class Page:
    """One Markdown file: its path from the project's root, its language and what it says.

    `name` is its path from the docs folder, as MkDocs calls it. `front`: whether front matter may stand at its top.
    """

    path: str
    name: str
    language: str
    text: str
    front: bool = True

    @cached_property
    def scan(self) -> Scan:
        """What was seen in it: looked for when somebody asks."""
        return _scanned(self.text, front=self.front)

    def was_scanned(self, seen: Scan) -> None:
        """Have it that another process scanned this page, and saw this."""
        vars(self)["scan"] = replace(seen, layout=Layout(self.text, front=self.front))

    def place(self, line: int, column: int | None = None) -> Place:
        """Where a line of this page is."""
        return Place(path=self.path, line=line, column=column)


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """One directive of a page that asks for a snippet."""

    snippet: str
    place: Place


# A site in two languages is built as two, and each opens the project: the same texts need one scan.
_scanned = lru_cache(maxsize=1024)(scan)


def read(docs: Path, name: str, path: str, languages: tuple[str, ...]) -> Page:
    """Read one page. Raises UnicodeDecodeError when it is not UTF-8."""
    try:
        data = read_file(docs / name)
    except OSError as error:
        mend = "take it out of the docs, or put a page in its place" if no_file(error) else "mend its permissions"
        raise ConfigError(f"a page cannot be read: {error.strerror}", path=path, mend=mend) from error
    text = data.decode("utf-8-sig")
    return Page(path=path, name=name, language=language(name, languages), text=text)


def language(name: str, languages: tuple[str, ...]) -> str:
    """The language a page's name says (`page.zh.md`), else the first one."""
    parts = name.rpartition("/")[2].split(".")
    return parts[-2] if len(parts) > 2 and parts[-2] in languages else languages[0]


def undecodable(path: str, error: UnicodeDecodeError) -> Finding:
    """The finding about a page that is not UTF-8."""
    line = error.object.count(b"\n", 0, error.start) + 1
    column = error.start - error.object.rfind(b"\n", 0, error.start)
    message = f"not UTF-8: the byte 0x{error.object[error.start]:02x} does not belong here"
    return Finding(rule="SL501", place=Place(path=path, line=line, column=column), message=message)
