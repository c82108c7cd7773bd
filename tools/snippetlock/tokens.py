"""Split Python text into tokens without judging its grammar.

Our own, because `tokenize` of the running interpreter knows only its own grammar and changes between
versions, while digests must not. Knows what decides where a token ends: strings with every prefix, triple
quotes, replacement fields nested as deep as one likes (PEP 701), comments, `\\` at the end of a line, and
`\\r\\n`, `\\r`, `\\n` as ends of a line. Linear in the length of the text; nothing here recurses.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from snippetlock.errors import ELSEWHERE, SourceError
from snippetlock.text import late, line_at

__all__ = ["NAME", "NEWLINE", "STRING", "Token", "field_string_end", "prefix_start", "tokenize", "unclosed"]


class Token(NamedTuple):
    """`kind` is name, number, string, comment, op or newline (one for each end of line, logical or not).

    White space and a backslash that continues a line are no tokens. A string is one token, its prefix and
    whatever its replacement fields hold included.
    """

    kind: str
    start: int
    end: int


# Every repetition is of one class of characters or cannot match in two ways: no text makes them slow.
STRING = (
    r'"""[^"\\]*+(?:(?:\\[\s\S]|"(?!""))[^"\\]*+)*"""'
    r"|'''[^'\\]*+(?:(?:\\[\s\S]|'(?!''))[^'\\]*+)*'''"
    r'|"(?!"")[^"\\\r\n]*+(?:\\(?:\r\n|[\s\S])[^"\\\r\n]*+)*"'
    r"|'(?!'')[^'\\\r\n]*+(?:\\(?:\r\n|[\s\S])[^'\\\r\n]*+)*'"
)
NEWLINE = r"\r\n|\r|\n"
_NUMBER = (
    r"0[xX][0-9a-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+"
    r"|(?:[0-9][0-9_]*(?:\.(?:[0-9][0-9_]*)?)?|\.[0-9][0-9_]*)(?:[eE][+-]?[0-9][0-9_]*)?[jJ]?"
)
# Beyond ASCII, whatever is no space counts as a letter: combining marks are letters to Python, not to `\w`.
NAME = r"[^\x00-\x40\x5b-\x5e\x60\x7b-\x7f\s][^\x00-\x2f\x3a-\x40\x5b-\x5e\x60\x7b-\x7f\s]*"
_OP = r"\*\*=?|//=?|>>=?|<<=?|\.\.\.|->|[-+*/%@&|^:=!<>]=|<>|[\s\S]"
_TOKEN = (
    rf"(?P<string>(?:[rR][bB]?|[bB][rR]?|[uU])?(?:{STRING}))"
    r"|(?P<field>(?:[fFtT][rR]?|[rR][fFtT])(?:\"\"\"|'''|\"|'))"
    rf"|(?P<name>{NAME})"
    rf"|(?P<number>{_NUMBER})"
    rf"|(?P<newline>{NEWLINE})"
    r"|(?P<comment>\#[^\r\n]*)"
    r"|(?P<open>[\"'])"
    rf"|(?P<op>{_OP})"
)
_NEXT = re.compile(rf"[ \t\f]*+(?:\\(?:{NEWLINE})[ \t\f]*+)*+(?:{_TOKEN})?+")  # nothing but white space: at the end
_INSIDE = late(rf"(?P<skip>(?:[ \t\f]|\\(?:{NEWLINE}))+)|{_TOKEN}")  # of a field of a string
# A line without strings, comments, backslashes and what is not ASCII, and the tokens of one, white space aside.
PLAIN_LINE = late(r"[ !$-&(-\[\]-~]*\n")
PLAIN_TOKENS = late(rf"[A-Za-z_][A-Za-z0-9_]*|{_NUMBER}|(?![ \n])(?:{_OP})")
_PREFIX = late(r"(?:[rR][bBfFtT]?|[bBfFtT][rR]?|[uU])\Z")
_LITERAL = {  # what matters between replacement fields, by (quote, raw)
    (quote, raw): late(
        rf"{quote}|{'' if raw else named}\\(?:\r\n|[^{{}}])|[{{}}]|{NEWLINE}",
    )
    for quote in ('"""', "'''", '"', "'")
    for raw, named in ((False, r"\\N\{[^{}\r\n\"']*\}|"), (True, ""))
}
_FLAT = r"[^{}\"'\\#()\[\]\r\n]"  # in a field of no strings, comments, and brackets in brackets
_SIMPLE = {  # what most strings with fields are, from behind the opening quote on: their end needs no stack
    quote: late(
        rf"(?:[^{{}}{quote[0]}\\{'' if len(quote) == 3 else line}]|\{{\{{|\}}\}}"
        rf"|\{{(?:{_FLAT}|\({_FLAT}*+\)|\[{_FLAT}*+\])*+\}})*+{quote}"
    )
    for quote, line in (('"""', ""), ("'''", ""), ('"', r"\r\n"), ("'", r"\r\n"))
}
_TEXT, _SPEC = -1, -2  # modes of a frame; a number from 0 on is a field with so many brackets open
_Frame = tuple[str, bool, int]  # quote, raw, mode


def tokenize(text: str, start: int = 0, end: int | None = None) -> Iterator[Token]:
    """Yield the tokens of `text[start:end]`; positions count from the start of `text`.

    Raises `SourceError` (line of the opening quote, no path) for a string that is not closed.
    """
    stop = len(text) if end is None else end
    new, at = tuple.__new__, start  # what `Token(…)` calls, without the call in between
    while at < stop:
        for found in _NEXT.finditer(text, at, stop):
            kind = found.lastgroup
            if kind is None:
                return
            here, at = found.span(kind)
            if kind == "field":
                at = field_string_end(text, here, at, stop)
                yield new(Token, ("string", here, at))
                break  # where it ends the next is looked for anew
            if kind == "open":
                raise unclosed(text, here)
            yield new(Token, (kind, here, at))
        else:
            return


def prefix_start(text: str, quote: int) -> int:
    """Where the string with its first quote at `quote` starts: at its prefix, or at that quote."""
    found = _PREFIX.search(text, max(0, quote - 2), quote)
    if found is None or (found.start() and _is_word(text[found.start() - 1])):
        return quote
    return found.start()


def field_string_end(text: str, start: int, inside: int, end: int | None = None) -> int:
    """The end of a string with replacement fields that starts at `start`, its first quotes ending at `inside`.

    Raises `SourceError` when it is not closed before `end`.
    """
    stop = len(text) if end is None else end
    quote = text[inside - 3 : inside] if text[inside - 3 : inside] in ('"""', "'''") else text[inside - 1]
    simple = _SIMPLE[quote].match(text, inside, stop)
    if simple:
        return simple.end()
    raw = "r" in text[start : inside - len(quote)].lower()
    stack: list[_Frame] = [(quote, raw, _TEXT)]
    at = inside
    while stack:
        step = _in_field if stack[-1][2] >= 0 else _in_text
        found = step(text, at, stop, stack)
        if found is None:
            raise unclosed(text, start)
        at = found
    return at


def _in_text(text: str, at: int, stop: int, stack: list[_Frame]) -> int | None:
    """Pass one thing that matters outside of fields; None when the string cannot be closed."""
    quote, raw, mode = stack[-1]
    found = _LITERAL[quote, raw].search(text, at, stop)
    if found is None:
        return None
    piece, at = found.group(), found.end()
    if piece == quote:
        while stack.pop()[2] != _TEXT:  # a quote in a format specification closes all the same
            pass
    elif piece == "{":
        if mode == _TEXT and text.startswith("{", at):
            return at + 1
        stack.append((quote, raw, 0))
    elif piece == "}" and mode == _SPEC:
        del stack[-2:]
    elif piece in ("\r", "\n", "\r\n") and len(quote) == 1:
        return None
    return at


def _in_field(text: str, at: int, stop: int, stack: list[_Frame]) -> int | None:
    """Pass one token of a field's expression; None when the string cannot be closed."""
    found = _INSIDE.match(text, at, stop)
    if found is None or found.lastgroup == "open":
        return None
    quote, raw, depth = stack[-1]
    if found.lastgroup == "field":
        prefix = found.group()
        inner = prefix.lstrip("fFtTrR")
        stack.append((inner, "r" in prefix.lower(), _TEXT))
    elif found.lastgroup == "op":
        piece = found.group()
        if piece in ("(", "[", "{"):
            stack[-1] = (quote, raw, depth + 1)
        elif depth == 0 and piece == "}":
            stack.pop()
        elif piece in (")", "]", "}"):
            stack[-1] = (quote, raw, max(0, depth - 1))
        elif depth == 0 and piece.startswith(":"):
            stack.append((quote, raw, _SPEC))
            return at + 1
    return found.end()


def unclosed(text: str, quote: int) -> SourceError:
    """The error for a string that is opened at `quote` and not closed."""
    what = "the string opened here is not closed"
    return SourceError(what, line=line_at(text, quote), mend=ELSEWHERE)


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_" or (character > "\x7f" and not character.isspace())
