"""TOML by key: the lines of a table, of a key in it, or of an item of an array.

`tomllib` judges the file and says nothing of places; those are found in `entries`. A table is all that
is below its key, as in YAML: where that is not in one piece, the error lists the pieces.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence

from snippetlock.config.selector import split_keys
from snippetlock.errors import OTHER_FILE, SelectorError, SourceError, UnknownSymbol, nearest
from snippetlock.model import Found, Part, Region, Selector, Tree
from snippetlock.select.entries import Entry, Key, entries, tokens
from snippetlock.select.places import file_part, line_end, line_start, within
from snippetlock.text import decode, line_at, sha256

__all__ = ["find_toml"]

_LINE = re.compile(r"\(at line (\d+), column \d+\)")
_PLAIN = re.compile(r"[A-Za-z0-9_-]+")
_REST_OF_LINE = re.compile(r"[ \t]*,?[ \t]*(?:#[^\r\n]*)?(?=\r?\n|\Z)")
_MOST = 8  # keys that a message shows


def find_toml(tree: Tree, selector: Selector) -> Found:
    """Find one key of a TOML file, or the whole file. Raises as `find` does."""
    path = selector.path
    data = tree.read(path)
    text = decode(data, path, python=False)
    _check(text, path)
    every = tokens(text)
    comments = [(t.start, t.end) for t in every if t.kind == "comment"]
    literals = [(t.start, t.end) for t in every if t.kind == "block" and "\n" in t.text]
    file = _File(text, path, list(entries(every)), comments, literals)
    if selector.name:
        part = file.part(split_keys(selector.name))
    else:
        members = file.members((), file.entries)
        part = file_part(len(text), members=members, comments=comments, literals=literals)
    return Found(selector=selector, path=path, text=text, language="toml", part=part, consulted=((path, sha256(data)),))


def _check(text: str, path: str) -> None:
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        line = _LINE.search(str(error))
        what = _LINE.sub("", str(error)).strip()
        raise SourceError(
            f"this is not TOML: {what}",
            path=path,
            line=int(line[1]) if line else line_at(text, len(text.rstrip())),
            mend=OTHER_FILE,
        ) from error
    except RecursionError as error:
        raise SourceError("this TOML is nested too deeply", path=path, mend=OTHER_FILE) from error


class _File:
    """The entries of a file, and the parts they make."""

    def __init__(
        self,
        text: str,
        path: str,
        entries: Sequence[Entry],
        comments: Sequence[tuple[int, int]],
        literals: Sequence[tuple[int, int]],
    ) -> None:
        self.text = text
        self.path = path
        self.entries = entries
        self.comments = comments
        self.literals = literals

    def part(self, key: Key) -> Part:
        """The part of a key. Raises `SelectorError` where it is not there, in pieces, or shares a line."""
        pieces = self._pieces(key)
        if not pieces:
            raise self._unknown(key)
        if len(pieces) > 1:
            raise SelectorError(
                f"{_label(key)!r} is in {len(pieces)} pieces",
                path=self.path,
                line=line_at(self.text, pieces[0][0].start),
                evidence=[self._row(piece[0]) for piece in pieces[:_MOST]],
                mend="select one of the keys below it, or lines by `from` and `to`",
            )
        if not self._owns_lines(pieces[0]):
            owner = next((i for i in range(len(key) - 1, 0, -1) if self._alone(key[:i])), 0)
            raise SelectorError(
                f"{_label(key)!r} shares its line with something else",
                path=self.path,
                line=line_at(self.text, pieces[0][0].start),
                evidence=[self._shown(pieces[0][0])],
                mend=f"select {self.path}{f':{_label(key[:owner])}' if owner else ''}",
            )
        return self._part(key, pieces[0])

    def members(self, key: Key, entries: Sequence[Entry]) -> tuple[Part, ...]:
        """The keys directly below that can be shown alone; those in pieces, or that share a line, cannot."""
        runs: dict[str, list[list[Entry]]] = {}
        before = None
        for entry in entries:
            name = entry.key[len(key)] if len(entry.key) > len(key) else None
            if name is not None and name != before:
                runs.setdefault(name, []).append([])
            if name is not None:
                runs[name][-1].append(entry)
            before = name
        alone = {name: pieces[0] for name, pieces in runs.items() if len(pieces) == 1 and self._owns_lines(pieces[0])}
        return tuple(self._part((*key, name), piece) for name, piece in alone.items())

    def _alone(self, key: Key) -> bool:
        pieces = self._pieces(key)
        return len(pieces) == 1 and self._owns_lines(pieces[0])

    def _pieces(self, key: Key) -> list[list[Entry]]:
        """The runs of entries that are at this key or below it."""
        pieces: list[list[Entry]] = []
        running = False
        for entry in self.entries:
            here = entry.key[: len(key)] == key
            if here and not running:
                pieces.append([])
            if here:
                pieces[-1].append(entry)
            running = here
        return pieces

    def _end(self, piece: Sequence[Entry]) -> int:
        return max(entry.end for entry in piece)

    def _owns_lines(self, piece: Sequence[Entry]) -> bool:
        """Whether nothing else stands on the first and the last line: a comma and a comment belong to it."""
        before = self.text[line_start(self.text, piece[0].start) : piece[0].start]
        return not before.strip(" \t") and _REST_OF_LINE.match(self.text, self._end(piece)) is not None

    def _part(self, key: Key, piece: Sequence[Entry]) -> Part:
        first, end = piece[0], self._end(piece)
        whole = Region(start=line_start(self.text, first.start), end=line_end(self.text, end))
        body = line_end(self.text, first.end)
        below = first.header and body < whole.end
        return Part(
            name=key[-1],
            selector=_label(key),
            kind="key",
            whole=whole,
            head=Region(start=whole.start, end=first.end if first.header else end),
            body=Region(start=body, end=whole.end) if below else None,
            members=self.members(key, piece) if first.header else (),
            comments=within(self.comments, whole),
            literals=within(self.literals, whole),
        )

    def _shown(self, entry: Entry) -> str:
        return self.text[line_start(self.text, entry.start) : line_end(self.text, entry.start)].strip()[:120]

    def _row(self, entry: Entry) -> str:
        return f"{self.path}:{line_at(self.text, entry.start)}  {self._shown(entry)}"

    def _unknown(self, key: Key) -> UnknownSymbol:
        known: dict[str, Entry] = {}
        for entry in self.entries:
            for i in range(1, len(entry.key) + 1):
                known.setdefault(_label(entry.key[:i]), entry)
        near = list(nearest(_label(key), known))
        near += [label for label, entry in known.items() if entry.key[-1] == key[-1] and label not in near][:3]
        shown = near or list(known)[:_MOST]
        return UnknownSymbol(
            _label(key),
            path=self.path,
            known=near,
            noun="key",
            evidence=[f"{self.path}:{line_at(self.text, known[k].start)}  {self.path}:{k}" for k in shown],
            mend="" if nearest(_label(key), near) else "name one of the keys that are there",
        )


def _label(key: Key) -> str:
    """The key as a selector writes it."""
    return ".".join(part if _PLAIN.fullmatch(part) else _quoted(part) for part in key)


def _quoted(part: str) -> str:
    escaped = part.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
