"""YAML by key path: the lines of one key, with the comments inside them."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence

from snippetlock.config.selector import split_keys
from snippetlock.errors import LISTED, OTHER_FILE, AmbiguousSymbol, SelectorError, UnknownSymbol, nearest
from snippetlock.model import Found, Part, Region, Selector, Tree
from snippetlock.select.nodes import Document, Entry, Node, load
from snippetlock.select.places import file_part, line_start, within
from snippetlock.text import line_at

__all__ = ["find_yaml"]

_PLAIN_KEY = re.compile(r"[^\s.\"':]+")
_NUMBERED = re.compile(r"(.+)#([1-9]\d*)", re.S)
_REST_OF_LINE = re.compile(r"[ \t]*,?[ \t]*(?:(?<=[ \t,])#[^\r\n]*)?(?=[\r\n]|\Z)")
_NEWLINE = re.compile(r"\r\n|\r|\n|\Z")
_MOST = 5  # candidates shown for a key that is not there


def find_yaml(tree: Tree, selector: Selector) -> Found:
    """Find one key of a YAML file, or the whole file. Raises as `find` does."""
    document = load(tree.read(selector.path), selector.path)
    if selector.name:
        way = _resolve(document, selector)
        if not _owns_lines(document, way[-1]):
            raise _shares_lines(document, selector, way)
        part = _part(document, way[-1], _words(document, way)[-1])
    else:
        part = file_part(
            len(document.text),
            members=_members(document, document.root),
            comments=document.comments,
            literals=document.literals,
        )
    return Found(
        selector=selector,
        path=selector.path,
        text=document.text,
        language="yaml",
        part=part,
        consulted=((selector.path, document.digest),),
    )


def _resolve(document: Document, selector: Selector) -> list[Entry]:
    """The entries on the way to the one that is named, itself included."""
    way: list[Entry] = []
    node = document.root
    for key in split_keys(selector.name):
        found = [entry for entry in node.entries if entry.name == key]
        numbered = _NUMBERED.fullmatch(key)
        if not found and numbered:
            number = int(numbered[2])
            found = [entry for entry in node.entries if entry.name == numbered[1]][number - 1 : number]
        if len(found) > 1:
            raise _ambiguous(document, selector, way, node, key)
        if not found:
            raise _unknown(document, selector, way, key)
        way.append(found[0])
        node = found[0].node
    return way


def _ambiguous(document: Document, selector: Selector, way: Sequence[Entry], node: Node, key: str) -> AmbiguousSymbol:
    """The error for a key that stands several times in `node`, the node of the last entry on the way."""
    above = _words(document, way)
    found = [(entry, label) for entry, label in zip(node.entries, _labels(node), strict=True) if entry.name == key]
    rows = [
        (f"{selector.path}:{'.'.join([*above, label])}", selector.path, _line(document, entry))
        for entry, label in found[:LISTED]
    ]
    return AmbiguousSymbol(selector.name, path=selector.path, candidates=rows, count=len(found))


def _labels(node: Node) -> Iterator[str]:
    """For each entry, the key that selects it alone."""
    names = [entry.name for entry in node.entries]
    seen: Counter[str] = Counter()
    total = Counter(names)
    for name in names:
        seen[name] += 1
        yield _quoted(f"{name}#{seen[name]}" if total[name] > 1 else name)


def _quoted(key: str) -> str:
    """The key as a selector writes it."""
    if _PLAIN_KEY.fullmatch(key):
        return key
    escaped = key.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _words(document: Document, way: Sequence[Entry]) -> list[str]:
    """The keys that select the last entry on a way, as a selector writes them."""
    node, words = document.root, []
    for entry in way:
        words.append(dict(zip(node.entries, _labels(node), strict=True))[entry])
        node = entry.node
    return words


def _line(document: Document, entry: Entry) -> int:
    return line_at(document.text, entry.start)


def _unknown(document: Document, selector: Selector, way: Sequence[Entry], key: str) -> SelectorError:
    node = way[-1].node if way else document.root
    here = ".".join(_words(document, way))
    line = _line(document, way[-1]) if way else None
    if node.kind == "alias":
        origin = next((w for w in _everything(document.root) if w[-1].node.anchor == node.anchor), None)
        mend = f"select {selector.path}:{'.'.join(_words(document, origin))}" if origin else OTHER_FILE
        return SelectorError(
            f"{here!r} only repeats what is anchored as &{node.anchor}", path=selector.path, line=line, mend=mend
        )
    if not node.entries:
        held = "is empty" if node.kind in ("mapping", "sequence") else "is a value and has no keys"
        return SelectorError(
            f"{here or 'the file'!s} {held}",
            path=selector.path,
            line=line,
            mend=f"select {selector.path}:{here}" if here else f"select {selector.path}",
        )
    known = {
        f"{here}.{label}" if here else label: entry for label, entry in zip(_labels(node), node.entries, strict=True)
    }
    wanted = f"{here}.{_quoted(key)}" if here else _quoted(key)
    near = dict.fromkeys(nearest(wanted, known))
    for other in _everything(document.root):
        if other[-1].name == key and len(near) < _MOST:
            path = ".".join(_words(document, other))
            near[path], known[path] = None, other[-1]
    shown = list(near) or list(known)[:_MOST]
    return UnknownSymbol(
        wanted,
        path=selector.path,
        line=line,
        known=near,
        noun="key",
        mend="" if nearest(wanted, near) else "select one of these" if near else "name one of the keys that are there",
        evidence=[f"{selector.path}:{_line(document, known[k])}  {selector.path}:{k}" for k in shown],
    )


def _everything(node: Node) -> Iterator[list[Entry]]:
    """The way to each entry of a file, in order."""
    waiting = [[entry] for entry in reversed(node.entries)]
    while waiting:
        way = waiting.pop()
        yield way
        waiting.extend([*way, entry] for entry in reversed(way[-1].node.entries))


def _shares_lines(document: Document, selector: Selector, way: Sequence[Entry]) -> SelectorError:
    words = _words(document, way)
    owners = [i for i in range(1, len(way)) if _owns_lines(document, way[i - 1])]
    parent = f"{selector.path}:{'.'.join(words[: owners[-1]])}" if owners else selector.path
    row = document.text[line_start(document.text, way[-1].start) :]
    return SelectorError(
        f"{'.'.join(words)!r} shares its line with something else",
        path=selector.path,
        line=_line(document, way[-1]),
        evidence=(row[: _line_end(row, 0).start()].strip()[:120],),
        mend=f"select {parent}",
    )


def _owns_lines(document: Document, entry: Entry) -> bool:
    """Whether nothing else stands on the entry's first and last line: only such an entry can be cut out."""
    text = document.text
    before = text[line_start(text, entry.start) : entry.start]
    return not before.strip(" \t") and _REST_OF_LINE.match(text, _end(entry)) is not None


def _end(entry: Entry) -> int:
    return max(entry.after, entry.node.end)


def _part(document: Document, entry: Entry, label: str) -> Part:
    text = document.text
    start = line_start(text, entry.start)
    first_end = _line_end(text, entry.after)
    last_end = _line_end(text, _end(entry))
    end = _trailing(document, last_end.end(), entry.start - start)
    whole = Region(start=start, end=end)
    below = entry.node.opens and first_end.end() < end
    comments = within(document.comments, whole)
    head_end = _end(entry)
    if below:
        cut = next((c.start for c in comments if first_end.start() == c.end), first_end.start())
        head_end = len(text[:cut].rstrip(" \t"))
    return Part(
        name=entry.name,
        selector=label,
        kind="key",
        whole=whole,
        head=Region(start=start, end=head_end),
        body=Region(start=first_end.end(), end=end) if below else None,
        members=_members(document, entry.node),
        comments=comments,
        literals=within(document.literals, whole),
    )


def _members(document: Document, node: Node) -> tuple[Part, ...]:
    """The entries that can be shown alone; the others share their lines."""
    return tuple(
        _part(document, entry, label)
        for entry, label in zip(node.entries, _labels(node), strict=True)
        if _owns_lines(document, entry)
    )


def _trailing(document: Document, end: int, column: int) -> int:
    """The end of an entry with the comment lines below that are indented deeper than its key, and what is between."""
    text, floor = document.text, end
    for at in range(bisect_left(document.comments, (end, 0)), len(document.comments)):
        start, stop = document.comments[at]
        line = line_start(text, start)
        if text[floor:start].strip(" \t\r\n"):
            break
        floor = _line_end(text, stop).end()
        if start - line > column:
            end = floor
    return end


def _line_end(text: str, at: int) -> re.Match[str]:
    """The end of the line of `at`: its characters, or nothing at the end of the text."""
    found = _NEWLINE.search(text, at)
    assert found is not None  # the end of the text is one
    return found
