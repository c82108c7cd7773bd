"""C, C++ and CUDA by name: a definition from its first token to its closing brace, the comment above it included."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from snippetlock.errors import LISTED, AmbiguousSymbol, UnknownSymbol, nearest
from snippetlock.model import Found, Part, Region, Selector, Tree
from snippetlock.select.curly import Lexed, lex
from snippetlock.select.declarations import TYPES, Declared, declarations
from snippetlock.select.places import line_end, line_start, within
from snippetlock.text import decode, line_at, sha256

__all__ = ["every", "find_braces"]

_KINDS = frozenset(("class", "concept", "enum", "namespace", "struct", "union"))
_MOST = 8  # candidates that a message shows


def find_braces(tree: Tree, selector: Selector, language: str) -> Found:
    """Find one definition of a C, C++ or CUDA file. Raises as `find` does."""
    path = selector.path
    data = tree.read(path)
    text = decode(data, path, python=False)
    lexed = lex(text, path)
    declared = declarations(text, lexed.tokens, path)
    one = _one(selector, text, declared)
    start = _lead(text, lexed, one.start)
    whole = Region(start=start, end=line_end(text, one.end))
    part = Part(
        name=one.names[0],
        selector=selector.name,
        kind="key",
        whole=whole,
        head=Region(start=whole.start, end=whole.start),
        comments=within(lexed.comments, whole),
        literals=within(lexed.literals, whole),
    )
    return Found(
        selector=selector, path=path, text=text, language=language, part=part, consulted=((path, sha256(data)),)
    )


def every(text: str, path: str) -> Iterator[tuple[Declared, str, Region]]:
    """Each definition of a file with its full name, and all that `find_braces` takes. Raises `SourceError`."""
    lexed = lex(text, path)
    for one in declarations(text, lexed.tokens, path):
        yield one, _full(one), Region(start=_lead(text, lexed, one.start), end=line_end(text, one.end))


def _one(selector: Selector, text: str, declared: Sequence[Declared]) -> Declared:
    """The one declaration that is meant; a definition comes before what only announces it."""
    kind, _, rest = selector.name.partition(" ")
    kind, rest = (kind, rest) if kind in _KINDS else ("", selector.name)
    asked, _, number = rest.partition("#")
    found = [d for d in declared if kind in ("", d.kind) and any(_is(asked, d, name) for name in d.names)]
    found = [d for d in found if d.body] or found
    if "::" not in asked:  # the class is meant, not its constructors
        found = [d for d in found if d.scope.rpartition("::")[2] != asked or d.kind in TYPES] or found
    if number.isdecimal():
        found = found[int(number) - 1 : int(number)] if int(number) else []
    path = selector.path
    if len(found) > 1:
        stem = f"{path}:{kind} {asked}" if kind else f"{path}:{asked}"
        rows = [(f"{stem}#{i}", path, line_at(text, d.start)) for i, d in enumerate(found[:LISTED], start=1)]
        raise AmbiguousSymbol(selector.name, path=path, candidates=rows, count=len(found))
    if not found:
        raise _unknown(selector, asked, text, declared)
    return found[0]


def _unknown(selector: Selector, asked: str, text: str, declared: Sequence[Declared]) -> UnknownSymbol:
    path = selector.path
    known = {_full(d): d for d in reversed(declared)}
    short = {name.rpartition("::")[2]: name for name in known}
    near = nearest(asked, known) or tuple(short[name] for name in nearest(asked, short))
    lines = sorted((line_at(text, known[name].start), name) for name in near or known)
    mend = f"did you mean {' or '.join(map(repr, near))}?" if near else "name one of those that are there"
    return UnknownSymbol(
        selector.name,
        path=path,
        known=near,
        noun="definition",
        evidence=[f"{path}:{line}  {path}:{name}" for line, name in lines[:_MOST]],
        mend=mend if known else "the file defines nothing that is known here: select lines by `from` and `to`",
    )


def _full(declared: Declared) -> str:
    return "::".join(filter(None, (declared.scope, declared.names[0])))


def _is(asked: str, declared: Declared, name: str) -> bool:
    full = "::".join(filter(None, (declared.scope, name)))
    return f"::{full}".endswith(f"::{asked}")


def _lead(text: str, lexed: Lexed, start: int) -> int:
    """Where the comments right above a declaration begin: those with lines of their own and no blank line below."""
    start = line_start(text, start)
    at = bisect_left(lexed.comments, (start, 0)) - 1
    while at >= 0:
        here, end = lexed.comments[at]
        begin = line_start(text, here)
        if text[begin:here].strip(" \t") or text[end:start].strip(" \t") not in ("\n", "\r\n", "\r"):
            break
        start, at = begin, at - 1
    return start
