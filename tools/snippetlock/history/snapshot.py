"""A tree that is a table of names: which blob each file is. It says afterwards which files were asked for."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from contextlib import suppress

from snippetlock.errors import MissingFile, RepositoryError, TreeError
from snippetlock.source import PathChange, Repo, blobs
from snippetlock.source.gittree import is_pointer

__all__ = ["Contents", "Snapshot", "changed_files"]

_ROOM = 24 * 1024 * 1024  # bytes of contents kept


class Contents:
    """Blobs by name, those used last kept at hand."""

    def __init__(self, repo: Repo, room: int = _ROOM) -> None:
        self._repo = repo
        self._room = room
        self._held = 0
        self._known: OrderedDict[str, bytes | None] = OrderedDict()

    def get(self, name: str) -> bytes | None:
        """The content, or None for one too large to be source. Raises `RepositoryError`."""
        if name in self._known:
            self._known.move_to_end(name)
            return self._known[name]
        ((_, data),) = blobs(self._repo, [name])
        self._keep(name, data)
        return data

    def ahead(self, names: Iterable[str]) -> None:
        """Have these at hand, in fewer trips than one each; only time is lost where not all can be had."""
        wanted = [name for name in dict.fromkeys(names) if name not in self._known]
        with suppress(RepositoryError):  # who needs the one that is missing will hear of it
            for name, data in blobs(self._repo, wanted):
                self._keep(name, data)

    def _keep(self, name: str, data: bytes | None) -> None:
        self._known[name] = data
        self._held += len(data or b"")
        while self._held > self._room and len(self._known) > 1:
            _, gone = self._known.popitem(last=False)
            self._held -= len(gone or b"")


class Snapshot:
    """The files `files` (path to blob) with `changed` laid over them, None for one that is gone.

    `reads` are the paths that were asked for since it was last cleared: while their blobs are the same, the same
    questions have the same answers.
    """

    identity = None

    def __init__(
        self, contents: Contents, files: Mapping[str, str], changed: Mapping[str, str | None] | None = None
    ) -> None:
        self.reads: set[str] = set()
        self._contents = contents
        self._files = files
        self._changed = changed or {}
        self._named: dict[tuple[str, ...], str] = {}

    def blob(self, path: str) -> str | None:
        """The name of a file's content; None for no file. Is not noted as asked for."""
        return self._changed[path] if path in self._changed else self._files.get(path)

    def named(self, paths: tuple[str, ...]) -> str:
        """The names of what is in these files, `-` for no file: snippets of one file ask the same."""
        found = self._named.get(paths)
        if found is None:
            changed, files = self._changed, self._files
            names = [(changed[path] if path in changed else files.get(path)) or "-" for path in paths]
            found = self._named[paths] = " ".join(names)
        return found

    def ahead(self, paths: Iterable[str]) -> None:
        """Have at hand what is in these files. Is not noted as asked for."""
        self._contents.ahead(blob for blob in map(self.blob, paths) if blob)

    def read(self, path: str) -> bytes:
        self.reads.add(path)
        name = self.blob(path)
        if name is None:
            mend = "look for its name in the library at that commit"
            raise MissingFile("the tree has no such file", path=path, mend=mend)
        data = self._contents.get(name)
        if data is None:
            raise TreeError("refused: too large to be source", path=path, mend="quote from a smaller file")
        if is_pointer(data):
            mend = "quote from a file that git keeps itself"
            raise TreeError("refused: a Git LFS pointer", path=path, mend=mend)
        return data

    def has(self, path: str) -> bool:
        self.reads.add(path)
        return self.blob(path) is not None

    def paths(self) -> tuple[str, ...]:
        """None: only messages ask, to say what else there is, and that would take longer than all the rest."""
        return ()


def changed_files(paths: tuple[PathChange, ...]) -> dict[str, str | None]:
    """What a commit makes of each file that it touches: its blob, None for one that is gone."""
    gone = {change.old_path: None for change in paths if change.old is not None}
    return {**gone, **{change.path: change.new for change in paths if change.new is not None}}
