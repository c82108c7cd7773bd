"""Find definitions files where none is read. Reads nothing and imports little: a warm check asks too."""

from __future__ import annotations

import os
from collections.abc import Iterator

EXAMPLES = "examples"  # holds programs, and whatever they need
RUNS = "runs"  # holds what programs said when they were run
SUFFIXES = (".yaml", ".yml")


def strays(folder: str) -> tuple[str, ...]:
    """Every YAML file below a sub-folder of `folder`, sorted; hidden ones and those of the examples left out.

    Linked folders are entered, each folder once. Of a folder that cannot be read nothing is said.
    """
    return tuple(sorted(_below(folder, {os.path.realpath(folder)}, top=True)))


def beneath(folder: str) -> tuple[str, ...]:
    """Every file of the examples and of the recorded runs in `folder`, sorted, by its path below it.

    Left out is what running or installing a program leaves behind, and what is hidden. No link to a folder is entered.
    """
    found = []
    for top in (EXAMPLES, RUNS):
        for where, folders, files in os.walk(os.path.join(folder, top)):
            folders[:] = sorted(name for name in folders if not _left_behind(name))
            below = os.path.relpath(where, folder).replace(os.sep, "/")
            found += [f"{below}/{name}" for name in files if not _left_behind(name)]
    return tuple(sorted(found))


def _left_behind(name: str) -> bool:
    return name.startswith(".") or name in ("__pycache__", "build", "dist") or name.endswith((".egg-info", ".pyc"))


def _below(folder: str, seen: set[str], *, top: bool) -> Iterator[str]:
    try:
        entries = list(os.scandir(folder))
    except OSError:
        return
    for entry in entries:
        if entry.name.startswith(".") or (top and entry.name in (EXAMPLES, RUNS)):
            continue
        if entry.is_dir():
            real = os.path.realpath(entry.path)
            if real not in seen:
                seen.add(real)
                yield from _below(entry.path, seen, top=False)
        elif not top and entry.name.lower().endswith(SUFFIXES):
            yield entry.path
