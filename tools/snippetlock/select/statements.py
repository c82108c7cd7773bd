"""What one logical line of Python binds, from its tokens: where its header ends, its parts, its targets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from snippetlock.errors import SourceError
from snippetlock.text import late
from snippetlock.tokens import STRING, Token, tokenize

__all__ = ["bound", "code_tokens", "header_colon", "small_statements", "targets"]

_OPENERS, _CLOSERS = frozenset("([{"), frozenset(")]}")
# A statement that begins with one of these binds nothing that we call a definition.
_NO_TARGET = frozenset(
    "assert await break continue del from global import lambda nonlocal not pass raise return yield".split()  # noqa: SIM905
)
# One that says on its face what it binds: a string alone, or a name with an annotation or a value.
_PLAIN = late(
    rf"(?P<string>[rRuU]?(?:{STRING})[ \t]*(?:\#[^\r\n]*)?[\r\n]*\Z)"
    r"|(?P<name>[A-Za-z_][A-Za-z0-9_]*)[ \t]*(?:(?P<colon>:(?!=))|=(?!=))"
)
# All that matters to where a header ends, in one without strings, backslashes and letters beyond ASCII.
_DIVIDER = late(r"\#[^\r\n]*|:=|[()\[\]{}:]|(?<!\w)lambda(?!\w)")
_NOT_PLAIN = late(r"[^\x00-!#-&(-\[\]-\x7f]|[0-9]lambda")  # by what is plain: a set beyond ASCII takes 5 ms


def code_tokens(text: str, start: int, end: int) -> Iterator[Token]:
    """The tokens that are neither comments nor ends of lines, up to a string that is not closed."""
    try:
        yield from (token for token in tokenize(text, start, end) if token.kind not in ("comment", "newline"))
    except SourceError:  # `skim` has noted it, and whoever shows the line has it parsed
        return


def header_colon(text: str, start: int, end: int) -> int:
    """The offset of the colon that ends the header which starts at `start`; -1 if there is none."""
    depth = lambdas = 0
    for at, piece in _dividers(text, start, end):
        if piece in _OPENERS:
            depth += 1
        elif piece in _CLOSERS:
            depth -= 1
        elif piece == "lambda":
            lambdas += depth == 0
        elif piece == ":" and depth == 0:
            if not lambdas:
                return at
            lambdas -= 1
    return -1


def _dividers(text: str, start: int, end: int) -> Iterator[tuple[int, str]]:
    """Where brackets, colons and `lambda` stand; other words may be among them. Most headers need no tokens for it."""
    if _NOT_PLAIN.search(text, start, end):
        return ((token.start, text[token.start : token.end]) for token in code_tokens(text, start, end))
    return ((found.start(), found[0]) for found in _DIVIDER.finditer(text, start, end))


def small_statements(text: str, start: int, end: int) -> Iterator[tuple[Token, ...]]:
    """The tokens of each statement between the semicolons of a logical line, empty ones left out."""
    depth = 0
    part: list[Token] = []
    for token in code_tokens(text, start, end):
        piece = text[token.start] if token.kind == "op" else ""
        depth += (piece in _OPENERS) - (piece in _CLOSERS) if piece else 0
        if piece == ";" and depth == 0:
            if part:
                yield tuple(part)
            part = []
        else:
            part.append(token)
    if part:
        yield tuple(part)


def bound(text: str, start: int, end: int) -> tuple[str, ...]:
    """The names that the statements of a logical line bind, in order; most lines need not be taken into tokens."""
    found = _PLAIN.match(text, start, end)
    if found and found["string"]:
        return ()
    if found and text.find(";", start, end) < 0:
        if found["name"] in _NO_TARGET:
            return ()
        if found["colon"] or text.find("=", found.end(), end) < 0:
            return (found["name"],)
    return _bound(text[start:end])


@lru_cache(maxsize=4096)  # most lines stood in the version before
def _bound(line: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(t for s in small_statements(line, 0, len(line)) for t in targets(line, s)))


def targets(text: str, statement: Sequence[Token]) -> tuple[str, ...]:
    """The names that an assignment, an annotation or a `type` statement binds; none for another statement."""
    words = [text[token.start : token.end] for token in statement]
    if words[0] in _NO_TARGET:
        return ()
    if words[0] == "type" and len(words) > 2 and statement[1].kind == "name" and words[2] in ("=", "["):
        return (words[1],)
    names: list[str] = []
    depth = begin = 0
    for i, word in enumerate(words):
        if statement[i].kind == "string":
            continue
        if word in _OPENERS:
            depth += 1
        elif word in _CLOSERS:
            depth -= 1
        elif depth == 0 and word == "lambda":
            break  # what follows has colons and equal signs of its own
        elif depth == 0 and word == ":":
            alone = [t.kind for t, w in zip(statement[:i], words, strict=False) if w not in ("(", ")")]
            if begin == 0 and alone == ["name"]:
                names.extend(w for w in words[:i] if w not in ("(", ")"))
            break
        elif depth == 0 and word == "=":
            names.extend(_names(statement[begin:i], words[begin:i]))
            begin = i + 1
    return tuple(dict.fromkeys(names))


def _names(tokens: Sequence[Token], words: Sequence[str]) -> Iterator[str]:
    """The plain names in a target: not those of `a.b`, `a[b]` or `f(a).b`."""
    within: list[bool] = []  # for each open bracket, whether it groups targets; if not, it belongs to an expression
    for i, word in enumerate(words):
        before = words[i - 1] if i else "("
        after = words[i + 1] if i + 1 < len(words) else ")"
        if word in ("(", "["):
            within.append(before in ("(", "[", ",", "*") and all(within))
        elif word in _CLOSERS:
            del within[-1:]
        elif tokens[i].kind == "name" and all(within) and before in ("(", "[", ",", "*") and after in (")", "]", ","):
            yield word
