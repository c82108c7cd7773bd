"""Definitions files with other selectors: edited where they say them, and read back before anybody writes them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from snippetlock.config import parse_definitions
from snippetlock.config.document import decode
from snippetlock.config.editing import edit_source, source_written
from snippetlock.errors import ConfigError, UsageError
from snippetlock.model import Written
from snippetlock.reading import read_file
from snippetlock.workflow.project import Project

__all__ = ["mended", "sources", "text_of"]

_MARK = "\ufeff"  # some editors put one at the top


def mended(
    project: Project, selectors: Mapping[str, str], written: Mapping[str, Written] | None = None
) -> dict[Path, bytes | None]:
    """The definitions files in which a selector changes, as they are to be; `selectors` by id.

    `written` says of some of these how they were written once, when the file said the same selector.

    Raises `UsageError` where a file is not as the project read it, and where an edit would be read as something else.
    """
    wanted: dict[Path, dict[str, str]] = {}
    for name, selector in selectors.items():
        definition = project.defined[name][0]
        if definition.selector.text != selector:
            wanted.setdefault(project.config.root / definition.place.path, {})[name] = selector
    ways = written or {}
    return {path: _edited(project, path, edits, ways).encode("utf-8") for path, edits in sorted(wanted.items())}


def sources(project: Project, ids: Iterable[str]) -> dict[str, Written]:
    """How the definitions files write the selectors of these snippets, by id."""
    texts: dict[str, str] = {}
    found = {}
    for id in ids:
        name = project.defined[id][0].place.path
        if name not in texts:
            texts[name] = text_of(project.config.root / name, name)[0]
        way = source_written(texts[name], id, name=name)
        if way is not None:
            found[id] = way
    return found


def _edited(project: Project, path: Path, edits: Mapping[str, str], written: Mapping[str, Written]) -> str:
    name = project.config.name(path)
    text, mark = text_of(path, name)
    if parse_definitions(text, name) != tuple(d for d in project.definitions if d.place.path == name):
        raise UsageError("it changed while it was looked at", path=name, mend="run the command again")
    wanted = [(d.id, edits.get(d.id, d.selector.text), d.view) for d in parse_definitions(text, name)]
    for id, selector in edits.items():
        text = edit_source(text, id, selector, was=written.get(id), name=name)
    by_hand = f"write it by hand: {', '.join(f'source of {id}: {selector}' for id, selector in edits.items())}"
    try:
        said = [(d.id, d.selector.text, d.view) for d in parse_definitions(text, name)]
    except ConfigError as error:
        raise UsageError(f"a selector cannot be edited: {error.what}", path=name, mend=by_hand) from error
    if said != wanted:
        raise UsageError("a selector cannot be edited without changing what the file says", path=name, mend=by_hand)
    return mark + text


def text_of(path: Path, name: str) -> tuple[str, str]:
    """The text of a file, its line ends as they are, and the byte order mark that it begins with, if it does."""
    data = read_file(path)
    mark = _MARK if data.startswith(_MARK.encode("utf-8")) else ""
    return decode(data, name), mark
