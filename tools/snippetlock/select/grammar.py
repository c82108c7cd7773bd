"""Let the grammar judge one statement, cut out of its file.

What `outline` found on the lines is believed only when the grammar agrees: the slice is one complete
statement, and its definitions, their names, kinds and docstrings are the same in both readings. Python's own parser
(`native`) is asked first, libcst (`concrete`) where that does not agree: it knows newer grammar, and says where it
stopped. Nothing of theirs is kept but shapes, and no source is ever made from their nodes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from snippetlock.errors import SourceError
from snippetlock.model import Part
from snippetlock.select.native import Shape, shapes
from snippetlock.select.skim import Skim
from snippetlock.text import line_at, normalise, sha256
from snippetlock.tokens import NEWLINE

__all__ = ["confirm"]

_LAST_BACKSLASH = re.compile(r"\\[\r\n]*\Z")
_BREAK = re.compile(NEWLINE)
_MEMBER = re.compile(r"(?:async[ \t\f]+)?def\b|class\b")

# What was read in this process, by the digest of its text: along a history most statements stay as they were.
_READ: dict[str, tuple[Shape, ...]] = {}
_NATIVE: dict[str, tuple[Shape, ...] | None] = {}
_MOST_READ = 4096


def confirm(skim: Skim, lines: range, inline: int, parts: Sequence[Part], path: str) -> None:
    """Raise `SourceError` unless these logical lines define `parts`, no less and no more. `limits` come first.

    `inline` is where the statement starts that shares its line with the header before it; -1 for whole lines.
    """
    if not lines:
        return
    line = line_at(skim.text, skim.codes[lines[0]])
    source = _judged(skim, lines, inline)
    wanted = tuple(map(_shape_of_part, parts))
    found = _READ.get(sha256(source))
    in_members = found is None and inline < 0 and len(parts) == 1 and parts[0].kind == "class"
    if found is None and ((in_members and _by_members(skim, lines, _native) == wanted) or shapes(source) == wanted):
        found = wanted
    if found is None and in_members:
        found = _by_members(skim, lines, _read)
    if found is None:
        found = tuple(shape for statement in _concrete(source, skim.text, line, path) for shape in statement)
    _keep(source, found)
    skim.judged.append((skim.codes[lines[0]], skim.ends[lines[-1]]))
    if wanted != found:
        raise SourceError(
            "this reads differently by its lines and by its grammar",
            path=path,
            line=line,
            evidence=(f"by its lines: {_names(wanted)}", f"by its grammar: {_names(found)}"),
            mend="please report it with the file: this is a bug of snippetlock",
        )


def _keep(source: str, found: tuple[Shape, ...]) -> None:
    if len(_READ) == _MOST_READ:
        _READ.clear()
    _READ[sha256(source)] = found


def _by_members(skim: Skim, lines: range, read: Callable[[str], tuple[Shape, ...] | None]) -> tuple[Shape, ...] | None:
    """The shapes of a class, from its members one by one and the class with an assignment in place of each.

    Most of a class stays as it was from one version to the next, and what was read of a member before need not be
    parsed again. It is what the whole would say: a block is statements one after the other, and each member is one
    complete `def` or `class` that ends where an indentation ends it, whatever stands around it. None where there
    is any doubt, a syntax error included: then the whole is parsed, and the error is the whole's.
    """
    members = _members(skim, lines)
    if not members:
        return None
    pieces, at = [], lines[0]
    mark = "_0"
    while mark in skim.text:
        mark += "0"
    known: dict[str, Shape] = {}
    for number, member in enumerate(members):
        found = read(_judged(skim, member, -1))
        ends_plain = not _LAST_BACKSLASH.search(skim.text, skim.codes[member[-1]], skim.ends[member[-1]])
        if found is None or len(found) != 1 or not ends_plain:
            return None
        known[f"{mark}{number}"] = found[0]
        pieces.append(_copied(skim, range(at, member[0]), lines[0]))
        pieces.append(f"{' ' * (skim.columns[member[0]] - skim.columns[lines[0]])}{mark}{number} = 0\n")
        at = member.stop
    pieces.append(_copied(skim, range(at, lines.stop), lines[0]))
    around = read(_readable("".join(pieces)))
    if around is None or len(around) != 1:
        return None
    kind, name, documented, inner = around[0]
    return ((kind, name, documented, tuple(known.get(one[1], one) for one in inner)),)


def _members(skim: Skim, lines: range) -> list[range]:
    """The lines of each `def` and `class` directly in the body of the class on these lines, decorators included."""
    text, codes, columns = skim.text, skim.codes, skim.columns
    at = lines[0]
    while at < lines.stop and text[codes[at]] == "@":
        at += 1
    at += 1
    found: list[range] = []
    column = columns[at] if at < lines.stop else 0
    while at < lines.stop:
        first = at
        while at < lines.stop and columns[at] == column and text[codes[at]] == "@":
            at += 1
        if at == lines.stop or (at > first and columns[at] != column):
            return []
        member = columns[at] == column and _MEMBER.match(text, codes[at])
        at += 1
        if member:
            while at < lines.stop and columns[at] > column:
                at += 1
            found.append(range(first, at))
    return found


def _read(source: str) -> tuple[Shape, ...] | None:
    """The shapes of a text that is exactly one statement; None where it is not."""
    found = _READ.get(sha256(source))
    if found is None:
        try:
            statements = _concrete(source, source, 1, "")
        except SourceError:
            return None
        if len(statements) != 1:
            return None
        found = statements[0]
        _keep(source, found)
    return found


def _native(source: str) -> tuple[Shape, ...] | None:
    """The same by Python's own parser."""
    key = sha256(source)
    if key not in _NATIVE:
        if len(_NATIVE) == _MOST_READ:
            _NATIVE.clear()
        _NATIVE[key] = shapes(source, alone=True)
    return _NATIVE[key]


def _concrete(source: str, text: str, line: int, path: str) -> tuple[tuple[Shape, ...], ...]:
    """What `concrete.shapes` says. Loaded only here: libcst takes half a second, and is seldom asked."""
    from snippetlock.select.concrete import shapes

    return shapes(source, text, line, path)


def _judged(skim: Skim, lines: range, inline: int) -> str:
    """A copy of these logical lines that libcst reads as Python would: indented by spaces, from column 0 on.

    Comments and blank lines between them are left blank, so lines keep their numbers from the first one on.
    """
    if inline >= 0:
        return _readable(skim.text[inline : skim.ends[lines[0]]].lstrip(" \t\f"))
    return _readable(_copied(skim, lines, lines[0]))


def _copied(skim: Skim, lines: range, first: int) -> str:
    """These lines, indented as they are beyond line `first`, which begins the statement."""
    text, pieces = skim.text, []
    for i in lines:
        gap = text[skim.ends[i - 1] : skim.starts[i]] if i > first else ""
        if gap:
            pieces.append("\n" * len(_BREAK.findall(gap)))
        pieces.append(" " * (skim.columns[i] - skim.columns[first]))
        pieces.append(text[skim.codes[i] : skim.ends[i]])
    return "".join(pieces)


def _readable(source: str) -> str:
    # What follows a last backslash is a blank line; a form feed is white space, but libcst stumbles over it.
    return _LAST_BACKSLASH.sub("", normalise(source).replace("\f", " "))


def _shape_of_part(part: Part) -> Shape:
    return (part.kind, part.name, part.docstring is not None, tuple(map(_shape_of_part, part.members)))


def _names(shapes: Sequence[Shape]) -> str:
    return ", ".join(f"{kind} {name}" for kind, name, _, _ in shapes) or "nothing"
