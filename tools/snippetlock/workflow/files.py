"""Find the files that are pages. Reads none of them, and imports nothing: a warm check asks here first.

A page is what MkDocs would take for one: every Markdown file under the folder, links followed, names that
start with a dot left out.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

SUFFIXES = (".md", ".markdown", ".mdown", ".mkdn", ".mkd")


def walk(docs: Path) -> tuple[tuple[str, bool], ...]:
    """Every page's path from `docs`, sorted, and whether it (or a linked folder) leads out of `docs` or nowhere.

    A linked folder that leads out is one entry and is not entered.
    """
    return tuple(sorted(_walk(os.fspath(docs), "", os.path.realpath(docs), ())))


def _walk(folder: str, prefix: str, top: str, above: tuple[str, ...]) -> Iterator[tuple[str, bool]]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.startswith("."):
                continue
            name = prefix + entry.name
            page = entry.name.lower().endswith(SUFFIXES)
            if not entry.is_symlink():
                if entry.is_dir():
                    yield from _walk(entry.path, name + "/", top, above)
                elif page:
                    yield name, False
                continue
            real = os.path.realpath(entry.path)
            outside = os.path.commonpath([real, top]) != top
            if os.path.isdir(real):
                if outside:
                    yield name, True
                elif real not in above and not top.startswith(real + os.sep) and real != top:  # else a circle
                    yield from _walk(entry.path, name + "/", top, (*above, real))
            elif page:
                yield name, outside or not os.path.exists(real)


def leads(link: Path) -> str:
    """What a link that `walk` found says, and what is not right with it."""
    missing = "" if os.path.exists(link) else ", which is not there"
    return f"it leads to {os.readlink(link)}{missing}"
