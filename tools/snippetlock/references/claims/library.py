"""The pinned library as claims ask it: its index, its data files and Python files, each read once."""

from __future__ import annotations

from typing import Any

from snippetlock.errors import SnippetlockError
from snippetlock.index import Definition, Index
from snippetlock.references.claims.answers import Stop
from snippetlock.references.claims.written import Written, read_written
from snippetlock.select.values import Datum, read_data
from snippetlock.text import decode

__all__ = ["Library"]


class Library:
    """One state of the library. What is read stays: many claims ask for the same files."""

    def __init__(self, index: Index) -> None:
        self.index = index
        self.known: dict[Any, Any] = {}  # what other modules found out: by their own keys
        self._data: dict[str, Datum | Stop] = {}
        self._written: dict[str, Written | Stop] = {}

    def data(self, path: str) -> Datum:
        """A data file. Raises `Stop` where it cannot be read."""
        if path not in self._data:
            try:
                self._data[path] = read_data(self.index.tree.read(path), path)
            except SnippetlockError as error:
                self._data[path] = _unreadable(path, error)
        found = self._data[path]
        if isinstance(found, Stop):
            raise found
        return found

    def written(self, path: str) -> Written:
        """A Python file. Raises `Stop` where it cannot be read."""
        if path not in self._written:
            try:
                text = decode(self.index.tree.read(path), path, python=True)
                self._written[path] = read_written(text.replace("\r\n", "\n").replace("\r", "\n"), path)
            except SnippetlockError as error:
                self._written[path] = _unreadable(path, error)
            except Stop as stop:
                self._written[path] = stop
        found = self._written[path]
        if isinstance(found, Stop):
            raise found
        return found

    def definitions(self) -> tuple[Definition, ...]:
        """Every definition that no function hides, by file and in order. Found out once."""
        if "definitions" not in self.known:
            found = []
            for number in range(len(self.index.paths)):
                file = self.index.file(number)
                found += [self.index.definition(file, at) for at in range(len(file.sheet["defs"]))]
            self.known["definitions"] = tuple(each for each in found if not each.local)
        every: tuple[Definition, ...] = self.known["definitions"]
        return every


def _unreadable(path: str, error: SnippetlockError) -> Stop:
    return Stop("unknown", f"{path} cannot be read: {error.headline}", evidence=error.evidence)
