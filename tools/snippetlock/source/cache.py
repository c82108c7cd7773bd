"""From the pin to a tree: out of the cache, by digest or commit, or from a folder. Never asks the network."""

from __future__ import annotations

import os
from pathlib import Path

from snippetlock.errors import PinError
from snippetlock.model import Pin, Tree
from snippetlock.source.folder import packages_folder


def pinned_wheel(pin: Pin, cache: Path) -> Path:
    """Where the cache keeps the pinned wheel, whether or not it is there."""
    return cache / "wheels" / pin.sha256 / pin.file


def pinned_folder(pin: Pin, root: Path) -> Path:
    """The folder that holds the packages."""
    return packages_folder(root / pin.folder, pin.repository.root if pin.repository else "")


def open_tree(pin: Pin, root: Path, cache: Path) -> Tree:
    """The library's files. Hashes a wheel, looks that a commit is whole; never fetches. Raises `PinError`."""
    if pin.kind == "folder":
        from snippetlock.source.folder import FolderTree

        return FolderTree(pinned_folder(pin, root), where=pin.place)
    if pin.kind == "git":
        from snippetlock.source.gitpin import pinned_tree

        return pinned_tree(pin, root, cache)
    from snippetlock.source.wheel import WheelTree

    path = pinned_wheel(pin, cache)
    if not os.path.lexists(path):
        raise absent(pin, path)
    return WheelTree(path, pin.sha256, where=pin.place)


def absent(pin: Pin, path: Path) -> PinError:
    """The error for a wheel that has not been fetched."""
    what = f"{pin.label} is not in the cache"
    return PinError(what, path=pin.place, evidence=(f"looked for {path}",), mend="run `snippetlock pin fetch`")
