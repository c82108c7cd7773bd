"""Marked regions: the lines between two comments that name them, in a file of any kind.

    # --8<-- [start:name]      # --8<-- [end:name]         (pymdown-extensions)
    // [START name]            // [END name]               (region tags)
    // ANCHOR: name            // ANCHOR_END: name         (mdBook)
    # region name              # endregion                 (editors; also `#pragma region` and `#region`)

The marks are not shown; those of a region inside another one are, for they are lines of it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from snippetlock.config.selector import ROLES
from snippetlock.errors import LISTED, AmbiguousSymbol, SelectorError, UnknownSymbol, nearest
from snippetlock.model import Found, Part, Region, Selector, Tree
from snippetlock.select.files import Reader
from snippetlock.select.hints import no_module
from snippetlock.select.places import within
from snippetlock.select.skim import skim
from snippetlock.text import decode, line_at, sha256, split_lines

__all__ = ["find_region", "regions_of"]

_LEAD = r"[ \t]*(?:\#|//|/\*|<!--|--|;|%|\.\.)"  # what comments begin with
_TAIL = r"[ \t]*(?:\*/|-->)?[ \t]*"
_NAME = r"(?P<{}>[^\s\[\]:]+)"
_MARK = re.compile(
    rf"{_LEAD}[ \t]*--8<--[ \t]+\[(?P<s>start|end)[ \t]*:[ \t]*{_NAME.format('a')}\]{_TAIL}"
    rf"|{_LEAD}[ \t]*\[(?P<t>START|END)[ \t]+{_NAME.format('b')}\]{_TAIL}"
    rf"|{_LEAD}[ \t]*(?P<u>ANCHOR|ANCHOR_END):[ \t]*{_NAME.format('c')}{_TAIL}"
    rf"|[ \t]*(?:(?:\#[ \t]*pragma|\#|//|/\*|<!--|--|;)[ \t]*\#?)[ \t]*"
    rf"(?P<v>region|endregion)\b[ \t]*:?[ \t]*(?P<d>\S(?:.*?\S)??)?{_TAIL}",
)
_LONGEST = 500  # characters of a line that can be a mark: more would only be slow


class _Mark(NamedTuple):
    """A line that opens a region, or closes one.

    The editors' regions (style `v`) need no name, and what follows the word that closes one may be anything.
    """

    style: str
    opens: bool
    name: str
    start: int
    end: int


def find_region(tree: Tree, selector: Selector, language: str) -> Found:
    """Find the region `@name` of a file, or of the file of a module. Raises as `find` does."""
    reader = Reader(tree)
    path = selector.path
    if selector.module:
        module = reader.module(selector.module)
        if module is None:
            raise no_module(reader, selector)
        path, language = module.path, "python"
    data = tree.read(path)
    text = decode(data, path, python=language == "python")
    asked = re.fullmatch(r'@(?:"([^"]+)"|([^#]+))(?:#(\d+))?', selector.name)
    assert asked is not None  # `parse_selector` let it pass
    name, number = asked[1] or asked[2], asked[3]
    regions, halves = _regions(text)
    named = [region for region in regions if region[0] == name]
    if halves and (not named or any(_doubtful(region, halves) for region in named)):
        raise _half(halves[0], text, path)
    if number:
        named = named[int(number) - 1 : int(number)]
    if not named:
        raise _unknown(selector, path, text, regions)
    if len(named) > 1:
        rows = [
            (f"{selector.text}#{i}", path, line_at(text, r[1].start)) for i, r in enumerate(named[:LISTED], start=1)
        ]
        raise AmbiguousSymbol(selector.name, path=path, candidates=rows, count=len(named))
    return Found(
        selector=selector,
        path=path,
        text=text,
        language=language,
        part=_part(selector, path, text, language, named[0]),
        consulted=tuple(sorted({**reader.consulted, path: sha256(data)}.items())),
    )


def regions_of(text: str) -> Iterator[tuple[str, str, Region]]:
    """Every named region of a file in order: its selector, its name and the lines in it.

    One whose name cannot be written in a selector is left out, and so is one that `find_region` would not take.
    """
    whole, halves = _regions(text)
    found = [region for region in whole if not _doubtful(region, halves)]
    times = Counter(name for name, _, _ in found)
    numbers: Counter[str] = Counter()
    for name, opening, closing in found:
        numbers[name] += 1
        if '"' not in name:
            written = f'@"{name}"' if re.search(r"[\s#@]", name) or name in ROLES else f"@{name}"
            number = f"#{numbers[name]}" if times[name] > 1 else ""
            yield written + number, name, Region(start=opening.end, end=closing.start)


def _part(selector: Selector, path: str, text: str, language: str, region: tuple[str, _Mark, _Mark]) -> Part:
    _, opening, closing = region
    whole = Region(start=opening.end, end=closing.start)
    if not text[whole.start : whole.end].strip():
        raise SelectorError(
            f"the region {region[0]!r} is empty",
            path=path,
            line=line_at(text, opening.start),
            mend="select another region, or the lines by `from` and `to`",
        )
    lines = skim(text) if language == "python" else None
    return Part(
        name=region[0],
        selector=selector.name,
        kind="key",
        whole=whole,
        head=Region(start=whole.start, end=whole.start),
        comments=within(lines.comments, whole) if lines else (),
        literals=within(lines.literals, whole) if lines else (),
    )


def _marks(text: str) -> Iterator[_Mark]:
    at = 0
    for line in split_lines(text):
        found = _MARK.fullmatch(line.rstrip("\r\n")) if len(line) <= _LONGEST else None
        if found:
            word = found["s"] or found["t"] or found["u"] or found["v"]
            style = next(key for key in "stuv" if found[key])
            name = found["a"] or found["b"] or found["c"] or found["d"] or ""
            yield _Mark(style, word in ("start", "START", "ANCHOR", "region"), name, at, at + len(line))
        at += len(line)


class _Half(NamedTuple):
    """A mark without its other half, and what is wrong with it."""

    mark: _Mark
    what: str


def _regions(text: str) -> tuple[list[tuple[str, _Mark, _Mark]], list[_Half]]:
    """Every named region with its marks, in order, and the marks without their other half.

    A region with a name in both marks is whole whatever is wrong with another; where an editor's mark lacks
    its half, which mark closes which region of that style is anybody's guess.
    """
    open_: list[_Mark] = []
    found: list[tuple[str, _Mark, _Mark]] = []
    halves: list[_Half] = []
    for mark in _marks(text):
        if mark.opens:
            open_.append(mark)
            continue
        at = _opening(open_, mark)
        if at < 0:
            halves.append(_Half(mark, f"this closes a region {mark.name!r} that is not open"))
        else:
            found.append((open_[at].name, open_[at], mark))
            del open_[at]
    halves += [_Half(mark, f"the region {mark.name!r} is not closed") for mark in open_]
    return sorted((region for region in found if region[0]), key=lambda region: region[1].start), halves


def _doubtful(region: tuple[str, _Mark, _Mark], halves: Iterable[_Half]) -> bool:
    """Whether one of the marks without another half could be one of this region's."""
    name, opening, _ = region
    return any(half.mark.name == name or half.mark.style == opening.style == "v" for half in halves)


def _opening(open_: list[_Mark], closing: _Mark) -> int:
    """Which of the open marks this one closes: the last of its name, for an editor's else the last; -1 for none."""
    alike = (i for i in range(len(open_) - 1, -1, -1) if open_[i].style == closing.style)
    last = -1
    for i in alike:
        if open_[i].name == closing.name or (closing.style == "v" and not closing.name):
            return i
        last = i if last < 0 else last
    return last if closing.style == "v" else -1


def _half(half: _Half, text: str, path: str) -> SelectorError:
    return SelectorError(
        half.what,
        path=path,
        line=line_at(text, half.mark.start),
        evidence=(text[half.mark.start : half.mark.end].strip(),),
        mend="select something else of this file, or lines by `from` and `to`",
    )


def _unknown(selector: Selector, path: str, text: str, regions: list[tuple[str, _Mark, _Mark]]) -> UnknownSymbol:
    places = {f"@{name}": line_at(text, opening.start) for name, opening, _ in reversed(regions)}
    near = nearest(selector.name, places)
    shown = near or sorted(places, key=lambda name: places[name])[:8]
    return UnknownSymbol(
        selector.name,
        path=path,
        known=near,
        noun="region",
        evidence=[f"{path}:{places[name]}  {path}:{name}" for name in shown],
        mend="" if near else "name one of the regions that are there" if places else "the file has no marked regions",
    )
