"""The pinned library as claims ask it: its index, its data files and Python files, each read once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from snippetlock.errors import SnippetlockError
from snippetlock.index import Definition, Index
from snippetlock.index.index import module_of
from snippetlock.index.rows import Row
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

    def definitions(self, fits: Callable[[str, Row], bool]) -> Iterator[Definition]:
        """Every definition that no function hides, by file and in order, of those whose module and row fit.

        Most do not, and a row is read in a fraction of the time that it takes to make a definition of it.
        """
        for number, path in enumerate(self.index.paths):
            file, module = self.index.file(number), module_of(path)
            for at, row in enumerate(file.sheet["defs"]):
                if fits(module, row):
                    found = self.index.definition(file, at)
                    if not found.local:
                        yield found


def _unreadable(path: str, error: SnippetlockError) -> Stop:
    return Stop("unknown", f"{path} cannot be read: {error.headline}", evidence=error.evidence)
