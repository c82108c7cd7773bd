"""Let the grammar judge one statement, cut out of its file. The only place that imports libcst.

What `outline` found on the lines is believed only when the grammar agrees: the slice is one complete
statement, and its definitions, their names, kinds and docstrings are the same in both readings. Python's own parser
is asked first, libcst where that does not agree: it knows newer grammar, and says where it stopped. Nothing of
theirs is kept, and no source is ever made from their nodes.
"""

from __future__ import annotations

import gc
import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from snippetlock.errors import ELSEWHERE, SourceError
from snippetlock.model import Part
from snippetlock.select.native import Shape, shapes
from snippetlock.select.outline import normal
from snippetlock.select.skim import Skim
from snippetlock.text import line_at, line_of, line_starts, normalise, sha256, slice_lines
from snippetlock.tokens import NEWLINE, tokenize

if TYPE_CHECKING:
    import libcst as cst

__all__ = ["check_lines", "confirm"]

# Python's own limits (MAXLEVEL, MAXINDENT in its tokenizer). libcst has none, and ends the process beyond its stack.
_BRACKETS, _INDENTS = 200, 100
# How many tokens may hang together with no comma between: each can be one more level of libcst's recursion.
_CHAIN = 1500
_STOPPED = re.compile(r"error at (\d+):(\d+)")
_LAST_BACKSLASH = re.compile(r"\\[\r\n]*\Z")
_BREAK = re.compile(NEWLINE)
_MEMBER = re.compile(r"(?:async[ \t\f]+)?def\b|class\b")

# What was read in this process, by the digest of its text: along a history most statements stay as they were.
_READ: dict[str, tuple[Shape, ...]] = {}
_NATIVE: dict[str, tuple[Shape, ...] | None] = {}
_MOST_READ = 4096


def confirm(skim: Skim, lines: range, inline: int, parts: Sequence[Part], path: str) -> None:
    """Raise `SourceError` unless these logical lines define `parts`, no less and no more. `check_lines` comes first.

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
        found = _shapes_in(_parse(source, skim.text, line, path))
    _keep(source, found)
    if wanted != found:
        raise SourceError(
            "this reads differently by its lines and by its grammar",
            path=path,
            line=line,
            evidence=(f"by its lines: {_names(wanted)}", f"by its grammar: {_names(found)}"),
            mend="please report it with the file: this is a bug of snippetlock",
        )


def _shapes_in(body: Sequence[cst.CSTNode]) -> tuple[Shape, ...]:
    return tuple(_shapes(body, inside_function=False))


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
            body = _parse(source, source, 1, "")
        except SourceError:
            return None
        if len(body) != 1:
            return None
        found = _shapes_in(body)
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


def _parse(source: str, text: str, line: int, path: str) -> Sequence[cst.CSTNode]:
    """The statements of `source`, whose first line is line `line` of the file's `text`."""
    import libcst as cst

    collecting = gc.isenabled()
    gc.disable()  # a parse makes many objects and no garbage
    try:
        return cst.parse_module(source).body
    except (cst.ParserSyntaxError, cst.CSTValidationError, UnicodeError, RecursionError) as error:
        stopped = _STOPPED.search(str(error))
        line += _last_token_line(source, int(stopped[1]), int(stopped[2])) - 1 if stopped else 0
        shown = slice_lines(text, line, line).strip()[:120]
        raise SourceError(
            "the grammar of this statement is not understood",
            path=path,
            line=line,
            evidence=(shown,),
            mend=f"update libcst if a newer Python reads it; else {ELSEWHERE}",
        ) from error
    finally:
        if collecting:
            gc.enable()


def _last_token_line(source: str, line: int, column: int) -> int:
    """The line of the last token before `line:column` (from 1, from 0): libcst names the place one token late."""
    starts = line_starts(source)
    stop = starts[line - 1] + column if line <= len(starts) else len(source)
    last = 0
    for token in tokenize(source):
        if token.start >= stop:
            break
        if token.kind not in ("newline", "comment"):
            last = token.start
    return line_of(starts, last)


def check_lines(skim: Skim, lines: range, path: str) -> None:
    """Raise `SourceError` for what no Python reads, and for what would end the process inside libcst."""
    text = skim.text
    first, last = (line_at(text, skim.codes[lines[0]]), line_at(text, skim.ends[lines[-1]] - 1)) if lines else (1, 0)
    for fault in skim.faults:
        if fault.line is not None and first <= fault.line <= last:
            raise SourceError(fault.what, path=path, line=fault.line, mend=fault.mend)
    null = text.find("\0", skim.codes[lines[0]], skim.ends[lines[-1]]) if lines else -1
    if null >= 0:
        raise SourceError("a null character stands here", path=path, line=line_at(text, null), mend=ELSEWHERE)
    open_columns: list[int] = []
    elifs = 0
    for i in lines:
        column = skim.columns[i]
        if not open_columns or column > open_columns[-1]:
            open_columns.append(column)
        while column < open_columns[-1] and len(open_columns) > 1:
            open_columns.pop()
        if column != open_columns[-1]:
            raise _fault(skim, i, "this line's indentation matches no line above", ELSEWHERE, path)
        if len(open_columns) >= _INDENTS:
            raise _fault(skim, i, f"this is indented more than {_INDENTS} levels deep", _SMALLER, path)
        elifs += text.startswith("elif", skim.codes[i])
        if elifs > _CHAIN:
            raise _fault(skim, i, f"more than {_CHAIN} branches hang together here", _SMALLER, path)
        if _may_nest(text, skim.codes[i], skim.ends[i]):
            _check_depth(skim, i, path)


def _may_nest(text: str, start: int, end: int) -> bool:
    """Whether a line can be refused at all: no depth is more than its opening brackets, no chain than its letters."""
    length = end - start
    return length > _CHAIN or (
        length > _BRACKETS and sum(text.count(bracket, start, end) for bracket in "([{") >= _BRACKETS
    )


def _check_depth(skim: Skim, line: int, path: str) -> None:
    """Raise when brackets, fields or operators of this logical line nest too deeply."""
    text = skim.text
    chains = [0]
    total = 0
    for token in tokenize(text, skim.codes[line], skim.ends[line]):
        piece = text[token.start] if token.end - token.start == 1 else ""
        if token.kind == "string" and text.count("{", token.start, token.end) > _BRACKETS:
            raise _fault(skim, line, f"a string here has more than {_BRACKETS} replacement fields", _SMALLER, path)
        if piece and piece in "([{":
            chains.append(0)
        elif piece and piece in ")]}" and len(chains) > 1:
            total -= chains.pop()
        elif piece in (",", ";"):
            total -= chains[-1]
            chains[-1] = 0
        chains[-1] += 1
        total += 1
        if len(chains) > _BRACKETS:
            raise _fault(skim, line, f"brackets here are more than {_BRACKETS} deep", _SMALLER, path)
        if total > _CHAIN:
            raise _fault(
                skim, line, f"more than {_CHAIN} terms hang together here with no comma between", _SMALLER, path
            )


_SMALLER = "select something that does not hold it"


def _fault(skim: Skim, line: int, what: str, mend: str, path: str) -> SourceError:
    return SourceError(what, path=path, line=line_at(skim.text, skim.codes[line]), mend=mend)


def _shape_of_part(part: Part) -> Shape:
    return (part.kind, part.name, part.docstring is not None, tuple(map(_shape_of_part, part.members)))


def _shapes(body: Sequence[cst.CSTNode], inside_function: bool) -> Iterator[Shape]:
    """The definitions among these statements, those in their blocks included."""
    import libcst as cst

    for node in body:
        if isinstance(node, cst.ClassDef | cst.FunctionDef):
            kind = "class" if isinstance(node, cst.ClassDef) else "function"
            inner = _block(node.body)
            shapes = tuple(_shapes(inner, inside_function=kind == "function"))
            yield kind, normal(node.name.value), _has_docstring(inner), shapes
        elif isinstance(node, cst.SimpleStatementLine | cst.SimpleStatementSuite):
            if not inside_function:
                names = (normal(name) for small in node.body for name in _bound(small))
                yield from (("attribute", name, False, ()) for name in dict.fromkeys(names))
        else:
            for block in _blocks(node):
                yield from _shapes(block, inside_function)


def _blocks(node: cst.CSTNode) -> Iterator[Sequence[cst.CSTNode]]:
    """The blocks of a compound statement in order; a chain of `elif` is walked, not climbed."""
    waiting: list[Any] = [node]
    while waiting:
        part = waiting.pop()
        if hasattr(part, "body"):
            yield _block(part.body)
        after = (
            *getattr(part, "cases", ()),
            *getattr(part, "handlers", ()),
            getattr(part, "orelse", None),
            getattr(part, "finalbody", None),
        )
        waiting.extend(p for p in reversed(after) if p is not None)


def _block(suite: Any) -> Sequence[cst.CSTNode]:
    import libcst as cst

    return (suite,) if isinstance(suite, cst.SimpleStatementSuite) else suite.body


def _bound(node: cst.CSTNode) -> Iterator[str]:
    """The names that a small statement binds as definitions."""
    import libcst as cst

    waiting: list[cst.CSTNode] = []
    if isinstance(node, cst.Assign):
        waiting = [target.target for target in reversed(node.targets)]
    elif isinstance(node, cst.AnnAssign):
        waiting = [node.target]
    elif isinstance(node, cst.TypeAlias):
        waiting = [node.name]
    while waiting:
        target = waiting.pop()
        if isinstance(target, cst.Name):
            yield target.value
        elif isinstance(target, cst.Tuple | cst.List):
            waiting.extend(element.value for element in reversed(target.elements))


def _has_docstring(body: Sequence[Any]) -> bool:
    import libcst as cst

    first: Any = body[0] if body else None
    if not isinstance(first, cst.SimpleStatementLine | cst.SimpleStatementSuite) or not first.body:
        return False
    small = first.body[0]
    waiting: list[Any] = [small.value if isinstance(small, cst.Expr) else None]
    while waiting:
        node = waiting.pop()
        if isinstance(node, cst.ConcatenatedString):
            waiting.extend((node.left, node.right))
        elif not isinstance(node, cst.SimpleString) or "b" in node.prefix.lower():
            return False
    return True


def _names(shapes: Sequence[Shape]) -> str:
    return ", ".join(f"{kind} {name}" for kind, name, _, _ in shapes) or "nothing"
