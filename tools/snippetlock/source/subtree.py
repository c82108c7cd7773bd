"""A tree of which only some packages are seen: the rest of a repository is none of the library's."""

from __future__ import annotations

from collections.abc import Iterable

from snippetlock.model import Tree
from snippetlock.source.door import missing

__all__ = ["Subtree"]


class Subtree:
    """The files of these packages (`name/…`, or the module `name.py`) of another tree."""

    def __init__(self, tree: Tree, packages: Iterable[str]) -> None:
        self.tree = tree
        self.packages = tuple(sorted(set(packages)))
        self.identity = tree.identity and f"{tree.identity}:{','.join(self.packages)}"
        self._paths: tuple[str, ...] | None = None

    def read(self, path: str) -> bytes:
        if not self._within(path):
            raise missing(path, self.paths())
        return self.tree.read(path)

    def has(self, path: str) -> bool:
        return self._within(path) and self.tree.has(path)

    def paths(self) -> tuple[str, ...]:
        if self._paths is None:
            self._paths = tuple(path for path in self.tree.paths() if self._within(path))
        return self._paths

    def blob_id(self, path: str) -> str | None:
        """What git calls a file's content; None where it is no file of a commit."""
        found = getattr(self.tree, "blob_id", None)
        name: str | None = found(path) if found is not None and self._within(path) else None
        return name

    def _within(self, path: str) -> bool:
        first, below, _ = path.partition("/")
        return (first if below else first.removesuffix(".pyi").removesuffix(".py")) in self.packages
