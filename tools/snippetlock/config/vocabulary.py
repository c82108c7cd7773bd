"""Read `snippets/vocabulary.yaml`: names that are right in prose although the pinned library has none of them.

old_name:
  reason: the name until 0.1, which the migration page has to tell
  pages: [docs/migration.md, docs/migration.zh.md]
"""

from __future__ import annotations

import os
from pathlib import Path

from snippetlock.config.document import NOTHING, Node, read_document
from snippetlock.config.schema import fields, mapping, text, texts
from snippetlock.model import Place
from snippetlock.records import dataclass

__all__ = ["Word", "parse_vocabulary", "read_vocabulary"]

_KEYS = ("reason", "pages")


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """One entry. `pages` are the only ones that may use it, by their paths in the project; empty for all."""

    name: str
    reason: str
    place: Place
    pages: tuple[str, ...] = ()


def read_vocabulary(file: Path, name: str) -> tuple[Word, ...]:
    """The entries in their order; none where there is no such file. `name` is what messages call it.

    Raises `ConfigError` with the place of what is wrong: an unknown key, an entry without a reason, a name twice.
    """
    if not os.path.lexists(file):
        return ()
    return parse_vocabulary(read_document(file, name))


def parse_vocabulary(document: Node) -> tuple[Word, ...]:
    """The entries of a file that was read."""
    if document.kind == NOTHING:
        return ()
    found: dict[str, Word] = {}
    for key, value in mapping(document, "the vocabulary"):
        if key.value in found:
            first = found[key.value].place
            raise key.error(f"the vocabulary has {key.value!r} twice (first at {first})", "keep one of the two")
        found[key.value] = _word(key, value)
    return tuple(found.values())


def _word(key: Node, value: Node) -> Word:
    name = text(key, "a name of the vocabulary")
    given = fields(value, _KEYS, f"the entry of {name!r}", required=("reason",))
    pages = texts(given["pages"][1], f"`pages` of {name!r}") if "pages" in given else ()
    return Word(
        name=name,
        reason=text(given["reason"][1], f"`reason` of {name!r}"),
        place=Place(path=key.path, line=key.line, column=key.column),
        pages=tuple(page.value for page in pages),
    )
