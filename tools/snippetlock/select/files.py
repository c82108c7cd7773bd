"""The files of a tree as `select` reads them, and which of them decided the answer."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from itertools import count
from typing import TypeVar

from snippetlock.errors import TreeError
from snippetlock.model import Tree
from snippetlock.records import dataclass, field
from snippetlock.select.outline import Outline
from snippetlock.select.skim import Skim, skim
from snippetlock.text import decode, sha256

__all__ = ["Module", "Reader", "outlined"]

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True)
class Module:
    """A Python file under the name it is imported by; `package` when that is a folder's `__init__.py`."""

    name: str
    path: str
    outline: Outline
    package: bool

    @property
    def text(self) -> str:
        return self.outline.skim.text


@dataclass(frozen=True, slots=True)
class Reader:
    """A tree, and what of it was consulted: each file's SHA-256, None for one that had to be absent."""

    tree: Tree
    consulted: dict[str, str | None] = field(default_factory=dict)
    lookups: Iterator[int] = field(default_factory=count)  # how many names were looked up so far

    def python(self, path: str) -> Outline:
        """The outline of a Python file. Raises `TreeError` or, for its encoding, `SourceError`."""
        outline, digest = outlined(self.tree.read(path), path)
        self._saw(path, digest)
        return outline

    def _saw(self, path: str, digest: str | None) -> None:
        """Note the state of a file. One answer must not come of two states: no list of files would prove it."""
        if self.consulted.setdefault(path, digest) != digest:
            raise TreeError("it changed while it was read", path=path, mend="run the command again")

    def module(self, name: str) -> Module | None:
        """The module of this dotted name, or None. A package wins over a file beside it, as for Python."""
        base = name.replace(".", "/")
        for path, package in ((f"{base}/__init__.py", True), (f"{base}.py", False)):
            if self.tree.has(path):
                return Module(name, path, self.python(path), package)
            self._saw(path, None)
        return None

    def file(self, path: str) -> Module:
        """The Python file at this path, under the name that imports of it would use."""
        base = path.removesuffix(".py")
        package = base.endswith("/__init__")
        return Module(base.removesuffix("/__init__").replace("/", "."), path, self.python(path), package)


_MOST_READ, _MOST_NEAR = 64, 256
_READ: OrderedDict[bytes, tuple[Outline, str]] = OrderedDict()  # by content: snippets of one file share it
_NEAR: OrderedDict[str, Skim] = OrderedDict()  # what was read last, by path and by file name: most are versions of it


def outlined(data: bytes, path: str) -> tuple[Outline, str]:
    """The outline of a file's bytes, and their SHA-256. Raises `SourceError` for what is not of its encoding."""
    found = _READ.get(data)
    if found is not None:
        _READ.move_to_end(data)
        return found
    name = path.rpartition("/")[2]
    near = _NEAR.get(path) or _NEAR.get(name)
    found = Outline(skim(decode(data, path, python=True), near)), sha256(data)
    _keep(_READ, data, found, _MOST_READ)
    _keep(_NEAR, path, found[0].skim, _MOST_NEAR)
    _keep(_NEAR, name, found[0].skim, _MOST_NEAR)
    return found


def _keep(kept: OrderedDict[_Key, _Value], key: _Key, value: _Value, most: int) -> None:
    kept[key] = value
    kept.move_to_end(key)
    if len(kept) > most:
        kept.popitem(last=False)
