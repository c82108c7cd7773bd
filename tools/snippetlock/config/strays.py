"""Find definitions files where none is read. Reads nothing and imports little: a warm check asks too."""

from __future__ import annotations

import os
from collections.abc import Iterator

EXAMPLES = "examples"  # holds programs, and whatever they need
SUFFIXES = (".yaml", ".yml")


def strays(folder: str) -> tuple[str, ...]:
    """Every YAML file below a sub-folder of `folder`, sorted; hidden ones and those of the examples left out.

    Linked folders are entered, each folder once. Of a folder that cannot be read nothing is said.
    """
    return tuple(sorted(_below(folder, {os.path.realpath(folder)}, top=True)))


def _below(folder: str, seen: set[str], *, top: bool) -> Iterator[str]:
    try:
        entries = list(os.scandir(folder))
    except OSError:
        return
    for entry in entries:
        if entry.name.startswith(".") or (top and entry.name == EXAMPLES):
            continue
        if entry.is_dir():
            real = os.path.realpath(entry.path)
            if real not in seen:
                seen.add(real)
                yield from _below(entry.path, seen, top=False)
        elif not top and entry.name.lower().endswith(SUFFIXES):
            yield entry.path
