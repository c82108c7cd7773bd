"""Changes of a library's source, each of a known class: what the drill tries the tool on.

A mutation edits text at the places that `select` found; no source is ever made from a tree. Each is checked to
have done what it says: the file parses still, and differs.
"""

from __future__ import annotations

import ast
import tomllib
import warnings
from collections.abc import Iterator, Mapping

from snippetlock.changes import ChangeClass
from snippetlock.drift.classes import is_narrow
from snippetlock.errors import MissingFile, SourceError
from snippetlock.model import Found, Tree, View
from snippetlock.records import dataclass
from snippetlock.select.events import events
from snippetlock.text import sha256
from snippetlock.workflow.ways import INSIDE, WAYS, Edit

__all__ = ["Mutation", "Overlay", "mutations"]


class Overlay:
    """A tree with some files replaced, added, or (None) removed."""

    def __init__(self, tree: Tree, files: Mapping[str, bytes | None]) -> None:
        self._tree = tree
        self._files = dict(files)
        self.identity = None

    def read(self, path: str) -> bytes:
        if path not in self._files:
            return self._tree.read(path)
        data = self._files[path]
        if data is None:
            mend = "look for its name in the library at the pin"
            raise MissingFile("the tree has no such file", path=path, mend=mend)
        return data

    def has(self, path: str) -> bool:
        return self._files[path] is not None if path in self._files else self._tree.has(path)

    def paths(self) -> tuple[str, ...]:
        kept = (path for path in self._tree.paths() if path not in self._files)
        return tuple(sorted([*kept, *(path for path, data in self._files.items() if data is not None)]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutation:
    """One change: what was done, the files that differ by it, and the class it has to be given."""

    way: str
    files: Mapping[str, bytes | None]
    cls: ChangeClass

    @property
    def digest(self) -> str:
        """The same for the same change, whatever the order of its files."""
        return sha256("".join(f"{path}\0{data!r}\0" for path, data in sorted(self.files.items())))


def mutations(found: Found, view: View) -> Iterator[Mutation]:
    """Every way that applies to what was found, as `view` shows it. Raises `SourceError` for one that went wrong."""
    for way, make in WAYS.items():
        if is_narrow(view) and way in INSIDE:
            continue  # whether the statements that the view names are touched, only the tool that is tried could say
        for cls, edits in make(found, view):
            files = edits if isinstance(edits, dict) else {found.path: _applied(found.text, edits)}
            for path, text in files.items():
                _check(way, found, path, text)
            yield Mutation(way=way, files={p: None if t is None else t.encode() for p, t in files.items()}, cls=cls)


def _applied(text: str, edits: list[Edit]) -> str:
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def _check(way: str, found: Found, path: str, text: str | None) -> None:
    if text is None:
        return
    problem = "changed nothing" if path == found.path and text == found.text else ""
    try:
        _parse(path, text)
    except (SyntaxError, ValueError, SourceError) as error:
        if _parses(path, found.text):  # else it is of a newer Python than this
            problem = f"left {path} unreadable: {error}"
    if problem:
        raise SourceError(f"the drill's `{way}` {problem}", path=path, mend="report it: this is a bug of snippetlock")


def _parse(path: str, text: str) -> None:
    """Raise what the grammar of a file's language raises; of most languages none is asked."""
    if path.endswith(".py"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about the library's escapes: not ours to say
            ast.parse(text)
    elif path.endswith((".yaml", ".yml")):
        events(text)
    elif path.endswith(".toml"):
        tomllib.loads(text)


def _parses(path: str, text: str) -> bool:
    try:
        _parse(path, text)
    except (SyntaxError, ValueError, SourceError):
        return False
    return True
