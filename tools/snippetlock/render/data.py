"""What is said by text that is not Python: the pieces that its digests are of, by its language.

YAML's and TOML's are their structure, those of C and JSON their tokens, Markdown's what a page shows. Of anything
else nothing is known, so that every line counts as it is: in a script the end of a line ends a command, or a comment.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from snippetlock.errors import SourceError
from snippetlock.render.prose import line_of
from snippetlock.render.prose import said as said_in_markdown
from snippetlock.render.tables import said as said_in_toml
from snippetlock.select.curly import Token, lex
from snippetlock.select.declarations import declarations
from snippetlock.select.events import events
from snippetlock.text import split_lines

__all__ = ["said"]

Pieces = tuple[list[str], list[str], list[str]]  # all, those that are no comments, and what a caller sees of them
_JSON = re.compile(r'[ \t\r\n]+|"(?:[^"\\]|\\.)*+"|[\[\]{}:,]|[^\s\[\]{}:,"]+')
_PUNCTUATION = frozenset("[]{}:,")
_CONTINUED = re.compile(r"(?:[ \t\f]|\\(?:\r\n|\r|\n))+")
_TEXTS = re.compile(r"""("(?:[^"\\]|\\.)*+"|'(?:[^'\\]|\\.)*+')""", re.DOTALL)
_MACRO = re.compile(r"#[ \t]*define[ \t]+\w+(?:\([^)]*\))?")
_OPERATORS = frozenset(("++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "##"))


def said(language: str, text: str, key: Sequence[str], comments: Sequence[tuple[int, str]]) -> Pieces:
    """The pieces of a text. `key` is the one that is selected; `comments` are (line counted from 0, text)."""
    found: Pieces | None = None
    if language == "yaml":
        found = _yaml(text, comments)
    elif language in ("c", "cpp", "cuda"):
        found = _braces(text)
    elif language == "toml":
        found = _divided(said_in_toml(text, key))
    elif language == "markdown":
        found = _divided(said_in_markdown(text))
    elif language == "json":
        found = _json(text)
    return found or (_lines(text, ()), _lines(text, comments), [])


def _divided(pieces: list[tuple[str, bool]] | None) -> Pieces | None:
    return ([piece for piece, _ in pieces], [piece for piece, aside in pieces if not aside], []) if pieces else None


def _lines(text: str, comments: Sequence[tuple[int, str]]) -> list[str]:
    """The lines, without these comments; blanks at their ends, and what ends the last one, are layout."""
    lines = list(split_lines(text))
    for line, comment in comments:
        lines[line] = lines[line].rstrip().removesuffix(comment)
    rows = list(map(line_of, lines))
    rows = [row for i, row in enumerate(rows) if row or not any(line == i for line, _ in comments)]
    while rows and not rows[-1]:
        del rows[-1]
    return rows


def _yaml(text: str, comments: Sequence[tuple[int, str]]) -> Pieces | None:
    """The structure, and the keys right below the one that is selected; None for a slice that is no YAML by itself."""
    try:
        found = events(text)
    except SourceError:
        return None
    both = [*((line, 1, what) for line, what in found), *((line, 0, what) for line, what in comments)]
    tokens = [f"{kind}{what}" for _, kind, what in sorted(both, key=lambda one: one[:2])]
    code = [what for _, what in found]
    return (tokens, code, _keys(code)) if code else None


def _keys(said: Sequence[str]) -> list[str]:
    """The keys of the mapping that the one key of the text holds, sorted; of several keys, these."""
    levels: list[list[str]] = []
    found: dict[int, list[str]] = {1: [], 2: []}
    for what in said:
        at_key = bool(levels) and levels[-1][0] == "{" and len(levels[-1]) % 2 == 1
        if what[0] in "}]":
            levels.pop()
        elif what[0] in "=*{[":
            if at_key and len(levels) in found:
                found[len(levels)].append(what)
            if levels:
                levels[-1].append(what)
            if what[0] in "{[":
                levels.append([what[0]])
    return sorted(found[1] if len(found[1]) > 1 else found[2])


def _braces(text: str) -> Pieces | None:
    """What C's lexer sees, signs that touch as the operator they make, and the heads of what is defined."""
    try:
        lexed = lex(text)
    except SourceError:
        return None
    code: list[tuple[int, str]] = []
    end = -1
    for token in lexed.tokens:
        word = _SPELT.get(token.kind, str)(token.text)
        if token.start == end and code[-1][1] + word in _OPERATORS:
            code[-1] = (code[-1][0], code[-1][1] + word)
        else:
            code.append((token.start, word))
        end = token.end
    both = sorted([*code, *((start, " ".join(text[start:end].split())) for start, end in lexed.comments)])
    words = [word for _, word in code]
    return [word for _, word in both], words, _heads(text, lexed.tokens, code)


def _number(piece: str) -> str:
    """A number without its separators, letter case aside; behind `_` a unit of somebody's own begins."""
    bare = piece.replace("'", "")
    return bare if "_" in bare else bare.lower()


def _directive(line: str) -> str:
    """A line of the preprocessor as one line, without the blanks that line its backslashes up."""
    bare = "".join(part if n % 2 else _CONTINUED.sub(" ", part) for n, part in enumerate(_TEXTS.split(line)))
    return re.sub(r"^# ", "#", bare.strip())


_SPELT = {"number": _number, "directive": _directive}


def _heads(text: str, tokens: Sequence[Token], code: Sequence[tuple[int, str]]) -> list[str]:
    """What a caller sees of each definition that is in no other: all before its body, or before its value."""
    try:
        found = declarations(text, tokens, "")
    except SourceError:
        found = []
    names = {name for one in found for name in one.names if one.kind == "namespace"}
    heads: list[str] = []
    for one in found:
        if not one.scope or one.scope.rpartition("::")[2] in names:
            words = [word for start, word in code if one.start <= start < one.end]
            heads += [*_head(words), "\n"]
    return heads


def _head(words: Sequence[str]) -> list[str]:
    if macro := _MACRO.match(words[0]) if words else None:
        return ["".join(macro[0].split())]
    depth, called = 0, False
    for i, word in enumerate(words):
        if word == "{" or (word == "=" and not depth and not called and words[i - 1] != "operator"):
            return list(words[:i])
        called = called or (word == "(" and not depth)
        opens = word in ("(", "[") or (word == "<" and (depth > 0 or words[i - 1] == "template"))
        depth += opens - (word in (")", "]") or (word == ">" and depth > 0))
    return list(words)


def _json(text: str) -> Pieces | None:
    """The tokens, strings as they are meant; None where something is no token of JSON's, as a comment.

    Lines out of a file have tokens too, whatever brackets they open or close.
    """
    every = _JSON.findall(text)
    tokens = [token for token in every if token.strip(" \t\r\n")]
    try:
        meant = [token if token in _PUNCTUATION else json.loads(token) for token in tokens]
    except ValueError:
        return None
    if "".join(every) != text:
        return None
    pieces = [json.dumps(what) if token[0] == '"' else token for token, what in zip(tokens, meant, strict=True)]
    return pieces, pieces, []
