"""What prose can quote that is no name: string constants, keys of data files, paths."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from snippetlock.index import rows
from snippetlock.index.index import File, Index
from snippetlock.index.said import Key, Text
from snippetlock.index.shapes import Definition

__all__ = ["constant", "files", "keys", "occurs", "pieced", "taker"]

_WORD = re.compile(r"\w++")


def constant(index: Index, text: str) -> tuple[Text, ...]:
    """Where the source has exactly this string, keys of dicts among them; docstrings are none."""
    found = []
    for number in index.table("texts")["constants"].get(text, ()):
        file = index.file(number)
        rows_ = enumerate(file.sheet["texts"])
        found += [index.text(file, at) for at, row in rows_ if row[rows.PARTS] == [text]]
    return tuple(found)


def pieced(index: Index, word: str) -> Text | None:
    """The first template that has a word in a piece which is no prose: `kilns_ext` of `f"kilns_ext::{name}"`.

    Not where a placeholder goes on with the word.
    """
    known: dict[str, tuple[int, int]] | None = index.memo.get("pieces")
    if known is None:
        known = index.memo["pieces"] = {}
        for parts, number, at in index.table("texts")["templates"]:
            for found in _whole_words(parts):
                known.setdefault(found, (number, at))
    hit = known.get(word)
    return index.text(index.file(hit[0]), hit[1]) if hit is not None else None


def _whole_words(parts: Sequence[str | None]) -> Iterator[str]:
    """The words of a template's pieces, of those that are no prose, where no placeholder goes on with them."""
    for place, part in enumerate(parts):
        if not part or re.search(r"\s", part):
            continue
        for found in _WORD.finditer(part):
            begins, ends = found.start() > 0 or place == 0, found.end() < len(part) or place == len(parts) - 1
            if begins and ends:
                yield found[0]


def keys(index: Index, name: str) -> tuple[Key, ...]:
    """The keys of YAML files that a name can mean: a key, or the end of the way to one (`Op.signature`)."""
    wanted = tuple(name.split("."))
    found: list[Key] = []
    for number in index.table("keys").get(wanted[-1], ()):
        file = index.file(number)
        for at in _called(index, file).get(wanted[-1], ()):
            way = tuple(reversed(list(_way(file, at))))
            if way[-len(wanted) :] == wanted:
                found.append(Key(way=way, path=file.path, line=file.sheet["keys"][at][2]))
    return tuple(found)


def _called(index: Index, file: File) -> dict[str, list[int]]:
    """The rows of a file's keys by the name of the key."""
    known: dict[int, dict[str, list[int]]] = index.memo.setdefault("keys called", {})
    if file.number not in known:
        rows_ = known[file.number] = {}
        for at, row in enumerate(file.sheet["keys"]):
            rows_.setdefault(row[1], []).append(at)
    return known[file.number]


def _way(file: File, at: int) -> Iterator[str]:
    while at >= 0:
        above, name, _ = file.sheet["keys"][at]
        yield name
        at = above


def files(index: Index, path: str) -> tuple[str, ...]:
    """The files and folders that a path can mean: a whole one, or the end of one. A folder is told with a `/`.

    `./` at its beginning says nothing; with a `/` at its end it means folders only.
    """
    if "paths" not in index.memo:
        ends: dict[str, list[str]] = {}
        folders = {""}
        for each in index.paths:
            ends.setdefault(each.rpartition("/")[2], []).append(each)
            folder = each.rpartition("/")[0]
            while folder not in folders:
                folders.add(folder)
                ends.setdefault(folder.rpartition("/")[2] + "/", []).append(f"{folder}/")
                folder = folder.rpartition("/")[0]
        index.memo["paths"] = ends
    wanted = path.removeprefix("./").lstrip("/")
    last = wanted.rstrip("/").rpartition("/")[2]
    known: dict[str, list[str]] = index.memo["paths"]
    found = [] if wanted.endswith("/") else [*known.get(last, ())]
    found += known.get(f"{last}/", ()) if last else ()
    wanted = f"/{wanted.rstrip('/')}"
    return tuple(sorted(each for each in found if f"/{each.rstrip('/')}".endswith(wanted)))


def occurs(index: Index, word: str) -> frozenset[str]:
    """How a word that is no definition occurs in the source: parameter, local, keyword, read, set, imported."""
    how = index.table("words").get(word, 0)
    kinds = {"parameter": rows.PARAMETER, "local": rows.LOCAL, "keyword": rows.KEYWORD, "read": rows.READ}
    kinds["set"] = rows.SET
    found = {kind for kind, bit in kinds.items() if how & bit}
    return frozenset(found | ({"imported"} if word in index.table("names")["bound"] else set()))


def taker(index: Index, parameter: str) -> Definition | None:
    """The first function of the source that has a parameter of that name; None where none has, but perhaps a lambda."""
    if not index.table("words").get(parameter, 0) & rows.PARAMETER:
        return None
    for number in range(len(index.paths)):
        file = index.file(number)
        if file.sheet["words"].get(parameter, 0) & rows.PARAMETER:
            for row, each in enumerate(file.sheet["defs"]):
                if each[rows.KIND] == "f" and any(taken[0] == parameter for taken in each[rows.A]):
                    return index.definition(file, row)
    return None
