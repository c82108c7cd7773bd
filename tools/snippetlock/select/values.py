"""The values of a data file (YAML, TOML, JSON) with their lines. Nothing is built that the file does not say.

A scalar is made into a value when it is asked for. Nothing recurses on what the file says.
"""

from __future__ import annotations

import json
import tomllib
from typing import Any, Literal

from snippetlock.errors import OTHER_FILE, SourceError
from snippetlock.records import dataclass, field
from snippetlock.select.stream import DEEPEST, whole
from snippetlock.text import decode

__all__ = ["DATA", "Datum", "Unread", "plain", "read_data"]

DATA = (".yaml", ".yml", ".toml", ".json")
"""Ends of the names of files whose values can be read."""
_MOST = 100_000  # values in one that is asked for as a whole: aliases of aliases multiply


class Unread(Exception):
    """What a value is cannot be told; the text says why."""


@dataclass(slots=True, eq=False)
class Datum:
    """One value of a file. `entries` are those of a mapping by their keys, of a sequence by their numbers.

    `line` is where its key stands, None where the reader of the file does not tell. `strange` says why the entries
    are not all that the value has.
    """

    kind: Literal["mapping", "sequence", "scalar"]
    line: int | None
    raw: Any = None  # of a scalar: its text and whether it was written without quotes; or its value, once made
    made: bool = False
    entries: dict[str, Datum] = field(default_factory=dict)
    strange: str = ""


def read_data(data: bytes, path: str) -> Datum:
    """Read a data file. Raises `SourceError` for what its format does not allow."""
    if path.endswith((".yaml", ".yml")):
        return _yaml(decode(data, path, python=False), path)
    text = decode(data, path, python=False)
    try:
        value = tomllib.loads(text) if path.endswith(".toml") else json.loads(text)
    except RecursionError as error:
        raise SourceError("this is nested too deep", path=path, mend=OTHER_FILE) from error
    except ValueError as error:
        raise SourceError(f"this cannot be read: {error}", path=path, mend=OTHER_FILE) from error
    return _converted(value, path)


def _converted(value: Any, path: str) -> Datum:
    root = Datum("scalar", None)
    waiting: list[tuple[Datum, Any, int]] = [(root, value, 0)]
    while waiting:
        datum, each, depth = waiting.pop()
        if depth > DEEPEST:
            raise SourceError(f"this is nested more than {DEEPEST} levels deep", path=path, mend=OTHER_FILE)
        if isinstance(each, dict | list):
            datum.kind = "mapping" if isinstance(each, dict) else "sequence"
            items = each.items() if isinstance(each, dict) else enumerate(each)
            for key, inner in items:
                datum.entries[str(key)] = Datum("scalar", None)
                waiting.append((datum.entries[str(key)], inner, depth + 1))
        else:
            known = each is None or isinstance(each, bool | int | float | str)
            datum.raw, datum.made = each if known else str(each), True
    return root


def _yaml(text: str, path: str) -> Datum:
    root = Datum("sequence", 1)  # of documents
    open_ones: list[tuple[Datum, list[Any]]] = [(root, [None, None])]  # with the key whose value comes next
    anchors: dict[str, Datum] = {}
    for kind, line, value, bare, tag, anchor in whole(text, path):
        if kind is None:
            open_ones.pop()
            continue
        datum = anchors.get(anchor or "") if kind == "alias" else None
        if datum is None:
            datum = Datum("scalar" if kind == "alias" else kind, line, (value, bare, tag) if kind == "scalar" else None)
            if anchor:
                anchors[anchor] = datum
        _hang(*open_ones[-1], datum, line)
        if kind in ("mapping", "sequence"):
            open_ones.append((datum, [None, None]))
    documents = list(root.entries.values())
    return documents[0] if len(documents) == 1 else root


def _hang(parent: Datum, key: list[Any], datum: Datum, line: int) -> None:
    """Put a value where it belongs; a value in the place of a key is kept until its own value comes."""
    if parent.kind == "sequence":
        parent.entries[str(len(parent.entries))] = datum
    elif key[0] is None:
        key[:] = datum, line
    else:
        name, at = key
        key[:] = None, None
        if name.kind != "scalar":
            parent.strange = "it has a key that is no text"
        elif name.raw[0] == "<<" and name.raw[1]:
            parent.strange = "it takes keys from elsewhere by `<<`"
        elif name.raw[0] in parent.entries:
            parent.strange = f"it has the key {name.raw[0]!r} twice"
        else:
            parent.entries[name.raw[0]] = _at(datum, at)


def _at(datum: Datum, line: int) -> Datum:
    """A value at the line of its key; one that is repeated by an alias stays where it is written."""
    if datum.line is not None and datum.line >= line:
        datum.line = line
    return datum


def plain(datum: Datum) -> Any:
    """The value as tuples, dicts and scalars. Raises `Unread` where the file does not tell all of it."""
    count = 0
    done: list[Any] = []
    waiting: list[tuple[Datum, bool, int]] = [(datum, False, 0)]
    while waiting:
        each, closing, depth = waiting.pop()
        count += 1
        if count > _MOST or depth > DEEPEST:
            raise Unread("it holds too much, or itself")
        if each.strange:
            raise Unread(each.strange)
        if each.kind == "scalar":
            done.append(scalar(each))
        elif not closing:
            waiting.append((each, True, depth))
            waiting += [(inner, False, depth + 1) for inner in reversed(each.entries.values())]
        else:
            values = done[len(done) - len(each.entries) :]
            del done[len(done) - len(each.entries) :]
            done.append(tuple(values) if each.kind == "sequence" else dict(zip(each.entries, values, strict=True)))
    return done[0]


def scalar(datum: Datum) -> Any:
    """What a scalar is: a text, a number, true or false, or None. A date is a text."""
    if not datum.made:
        text, implicit, tag = datum.raw
        datum.raw, datum.made = _scalar(text, implicit, tag), True
    return datum.raw


def _scalar(text: str, implicit: bool, tag: str | None) -> Any:
    if not implicit and tag is None:
        return text
    import yaml

    if tag is None:
        tag = yaml.resolver.Resolver().resolve(yaml.ScalarNode, text, (True, False))  # type: ignore[no-untyped-call]
    kinds = {f"tag:yaml.org,2002:{name}": name for name in ("null", "bool", "int", "float")}
    if tag not in kinds:
        return text
    try:
        return yaml.constructor.SafeConstructor().construct_object(yaml.ScalarNode(tag, text))
    except (ValueError, KeyError, yaml.YAMLError):
        return text
