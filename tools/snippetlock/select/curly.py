"""The tokens of C, C++ and CUDA, and which bracket closes which. No compiler's: macros are words to it.

Knows comments, strings (raw ones too), characters, and preprocessor lines; of an `#if` with an `#else`, brackets
are counted once.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from snippetlock.errors import SourceError
from snippetlock.records import dataclass, field
from snippetlock.select.places import line_start
from snippetlock.text import line_at

__all__ = ["OPENERS", "Lexed", "Token", "lex", "partners"]

_TOKEN = re.compile(
    r"(?P<skip>[ \t\f\v\r\n]+|\\\r?\n)"
    r"|(?P<comment>//(?:[^\r\n\\]|\\(?:\r\n|[\s\S]))*+|/\*(?:[^*]|\*(?!/))*+\*/)"
    r'|(?P<raw>(?:u8|[uUL])?R"(?P<fence>[^()\\\s]{0,16})\()'
    r'|(?P<string>(?:u8|[uUL])?"(?:[^"\\\r\n]|\\(?:\r\n|[\s\S]))*+")'
    r"|(?P<char>(?:u8|[uUL])?'(?:[^'\\\r\n]|\\(?:\r\n|[\s\S]))++')"
    r"|(?P<number>\.?[0-9](?:[eEpP][+-]|'[0-9A-Za-z_]|[0-9A-Za-z_.])*+)"
    r"|(?P<word>[^\W\d]\w*)"
    r"|(?P<op>::|->|<<=|>>=|<=>|<=|>=|==|!=|&&|\|\||[\s\S])"
)
_DIRECTIVE = re.compile(
    r"#[ \t]*(\w*)(?:[^\r\n\\/\"']|\\(?:\r\n|[\s\S])|/\*(?:[^*]|\*(?!/))*+\*/|/(?![/*])"
    r"|\"(?:[^\"\\\r\n]|\\.)*+\"|['\"])*+"
)
OPENERS, _CLOSERS = {"(": ")", "[": "]", "{": "}"}, frozenset(")]}")
_BRANCHES = frozenset(("elif", "elifdef", "elifndef", "else"))


class Token(NamedTuple):
    """`kind` is string, char, number, word, op or directive (a whole preprocessor line)."""

    kind: str
    text: str
    start: int
    end: int


@dataclass(slots=True)
class Lexed:
    """The tokens of a text; beside them its comments, and its strings that run over several lines."""

    tokens: list[Token] = field(default_factory=list)
    comments: list[tuple[int, int]] = field(default_factory=list)
    literals: list[tuple[int, int]] = field(default_factory=list)


def lex(text: str, path: str = "") -> Lexed:
    """The tokens of C, C++ or CUDA. Raises `SourceError` for a comment or a string that is not closed."""
    found = Lexed()
    at = 0
    while at < len(text):
        if text[at] == "#" and not text[line_start(text, at) : at].strip(" \t"):
            match = _DIRECTIVE.match(text, at)
        else:
            match = _TOKEN.match(text, at)
        assert match is not None  # `op` takes any character
        kind, start, at = match.lastgroup or "directive", at, match.end()
        if match.re is _DIRECTIVE:
            kind = "directive"
        if match.re is _TOKEN and match["raw"]:
            kind, close = "string", f'){match["fence"]}"'
            end = text.find(close, at)
            if end < 0:
                raise _unclosed("raw string", text, start, path)
            at = end + len(close)
        if kind == "comment":
            found.comments.append((start, at))
        elif kind != "skip":
            piece = text[start:at]
            if piece in ('"', "/*") or text.startswith("/*", start):
                raise _unclosed("string" if piece == '"' else "comment", text, start, path)
            found.tokens.append(Token(kind, piece, start, at))
            if kind == "string" and "\n" in piece:
                found.literals.append((start, at))
    return found


def _unclosed(what: str, text: str, at: int, path: str) -> SourceError:
    mend = "select lines by `from` and `to`, or report it upstream"
    return SourceError(f"the {what} opened here is not closed", path=path, line=line_at(text, at), mend=mend)


def partners(tokens: Sequence[Token], text: str, path: str) -> dict[int, int]:
    """For each opening bracket its closing one. The branches of an `#if` start from the brackets open before it."""
    partner: dict[int, int] = {}
    open_: list[int] = []
    branches: list[tuple[list[int], list[int] | None]] = []  # what is open before an `#if`, and after its first branch
    for i, token in enumerate(tokens):
        if token.kind == "directive":
            open_ = _after_directive(token, open_, branches)
        elif token.kind == "op" and token.text in OPENERS:
            open_.append(i)
        elif token.kind == "op" and token.text in _CLOSERS:
            if not open_ or OPENERS[tokens[open_[-1]].text] != token.text:
                raise _unpaired(f"{token.text!r} closes nothing", token, text, path)
            partner.setdefault(open_.pop(), i)
    if open_:
        raise _unpaired(f"{tokens[open_[-1]].text!r} is not closed", tokens[open_[-1]], text, path)
    return partner


def _after_directive(token: Token, open_: list[int], branches: list[tuple[list[int], list[int] | None]]) -> list[int]:
    found = _DIRECTIVE.match(token.text)
    word = found[1] if found else ""
    if word in ("if", "ifdef", "ifndef"):
        branches.append((list(open_), None))
    elif word in _BRANCHES and branches:
        before, first = branches[-1]
        branches[-1] = (before, open_ if first is None else first)
        return list(before)
    elif word == "endif" and branches:
        _, first = branches.pop()
        return open_ if first is None else first
    return open_


def _unpaired(what: str, token: Token, text: str, path: str) -> SourceError:
    mend = "select lines by `from` and `to`"
    return SourceError(what, path=path, line=line_at(text, token.start), mend=mend)
