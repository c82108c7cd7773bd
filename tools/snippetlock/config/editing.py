"""Change single values of a YAML text and nothing else: comments, order, quotes, indentation and line ends stay.

A value is spliced in where the parser says that the old one stands. What comes of it is read again, and must say
what the old text said but for that value; else nothing is changed.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from snippetlock.config.document import LIST, MAPPING, TEXT, Node, parse_document
from snippetlock.config.pin import parse_pin
from snippetlock.config.scalars import parts, replaced, rewritten, written_at
from snippetlock.config.selector import parse_selector
from snippetlock.config.splices import BY_HAND, KINDS, changed, restored, spliced, taken
from snippetlock.errors import ConfigError, SelectorError
from snippetlock.model import Pin, Written
from snippetlock.records import replace

_BOM = "\ufeff"


def source_written(text: str, id: str, *, name: str = "the definitions") -> Written | None:
    """How a definitions file writes the `source` of one snippet, to write it so again; None where nothing says it.

    Raises `ConfigError` for a text that cannot be read.
    """
    body = _marked(text)[1]
    parse_document(body, name)  # `parts` is for what can be read
    top = parts(body).find(id)
    found = top[1].find("source") if top else None
    return written_at(body, found[1]) if found else None


def edit_source(text: str, id: str, selector: str, *, was: Written | None = None, name: str = "the definitions") -> str:
    """A definitions file's text with another `source` for one snippet; `name` is what messages call the file.

    With `was`, what `source_written` got when it said this selector, it is written as it was then.
    Raises `ConfigError` for an id that is not defined once, a text that is no selector, and where the value cannot
    be changed alone.
    """
    try:
        parse_selector(selector)
    except SelectorError as error:
        raise ConfigError(f"{selector!r} is no selector: {error.what}", path=name, mend=error.mend) from error
    mark, body = _marked(text)
    before = parse_document(body, name)
    source = _source(before, id, name)
    top = parts(body).find(id)
    found = top[1].find("source") if top else None
    if found and source.kind == TEXT:
        wanted = _said(before, {(id, "source"): (TEXT, selector)})
        ways = replaced(body, found[1], selector)
        for edited in (rewritten(body, found[1], was), *ways) if was else ways:
            if _reads(edited, name) == wanted:
                return mark + edited
    raise ConfigError(f"the source of {id!r} cannot be changed in place to {selector!r}", path=name, mend=BY_HAND)


def _source(document: Node, id: str, name: str) -> Node:
    """The one `source` of an id."""
    definitions = [value for key, value in _pairs(document) if key.value == id]
    sources = [value for each in definitions for key, value in _pairs(each) if key.value == "source"]
    if len(definitions) != 1 or len(sources) != 1:
        what = f"{id!r} has {len(sources)} sources here" if definitions else f"{id!r} is not defined here"
        raise ConfigError(what, path=name, mend="define it once, with one `source:`")
    return sources[0]


def pin_fragments(text: str) -> Mapping[str, str]:
    """How a pin file writes what is the pin's own, by key path, to write it so again: see `edit_pin`.

    That is `version`, `repository.commit`, `repository.root` and the one of `wheel`, `git` and `folder` that is there,
    each as it stands, comments inside included. `line-ends` is there when the file mixes several.
    """
    return taken(_marked(text)[1])


def edit_pin(text: str, new: Pin, *, fragments: Mapping[str, str] | None = None, name: str = "the pin") -> str:
    """A pin file's text that says `new`: another release, commit or folder of the same library.

    The name and the repository's address and branch stay as they are. A version that is not known any more
    becomes `null`, and so does the repository's commit, which for a pin that is a commit says nothing more. With
    `fragments`, what `pin_fragments` got from this file when it spoke of the same wheel, commit or folder, all is
    written as it was then: also a version and a repository's commit that `new` does not know. Raises `ConfigError`
    where the file cannot be changed so without touching anything else.
    """
    mark, body = _marked(text)
    old = parse_pin(body, name)
    rest = _rest(body, name)
    tries = [fragments, None] if fragments else [None]
    for given in tries:
        try:
            edited = spliced(body, restored(body, given) if given else changed(body, old, new))
            after = parse_pin(edited, name)
            if _rest(edited, name) == rest and (_same_state(after, new) if given else _same(after, new)):
                return mark + edited
        except ConfigError:
            continue
    if (old.name, _address(old)) != (new.name, _address(new)):
        what = "another library, or another repository, is not written in place"
        raise ConfigError(what, path=name, mend="change the name and the repository by hand first")
    raise ConfigError(f"the pin cannot be changed in place to {new.label}", path=name, mend=BY_HAND)


def _address(pin: Pin) -> tuple[str, ...]:
    where = pin.repository
    return (where.url, where.branch) if where else ()


def _same(one: Pin, other: Pin) -> bool:
    return replace(one, place="") == replace(other, place="")


def _same_state(one: Pin, other: Pin) -> bool:
    """Whether two pins are of one state of the library, whatever else is known of it."""
    if one.kind == "wheel" and one.version != other.version:
        return False
    folders = {os.path.normpath(pin.folder) for pin in (one, other)}
    return len(folders) == 1 and all(
        getattr(one, field) == getattr(other, field) for field in ("kind", "name", "file", "sha256", "commit")
    )


def _marked(text: str) -> tuple[str, str]:
    """The byte order mark, or nothing, and the text behind it."""
    return (_BOM, text[1:]) if text.startswith(_BOM) else ("", text)


def _pairs(node: Node) -> tuple[tuple[Node, Node], ...]:
    return node.value if node.kind == MAPPING else ()


def _reads(text: str, name: str) -> Any:
    """What a text says; None for one that cannot be read."""
    try:
        return _said(parse_document(text, name), {})
    except ConfigError:
        return None


def _said(node: Node, other: Mapping[tuple[str, ...], Any], path: tuple[str, ...] = ()) -> Any:
    """What a document says, places aside, with `other` values at some of its paths."""
    if path in other:
        return other[path]
    if node.kind == MAPPING:
        return MAPPING, [(key.kind, key.value, _said(value, other, (*path, key.value))) for key, value in node.value]
    if node.kind == LIST:
        return LIST, [_said(item, other, (*path, "")) for item in node.value]
    return node.kind, node.value


def _rest(text: str, name: str) -> Any:
    """What a pin file says beside what is the pin's own."""
    said = []
    for key, value in _pairs(parse_document(text, name)):
        if key.value == "repository":
            said.append((key.value, [_said(v, {}) for k, v in _pairs(value) if k.value not in ("commit", "root")]))
        elif key.value not in ("version", *KINDS):
            said.append((key.value, _said(value, {})))
    return said
