"""The pin to a tree: from the cache, by digest, or from a folder. Only `fetch` touches the network."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from snippetlock.errors import PinError
from snippetlock.model import Pin, Progress, Tree
from snippetlock.source.folder import FolderTree
from snippetlock.source.wheel import WheelTree, verify


@dataclass(frozen=True, slots=True, kw_only=True)
class PinStatus:
    """What `snippetlock pin` shows. `size` is in bytes; `problem` is empty when the library can be read."""

    label: str
    kind: str
    digest: str  # "sha256:…" of a wheel, "" of a folder, which has none
    origin: str  # where it comes from, in words
    path: Path  # where it is, or would be
    cached: bool  # a wheel that is there and whose digest holds; a folder that is there
    size: int | None
    problem: str = ""
    mend: str = ""


def pinned_wheel(pin: Pin, cache: Path) -> Path:
    """Where the cache keeps the pinned wheel, whether or not it is there."""
    return cache / "wheels" / pin.sha256 / pin.file


def pinned_folder(pin: Pin, root: Path) -> Path:
    """The folder that holds the packages: of a whole checkout, the repository's `root` in it."""
    folder = root / pin.folder
    if pin.repository and pin.repository.root and (folder / pin.repository.root).is_dir():
        return folder / pin.repository.root
    return folder


def open_tree(pin: Pin, root: Path, cache: Path) -> Tree:
    """The library's files. Hashes a wheel, reads nothing else yet; never fetches. Raises `PinError`."""
    if pin.kind == "folder":
        return FolderTree(pinned_folder(pin, root), where=pin.place)
    path = pinned_wheel(pin, cache)
    if not os.path.lexists(path):
        raise absent(pin, path)
    return WheelTree(path, pin.sha256, where=pin.place)


def absent(pin: Pin, path: Path) -> PinError:
    """The error for a wheel that has not been fetched."""
    evidence = (f"looked for {path}",)
    what = f"{pin.label} is not in the cache"
    return PinError(what, path=pin.place, evidence=evidence, mend="run `snippetlock pin fetch`")


def pin_status(pin: Pin, root: Path, cache: Path) -> PinStatus:
    """Look at what is there. Raises nothing about the library: what is wrong is said in `problem`."""
    if pin.kind == "folder":
        folder = pinned_folder(pin, root)
        there = folder.is_dir()
        problem, mend = ("", "") if there else ("the folder does not exist", "set `folder` in the pin to the checkout")
        return PinStatus(
            label=pin.label,
            kind=pin.kind,
            digest="",
            origin=f"the folder {pin.folder}",
            path=folder,
            cached=there,
            size=None,
            problem=problem,
            mend=mend,
        )
    path = pinned_wheel(pin, cache)
    size, problem, mend = None, "", ""
    try:
        if not os.path.lexists(path):
            raise absent(pin, path)
        verify(path, pin.sha256, pin.place)
    except PinError as error:
        problem, mend = error.what, error.mend
    if path.is_file():
        size = path.stat().st_size
    return PinStatus(
        label=pin.label,
        kind=pin.kind,
        digest=f"sha256:{pin.sha256}",
        origin=f"the package index, through pip: {pin.file}",
        path=path,
        cached=not problem,
        size=size,
        problem=problem,
        mend=mend,
    )


def fetch(pin: Pin, cache: Path, progress: Progress | None = None, environ: Mapping[str, str] | None = None) -> Path:
    """Get the pinned wheel into the cache with pip and return its path; a good one there is kept.

    `environ` is pip's environment (index, proxies, certificates); where it is None, pip inherits ours as it
    is. Raises `PinError` for every way this can fail, and then the cache is as it was.
    """
    from snippetlock.source.download import download  # subprocess and tempfile: only who fetches pays for them

    return download(pin, pinned_wheel(pin, cache), progress, environ)
