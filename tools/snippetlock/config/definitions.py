"""Read the definitions: `snippets/*.yaml`, one mapping a file, one snippet an entry."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

from snippetlock.config.document import NOTHING, Node, parse_document, read_document
from snippetlock.config.project import Config
from snippetlock.config.schema import choice, fields, mapping, number, text, texts, yes
from snippetlock.config.selector import parse_selector
from snippetlock.config.strays import EXAMPLES, SUFFIXES, strays
from snippetlock.errors import ConfigError, SelectorError
from snippetlock.model import VIEW_KEYS, Comments, Definition, Docstrings, Place, Selector, Show, View

VOCABULARY = "vocabulary.yaml"  # words, not definitions
KEYS = (*sorted([*VIEW_KEYS, "source"]),)
_ID = r"[a-z0-9][a-z0-9-]*"


def definition_files(config: Config) -> tuple[Path, ...]:
    """The files of definitions, sorted. Names that start with a dot are an editor's, not ours.

    Raises `ConfigError` for a folder that cannot be read, and for a file that only looks like one of definitions.
    """
    name = config.name(config.snippets)
    try:
        entries = sorted(config.snippets.iterdir())
    except FileNotFoundError as error:
        if config.snippets.is_symlink():
            mend = "point the link to the folder of definitions, or put the folder in its place"
            raise ConfigError("a link to nothing", path=name, mend=mend) from error
        mend = "make it, or set `snippets` in [tool.snippetlock] to where the definitions are"
        raise ConfigError("there is no folder of definitions", path=name, mend=mend) from error
    except OSError as error:
        mend = "make the folder readable"
        if isinstance(error, NotADirectoryError):
            mend = "set `snippets` in [tool.snippetlock] to the folder where the definitions are"
        raise ConfigError(f"cannot be read as a folder: {error.strerror}", path=name, mend=mend) from error
    files = []
    for path in entries:
        others = path.name in (VOCABULARY, config.runs.name)
        if others or path.name.startswith(".") or path.suffix.lower() not in SUFFIXES:
            continue
        if path.suffix != ".yaml" and not path.is_dir():
            mend = f"rename it to {path.stem}.yaml"
            raise ConfigError("a definitions file ends in .yaml", path=config.name(path), mend=mend)
        if path.exists() and not path.is_file():
            raise ConfigError("is not a file", path=config.name(path), mend="remove it, or give it another name")
        files.append(path)
    for stray in map(Path, strays(str(config.snippets))):
        mend = f"move it to {name}/; programs and what they need go to {name}/{EXAMPLES}/"
        raise ConfigError("a definitions file in a sub-folder is not read", path=config.name(stray), mend=mend)
    return tuple(files)


def read_definitions(config: Config) -> tuple[Definition, ...]:
    """Every definition in the order of files and lines. An id that stands twice is returned twice."""
    found: list[Definition] = []
    for path in definition_files(config):
        found.extend(_definitions(read_document(path, config.name(path))))
    return tuple(found)


def parse_definitions(text: str, name: str) -> tuple[Definition, ...]:
    """The definitions of one file's text, for who is about to write it; `name` is what messages call the file."""
    return tuple(_definitions(parse_document(text, name)))


def _definitions(node: Node) -> Iterator[Definition]:
    if node.kind == NOTHING:
        raise node.error("a definitions file is empty", "write `id: {source: module:name}`, or remove the file")
    for key, value in mapping(node, "a definitions file"):
        yield _definition(key, value)


def _definition(key: Node, node: Node) -> Definition:
    name = _id(key)
    found = fields(node, KEYS, f"the definition {name!r}", required=("source",))
    places = {known: _place(at) for known, (at, _) in found.items()}
    values = {known: value for known, (_, value) in found.items()}
    lists: dict[str, tuple[str, ...]] = {}
    for known in ("keep", "highlight"):
        items = texts(values[known], known) if known in values else ()
        lists[known] = tuple(item.value for item in items)
        places.update({f"{known}.{index}": _place(item) for index, item in enumerate(items)})
    view = View(
        show=choice(values["show"], get_args(Show), "show") if "show" in values else "source",
        keep=lists["keep"],
        from_=text(values["from"], "from") if "from" in values else "",
        to=text(values["to"], "to") if "to" in values else "",
        match=text(values["match"], "match") if "match" in values else "",
        count=number(values["count"], "count") if "count" in values else None,
        docstrings=choice(values["docstrings"], get_args(Docstrings), "docstrings") if "docstrings" in values else None,
        comments=choice(values["comments"], get_args(Comments), "comments") if "comments" in values else "keep",
        highlight=lists["highlight"],
        imports="imports" in values and yes(values["imports"], "imports"),
    )
    return Definition(id=name, selector=_selector(values["source"]), view=view, place=_place(key), places=places)


def _id(key: Node) -> str:
    name: str = key.value
    if not re.fullmatch(_ID, name):
        slug = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
        instead = f", like {slug!r}" if slug else ""
        raise key.error(f"{name!r} is not an id", f"an id is lower-case letters, digits and hyphens{instead}")
    return name


def _selector(node: Node) -> Selector:
    try:
        return parse_selector(text(node, "source"))
    except SelectorError as error:
        what = f"source is {node.value!r}: {error.what}"
        raise node.error(what, error.mend, offset=(error.column or 1) - 1) from error


def _place(node: Node) -> Place:
    return Place(path=node.path, line=node.line, column=node.column)
