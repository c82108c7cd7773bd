"""A lock as text and back. The form is rigid, one key a line in one order; it is YAML, and read without a parser of it.

Its last line is the digest of all before it, by which an edit by hand is seen, and a file that was cut off is told
from a whole one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, get_args

from snippetlock.errors import LockError
from snippetlock.lock.entries import FORMAT, Entry, Lock, Move
from snippetlock.lock.lines import (
    DIGEST,
    Node,
    choice,
    fault,
    hexed,
    mapping,
    only,
    quoted,
    scalar,
    string,
    strings,
    tree,
)
from snippetlock.model import VIEW_KEYS, Comments, Digests, Docstrings, Pin, Repository, Show, View, Written
from snippetlock.text import normalise, sha256

_HEADER = "# Written by `snippetlock update`, and only by it: an edit by hand is a finding.\n"
_PIN = ("name", "version", "kind", "sha256")
_VIEW = tuple(VIEW_KEYS)[1:]  # after `show`; written where they are not the default
_PATTERNS = ("from", "to", "match")
_DIGESTS = ("text", "tokens", "code", "signature")
_DEFAULT = View()
_MIXED = "mixed"


def dump_lock(lock: Lock) -> str:
    """The lock file's text: sorted, with line feeds, the checksum last. Equal locks give equal text."""
    lines = [
        f"format: {lock.format}",
        "pin:",
        *(f"  {line}" for line in _pin_lines(lock.pin)),
        "files:" if lock.files else "files: {}",
        *(f"  {scalar(path)}: {hexed(digest)}" for path, digest in sorted(lock.files.items())),
        "snippets:" if lock.entries else "snippets: {}",
    ]
    for entry in sorted(lock.entries, key=lambda entry: entry.id):
        lines += [f"  {scalar(entry.id)}:", *(f"    {key}: {value}" for key, value in _fields(entry))]
    lines += ["moves:"] if lock.moves else []
    for number, move in enumerate(lock.moves, start=1):
        lines += [f'  "{number}":', *(f"    {line}" for line in _move_lines(move))]
    text = _HEADER + "".join(f"{line}\n" for line in lines)
    return f"{text}checksum: {hexed(sha256(text))}\n"


def _pin_lines(pin: Pin) -> Iterator[str]:
    """Of a pin that is a commit also which, and the folder of it that holds the packages where one does."""
    yield from (f"{key}: {scalar(getattr(pin, key))}" for key in _PIN[:-1])
    if pin.kind == "git":
        yield f"commit: {scalar(pin.commit)}"
        if pin.repository and pin.repository.root:
            yield f"root: {scalar(pin.repository.root)}"
    yield f"sha256: {hexed(pin.sha256)}"


def _move_lines(move: Move) -> Iterator[str]:
    yield from _pin_lines(move.pin)
    fragments = {key: quoted(text) for key, text in move.fragments.items()}
    for called, held in (("file", fragments), ("mended", _pairs(move))):
        if held:
            yield f"{called}:"
            yield from (f"  {scalar(key)}: {value}" for key, value in sorted(held.items()))


def _pairs(move: Move) -> dict[str, str]:
    """Each as what it was, what it became, and how it was written, with a word on a file whose line ends differ."""
    found = {}
    for name, ends in move.selectors.items():
        was = move.sources.get(name)
        raw = () if was is None else (was.text, _MIXED) if was.mixed else (was.text,)
        found[name] = f"[{', '.join(map(quoted, (*ends, *raw)))}]"
    return found


def _fields(entry: Entry) -> Iterator[tuple[str, str]]:
    yield "source", scalar(entry.selector)
    yield "show", entry.view.show
    for key in _VIEW:
        value = getattr(entry.view, VIEW_KEYS[key])
        if value != getattr(_DEFAULT, VIEW_KEYS[key]):
            yield key, _view_value(key, value)
    yield "file", scalar(entry.path)
    yield "lines", f"{entry.first}-{entry.last}"
    for key in _DIGESTS:
        yield key, hexed(getattr(entry.digests, key))


def _view_value(key: str, value: Any) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(map(quoted, value))}]"
    return quoted(value) if key in _PATTERNS else str(value).lower() if isinstance(value, bool) else str(value)


_FORMAT_LINE = re.compile(r"^format: (.*)$", re.MULTILINE)
_SPAN = re.compile(r"([1-9][0-9]{0,8})-([1-9][0-9]{0,8})")
_COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_NOTHING = re.compile("")
_TRUE = re.compile("true")  # what is not is not written
_COUNT = re.compile(r"[1-9][0-9]{0,5}")


def parse_lock(text: str, path: str) -> Lock:
    """The lock of a lock file's text, whatever its line ends. Raises `LockError` with the line.

    A file that is not as the tool wrote it, but can be understood, is a lock that is `edited`.
    """
    try:
        return _lock(normalise(text))
    except LockError as error:
        raise LockError(error.what, path=path, line=error.line, mend=error.mend) from error.__cause__


def _lock(text: str) -> Lock:
    stated = _FORMAT_LINE.search(text)
    if stated and stated[1] != str(FORMAT):
        mend = "use the snippetlock that wrote it, or delete it and run `snippetlock update`"
        line = text.count("\n", 0, stated.start()) + 1
        raise fault(f"the lock has format {stated[1]}, and only {FORMAT} is known here", line, mend)
    root = tree(text)
    if "checksum" not in root.items:
        raise fault("the lock ends before its checksum: it was cut off", max(1, text.count("\n")))
    only(root, ("format", "pin", "files", "snippets", "moves", "checksum"))
    files, entries = (mapping(root, key) for key in ("files", "snippets"))
    moves = mapping(root, "moves") if "moves" in root.items else Node("'moves'", 1, {})
    checksum = string(root, "checksum", DIGEST)
    return Lock(
        pin=_pin(mapping(root, "pin")),
        files={file: value and string(files, file, DIGEST) for file, (value, _) in files.items.items()},
        entries=tuple(_entry(id, mapping(entries, id)) for id in entries.items),
        moves=tuple(_move(mapping(moves, number)) for number in moves.items),
        edited=string(root, "format") != str(FORMAT) or sha256(text[: text.rindex("checksum:")]) != checksum,
    )


def _pin(node: Node, *more: str) -> Pin:
    only(node, (*_PIN, "commit", "root", *more))
    kind = choice(node, "kind", ("wheel", "folder", "git"))
    below = string(node, "root") if kind == "git" and "root" in node.items else ""
    return Pin(
        name=string(node, "name"),
        version=string(node, "version"),
        kind=kind,
        sha256=string(node, "sha256", DIGEST if kind == "wheel" else _NOTHING),
        commit=string(node, "commit", _COMMIT) if kind == "git" else "",
        repository=Repository(url="", root=below) if below else None,
    )


def _move(node: Node) -> Move:
    file, mended = (mapping(node, key).items if key in node.items else {} for key in ("file", "mended"))
    selectors, sources = {}, {}
    for name, (value, line) in mended.items():
        if not isinstance(value, list) or len(value) < 2 or not all(isinstance(one, str) for one in value):
            raise fault(f"{name!r} is no pair of selectors", line)
        before, after, *raw = value
        if raw[1:] not in ([], [_MIXED]):
            raise fault(f"{name!r} is no pair of selectors and how the first was written", line)
        selectors[name] = before, after
        if raw:
            sources[name] = Written(text=raw[0], mixed=len(raw) > 1)
    fragments = {key: string(mapping(node, "file"), key) for key in file}
    return Move(pin=_pin(node, "file", "mended"), fragments=fragments, selectors=selectors, sources=sources)


def _pattern(node: Node, key: str) -> str:
    return string(node, key) if key in node.items else ""


def _entry(id: str, node: Node) -> Entry:
    only(node, ("source", "show", *_VIEW, "file", "lines", *_DIGESTS))
    first, last = map(int, string(node, "lines", _SPAN).split("-"))
    if first > last:
        raise fault("the lines end before they begin", node.items["lines"][1])
    view = View(
        show=choice(node, "show", get_args(Show)),
        keep=strings(node, "keep"),
        from_=_pattern(node, "from"),
        to=_pattern(node, "to"),
        match=_pattern(node, "match"),
        count=int(string(node, "count", _COUNT)) if "count" in node.items else None,
        docstrings=choice(node, "docstrings", get_args(Docstrings)) if "docstrings" in node.items else None,
        comments=choice(node, "comments", get_args(Comments)) if "comments" in node.items else _DEFAULT.comments,
        highlight=strings(node, "highlight"),
        imports="imports" in node.items and string(node, "imports", _TRUE) == "true",
    )
    digests = Digests(**{key: string(node, key, DIGEST) for key in _DIGESTS})
    path = string(node, "file")
    return Entry(
        id=id,
        selector=string(node, "source"),
        view=view,
        path=path,
        first=first,
        last=last,
        digests=digests,
        line=node.line,
    )
