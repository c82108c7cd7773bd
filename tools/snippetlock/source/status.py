"""What can be said of the pin without reading the library: `snippetlock pin`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from snippetlock.errors import PinError
from snippetlock.model import Pin
from snippetlock.records import dataclass
from snippetlock.source.cache import absent, pinned_folder, pinned_wheel
from snippetlock.source.wheel import verify


@dataclass(frozen=True, slots=True, kw_only=True)
class PinStatus:
    """What `snippetlock pin` shows. `size` is in bytes; `problem` is empty when the library can be read."""

    label: str
    kind: Literal["wheel", "folder", "git"]
    digest: str  # "sha256:…" of a wheel, "commit …" of a commit, "" of a folder, which has none
    origin: str  # where it comes from, in words
    path: Path  # where it is, or would be
    cached: bool  # a wheel that is there and whose digest holds; a folder that is there; a commit with all its files
    size: int | None = None
    note: str = ""  # what git says of a folder
    problem: str = ""
    mend: str = ""


def pin_status(pin: Pin, root: Path, cache: Path, environ: Mapping[str, str] | None = None) -> PinStatus:
    """Look at what is there, and say in `problem` what is wrong with it: raises nothing about the library.

    `environ` is what git is to see of ours when it is asked about a folder.
    """
    if pin.kind == "git":
        return _of_commit(pin, root, cache)
    return _of_folder(pin, root, environ) if pin.kind == "folder" else _of_wheel(pin, cache)


def _of_folder(pin: Pin, root: Path, environ: Mapping[str, str] | None) -> PinStatus:
    from snippetlock.source.checkout import folder_state

    folder = pinned_folder(pin, root)
    there = os.path.isdir(folder)
    return PinStatus(
        label=pin.label,
        kind=pin.kind,
        digest="",
        origin=f"the folder {pin.folder}",
        path=folder,
        cached=there,
        note=folder_state(folder, environ).said if there else "",
        problem="" if there else "the folder does not exist",
        mend="" if there else "set `folder` in the pin to the checkout",
    )


def _of_commit(pin: Pin, root: Path, cache: Path) -> PinStatus:
    from snippetlock.source.gitpin import pinned_place, pinned_tree

    problem = mend = ""
    try:
        pinned_tree(pin, root, cache).repo.objects.close()
    except PinError as error:
        problem, mend = error.what, error.mend
    origin, path = pinned_place(pin, root, cache)
    return PinStatus(
        label=pin.label,
        kind=pin.kind,
        digest=f"commit {pin.commit}",
        origin=f"the repository {origin}",
        path=path,
        cached=not problem,
        problem=problem,
        mend=mend,
    )


def _of_wheel(pin: Pin, cache: Path) -> PinStatus:
    path = pinned_wheel(pin, cache)
    problem = mend = ""
    try:
        if not os.path.lexists(path):
            raise absent(pin, path)
        verify(path, pin.sha256, pin.place)
    except PinError as error:
        problem, mend = error.what, error.mend
    return PinStatus(
        label=pin.label,
        kind=pin.kind,
        digest=f"sha256:{pin.sha256}",
        origin=f"the package index, through pip: {pin.file}",
        path=path,
        cached=not problem,
        size=os.path.getsize(path) if os.path.isfile(path) else None,
        problem=problem,
        mend=mend,
    )
