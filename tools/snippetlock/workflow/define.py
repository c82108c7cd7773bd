"""Add one definition to a definitions file and accept it. What the file says already is not touched.

The text is appended and read back as a project would read it; only when exactly the one new definition came of
it are the definitions file and the lock renamed into place, in this order. A kill between the two leaves a
snippet that was never accepted, and `check` says so.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

from snippetlock.config import VOCABULARY, parse_definitions, parse_selector
from snippetlock.errors import ConfigError, SelectorError, UsageError
from snippetlock.lock import exclusive, replace_file, write_lock
from snippetlock.lock.together import whole
from snippetlock.model import VIEW_KEYS, Definition, Place, Snippet, View
from snippetlock.records import dataclass
from snippetlock.text import split_lines
from snippetlock.workflow.accept import with_entries
from snippetlock.workflow.project import Project
from snippetlock.workflow.showing import shown

_PLAIN = re.compile(r"[A-Za-z_/][A-Za-z0-9_./@+-]*(?::[A-Za-z0-9_][A-Za-z0-9_.@]*)?\Z")
_WORDS = frozenset({"null", "true", "false", "yes", "no", "on", "off", "y", "n"})  # what YAML takes for something else
_DEFAULT = View()


@dataclass(frozen=True, slots=True, kw_only=True)
class Added:
    """What `add` did: the snippet, the definitions file it went to, and whether that file is new.

    `fits` is as in `Shown`.
    """

    snippet: Snippet
    pin: str
    path: str
    created: bool
    fits: int = 0


def add(project: Project, name: str, selector: str, view: View, file: str | None = None) -> Added:
    """Define a snippet, cut it and accept it, or raise and write nothing.

    `file` names a definitions file; without it the definition goes where most of its kin is: the file with
    the most definitions of the same module, else a new file called after the module.
    """
    if taken := project.defined.get(name):
        raise UsageError(
            f"the id {name!r} is taken", evidence=(f"{taken[0].place}  {taken[0].selector}",), mend="choose another id"
        )
    try:
        asked = parse_selector(selector)
    except SelectorError as error:
        raise UsageError(
            f"{selector!r} is no selector: {error.what}", evidence=error.evidence, mend=error.mend
        ) from error
    block = definition_text(name, selector, view)
    # Read on its own first: an id or a value that a definitions file cannot hold is then its own message.
    parse_definitions(block, "the new definition")
    path = _file(project, file) if file else _kin(project, asked.module or asked.path)
    place = Place(path=project.config.name(path))
    definition = Definition(id=name, selector=asked, view=view, place=place, places={})
    snippet = project.cutter.cut(definition)
    old = path.read_bytes().decode() if path.exists() else ""
    new = _appended(old, block)
    _reread(project, path, old, new, definition)
    with exclusive(project.config.lock):
        whole(project.config.journal, project.config.root)
        if (path.read_bytes().decode() if path.exists() else "") != old:
            raise UsageError(f"{place} changed while its snippet was cut", mend="run the command again")
        lock = with_entries(Project(project.config, project.cache), {name: snippet})
        _write(path, str(place), new)
        write_lock(project.config.lock, lock)
    return Added(
        snippet=snippet,
        pin=project.origin(snippet.span.path),
        path=str(place),
        created=not old,
        fits=shown(project, snippet).fits,
    )


def definition_text(name: str, selector: str, view: View) -> str:
    """A definition as people write them: only what differs from the defaults. Ends in a line feed."""
    lines = [f"{name}:", f"  source: {_scalar(selector)}"]
    for key, name in VIEW_KEYS.items():
        value = getattr(view, name)
        if value != getattr(_DEFAULT, name):
            said = f"[{', '.join(map(_scalar, value))}]" if isinstance(value, tuple) else _scalar(value)
            lines.append(f"  {key}: {said}")
    return "\n".join(lines) + "\n"


def _scalar(text: str | int) -> str:
    if isinstance(text, int):
        return str(text).lower()  # true and false, too
    plain = _PLAIN.match(text) and text.lower() not in _WORDS
    return text if plain else json.dumps(text, ensure_ascii=False)


def _file(project: Project, name: str) -> Path:
    """The file of that name in the folder of definitions, with or without the folder and the suffix."""
    folder = project.config.snippets
    file = name.removeprefix(project.config.name(folder) + "/")
    bare = file.removesuffix(".yaml")
    if not re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_.-]*", bare) or f"{bare}.yaml" == VOCABULARY:
        where = project.config.name(folder)
        raise UsageError(f"{name!r} cannot be a definitions file", mend=f"name one in {where}/, like gemm.yaml")
    if "." in file and bare == file:
        mend = f"name {bare.rpartition('.')[0]}.yaml"
        raise UsageError(f"{name!r} cannot be a definitions file: one ends in .yaml", mend=mend)
    return folder / f"{bare}.yaml"


def _kin(project: Project, origin: str) -> Path:
    files = Counter(d.place.path for d in project.definitions if origin in (d.selector.module, d.selector.path))
    if files:
        most = max(files.values())
        return project.config.root / min(path for path, number in files.items() if number == most)
    stem = origin.rpartition("/")[2].partition(".")[0] if "/" in origin else origin.rpartition(".")[2]
    slug = re.sub(r"[^a-z0-9]+", "-", stem.lower()).strip("-") or "snippets"
    return project.config.snippets / (f"{slug}-snippets.yaml" if f"{slug}.yaml" == VOCABULARY else f"{slug}.yaml")


def _appended(old: str, block: str) -> str:
    if not old.strip():
        return old + block
    end = "\r\n" if "\r\n" in old else "\n"
    close = "" if old.endswith(("\n", "\r")) else end
    # A blank line between definitions, where the file has them so.
    blank = "" if not re.search(r"\n\r?\n\S", old) and len(split_lines(old)) > 3 else end
    return old + close + blank + block.replace("\n", end)


def _reread(project: Project, path: Path, old: str, new: str, definition: Definition) -> None:
    """Raise unless the new text says what the old one did and the one definition more."""
    name = project.config.name(path)
    before = parse_definitions(old, name) if old.strip() else ()
    by_hand = f"add it by hand: {definition_text(definition.id, definition.selector.text, definition.view)}"
    try:
        after = parse_definitions(new, name)
    except ConfigError as error:
        raise UsageError(f"a definition cannot be appended to {name}: {error.what}", mend=by_hand) from error
    last = after[-1] if after else None
    asked = (definition.id, definition.selector, definition.view)
    if after[:-1] != before or last is None or (last.id, last.selector, last.view) != asked:
        raise UsageError(f"a definition appended to {name} would be read as something else", mend=by_hand)


def _write(path: Path, name: str, text: str) -> None:
    try:
        replace_file(path, text.encode())
    except OSError as error:
        raise UsageError(
            f"{name} cannot be written: {error.strerror}", mend="make the file and its folder writable"
        ) from error
