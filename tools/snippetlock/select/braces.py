"""C, C++ and CUDA by name: a definition from its first token to its closing brace, the comment above it included.

No compiler's parser: declarations are told apart by brackets, and brackets by a lexer that knows comments, strings
(raw ones too), characters and preprocessor lines. Of an `#if` with an `#else`, brackets are counted once.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from snippetlock.errors import AmbiguousSymbol, SourceError, UnknownSymbol, nearest
from snippetlock.model import Found, Part, Region, Selector, Tree
from snippetlock.select.places import line_end, line_start, within
from snippetlock.text import decode, line_at, sha256

__all__ = ["Lexed", "find_braces", "lex"]

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
_DEFINE = re.compile(r"#[ \t]*define[ \t]+(\w+)")
_OPENERS, _CLOSERS = {"(": ")", "[": "]", "{": "}"}, frozenset(")]}")
_BRANCHES = frozenset(("elif", "elifdef", "elifndef", "else"))
_TYPES = frozenset(("class", "struct", "union", "enum"))
_NO_NAME = frozenset(  # what stands before parentheses and is not the name of what is declared
    {
        *("__attribute__", "__launch_bounds__", "__declspec", "__align__", "alignas", "alignof", "asm", "decltype"),
        *("explicit", "noexcept", "requires", "return", "sizeof", "static_assert", "throw", "typeof", "void", "int"),
        *("bool", "char", "float", "double", "long", "short", "unsigned", "signed", "auto", "const", "if", "while"),
    }
)
_LABELS = frozenset(("public", "private", "protected"))
_KINDS = frozenset(("class", "concept", "enum", "namespace", "struct", "union"))
_MOST = 8  # candidates that a message shows


class _Token(NamedTuple):
    kind: str
    text: str
    start: int
    end: int


class _Declared(NamedTuple):
    """A declaration and what it can be called. `body` says that it has one, and is no mere announcement."""

    names: tuple[str, ...]
    scope: str
    kind: str
    start: int
    end: int
    body: bool


@dataclass(slots=True)
class Lexed:
    """The tokens of a text; beside them its comments, and its strings that run over several lines."""

    tokens: list[_Token] = field(default_factory=list)
    comments: list[tuple[int, int]] = field(default_factory=list)
    literals: list[tuple[int, int]] = field(default_factory=list)


def find_braces(tree: Tree, selector: Selector, language: str) -> Found:
    """Find one definition of a C, C++ or CUDA file. Raises as `find` does."""
    path = selector.path
    data = tree.read(path)
    text = decode(data, path, python=False)
    lexed = lex(text, path)
    declared = _Reader(text, lexed.tokens, path).declarations()
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
            found.tokens.append(_Token(kind, piece, start, at))
            if kind == "string" and "\n" in piece:
                found.literals.append((start, at))
    return found


def _unclosed(what: str, text: str, at: int, path: str) -> SourceError:
    mend = "close it, or select lines by `from` and `to`"
    return SourceError(f"the {what} opened here is not closed", path=path, line=line_at(text, at), mend=mend)


def _partners(tokens: Sequence[_Token], text: str, path: str) -> dict[int, int]:
    """For each opening bracket its closing one. The branches of an `#if` start from the brackets open before it."""
    partner: dict[int, int] = {}
    open_: list[int] = []
    branches: list[tuple[list[int], list[int] | None]] = []  # what is open before an `#if`, and after its first branch
    for i, token in enumerate(tokens):
        if token.kind == "directive":
            open_ = _after_directive(token, open_, branches)
        elif token.kind == "op" and token.text in _OPENERS:
            open_.append(i)
        elif token.kind == "op" and token.text in _CLOSERS:
            if not open_ or _OPENERS[tokens[open_[-1]].text] != token.text:
                raise _unpaired(f"{token.text!r} closes nothing", token, text, path)
            partner.setdefault(open_.pop(), i)
    if open_:
        raise _unpaired(f"{tokens[open_[-1]].text!r} is not closed", tokens[open_[-1]], text, path)
    return partner


def _after_directive(token: _Token, open_: list[int], branches: list[tuple[list[int], list[int] | None]]) -> list[int]:
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


def _unpaired(what: str, token: _Token, text: str, path: str) -> SourceError:
    mend = "select lines by `from` and `to`"
    return SourceError(what, path=path, line=line_at(text, token.start), mend=mend)


class _Reader:
    """A walk over the tokens from declaration to declaration; into namespaces, classes and `extern "C"`."""

    def __init__(self, text: str, tokens: Sequence[_Token], path: str) -> None:
        self.tokens = tokens
        self.partner = _partners(tokens, text, path)
        self.opening = {closing: opening for opening, closing in self.partner.items()}

    def declarations(self) -> list[_Declared]:
        found: list[_Declared] = []
        waiting = [(0, len(self.tokens), "")]
        while waiting:
            at, stop, scope = waiting.pop()
            while at < stop:
                one = _Declaration(self, at, stop, scope)
                at = one.read()
                found += one.found
                waiting += one.inside
        return sorted(found, key=lambda declared: declared.start)


class _Declaration:
    """One declaration while it is read."""

    def __init__(self, reader: _Reader, at: int, stop: int, scope: str) -> None:
        self.tokens, self.partner, self.opening = reader.tokens, reader.partner, reader.opening
        self.first = self.at = at
        self.stop = stop
        self.scope = scope
        self.found: list[_Declared] = []
        self.inside: list[tuple[int, int, str]] = []
        self.calls: list[str] = []  # names before parentheses
        self.name = ""  # of a variable, or of what comes after a type's body
        self.key = ""  # class, struct, …
        self.typed = ""  # the name of a type whose body was passed
        self.valued = self.initialises = self.braced = False

    def read(self) -> int:
        """Read up to its end; returns where the next one begins."""
        while self.at < self.stop:
            token = self.tokens[self.at]
            text = token.text if token.kind in ("op", "word") else ""
            if token.kind == "directive":
                if self.at == self.first:
                    return self._directive(token)
            elif text == ";":
                self._announce()
                return self.at + 1
            elif text == "{":
                if (after := self._brace()) is not None:
                    return after
                continue
            elif text in _OPENERS:
                self._bracket(text)
                continue
            elif text == ":" and self._label():
                return self.at + 1
            else:
                self._word(text)
            self.at += 1
        return self.stop

    def _directive(self, token: _Token) -> int:
        define = _DEFINE.match(token.text)
        if define:
            self._add((define[1],), "define", self.at, body=True)
        return self.at + 1

    def _word(self, text: str) -> None:
        if text == "template" and self._text(self.at + 1) == "<":
            self.at = self._angle(self.at + 1) - 1
        elif text == "operator":
            self._operator()
        elif text in _TYPES and not self.calls and not self.typed:
            self.key = self.key or text
        elif text in ("namespace", "concept"):
            self.key = text
        elif text == "=" and not self.valued:
            self.valued = True
            if not self.calls and not self.name:
                self.name = self._before(self.at)

    def _bracket(self, text: str) -> None:
        """Pass parentheses or brackets; what stands before parentheses may be a function's name."""
        if text == "(" and not self.valued and not self.initialises:
            name = self._before(self.at)
            if name and name not in _NO_NAME:
                self.calls.append(name)
        elif text == "[" and not self.calls and not self.name and not self.valued:
            self.name = self._before(self.at)
        self.at = self._behind(self.at)

    def _brace(self) -> int | None:
        """Pass what is in braces. Where they end the declaration, where the next one begins."""
        at, behind = self.at, self._behind(self.at)
        before = self._text(at - 1)
        if self.valued or (self.initialises and before not in (")", "}")):
            self.at = behind
            return None
        if self.key == "namespace" or (self._text(self.first) == "extern" and self.tokens[at - 1].kind == "string"):
            name = self._qualified_after("namespace") if self.key == "namespace" else ""
            if name:
                self._add((name,), "namespace", behind - 1, body=True)
            self.inside.append((at + 1, behind - 1, "::".join(filter(None, (self.scope, name)))))
            return behind
        if self.calls and not self.key:
            self._add(tuple(reversed(self.calls)), "function", behind - 1, body=True)
            return behind
        if self.key in _TYPES and not self.typed and not self.calls:
            self.typed = self._qualified_after(self.key) or "?"
            self.braced = True
            if self.key != "enum":
                self.inside.append((at + 1, behind - 1, "::".join(filter(None, (self.scope, self.typed)))))
        elif self.calls:  # `struct X* f() {`
            self._add(tuple(reversed(self.calls)), "function", behind - 1, body=True)
            return behind
        else:
            self.name = self.name or self._before(at)
            self.braced = True
        self.at = behind
        return None

    def _announce(self) -> None:
        """A declaration that ends with a semicolon."""
        last = self._text(self.at - 1)
        if self.typed:
            named = [self.typed] if self.typed != "?" else []
            names = (*named, *([self._before(self.at)] if last not in ("}", "{") else []))
            self._add(names, self.key, self.at, body=True)
        elif self._text(self.first) in ("using", "typedef") or self.key == "concept":
            name = self.name or self._before(self.at)
            self._add((*reversed(self.calls), *([name] if name else [])), self.key, self.at, body=True)
        elif self.calls and not self.name:
            self._add(tuple(reversed(self.calls)), "function", self.at, body=False)
        elif name := self.name or self._before(self.at):
            self._add((name,), self.key, self.at, body=self.valued or self.braced)

    def _label(self) -> bool:
        """Whether the colon ends `public` and its like; one behind parentheses begins what a constructor sets."""
        if self._text(self.first) in _LABELS and not self.calls:
            return True
        self.initialises = self.initialises or bool(self.calls)
        return False

    def _operator(self) -> None:
        name, at = "operator", self.at + 1
        if self._text(at) == "(":
            name, at = "operator()", at + 2
        while at < self.stop and self._text(at) not in ("(", ";", "{"):
            name += (" " if self.tokens[at].kind == "word" else "") + self._text(at)
            at += 1
        self.calls.append(self._qualifier(self.at) + name)
        self.at = (self._behind(at) if self._text(at) == "(" else at) - 1

    def _add(self, names: tuple[str, ...], kind: str, last: int, *, body: bool) -> None:
        if names:
            start, end = self.tokens[self.first].start, self.tokens[last].end
            if last + 1 < len(self.tokens) and self.tokens[last + 1].text == ";" and kind != "function":
                end = self.tokens[last + 1].end
            self.found.append(_Declared(names, self.scope, kind, start, end, body))

    def _text(self, at: int) -> str:
        return self.tokens[at].text if 0 <= at < len(self.tokens) else ""

    def _behind(self, at: int) -> int:
        """Behind the bracket that closes the one at `at`; the end where an `#else` took it away."""
        return min(self.partner.get(at, self.stop - 1) + 1, self.stop)

    def _angle(self, at: int) -> int:
        """Behind the `<…>` at `at`."""
        depth = 0
        while at < self.stop:
            text = self._text(at)
            if text in _OPENERS:
                at = self._behind(at)
                continue
            depth += (text == "<") - (text == ">")
            at += 1
            if depth == 0:
                break
        return at

    def _before(self, at: int) -> str:
        """The name, with what qualifies it, that ends before token `at`."""
        at -= 1
        if self._text(at) == ">":
            depth = 0
            while at >= self.first:
                depth += (self._text(at) == ">") - (self._text(at) == "<")
                at -= 1
                if depth == 0:
                    break
        while at >= self.first and self._text(at) == "]":
            at = self.opening.get(at, at) - 1
        if at < self.first or self.tokens[at].kind != "word":
            return ""
        tilde = "~" if self._text(at - 1) == "~" else ""
        return self._qualifier(at - len(tilde)) + tilde + self.tokens[at].text

    def _qualifier(self, at: int) -> str:
        """`A::` of the `A::f` whose `f` is at `at`."""
        parts: list[str] = []
        while self._text(at - 1) == "::" and at - 2 >= self.first:
            at -= 2
            if self._text(at) == ">":
                depth = 0
                while at >= self.first:
                    depth += (self._text(at) == ">") - (self._text(at) == "<")
                    if depth == 0:
                        break
                    at -= 1
                at -= 1
            if at < self.first or self.tokens[at].kind != "word":
                break
            parts.append(self._text(at))
        return "".join(f"{part}::" for part in reversed(parts))

    def _qualified_after(self, word: str) -> str:
        """The name behind `struct` or `namespace`, past attributes; the last one before `:`, `{`, `final` or `<`."""
        at = next(i for i in range(self.first, self.at) if self._text(i) == word) + 1
        while self._text(at) in _TYPES:
            at += 1
        names: list[str] = []
        while at < self.at and self._text(at) not in (":", "final", "<"):
            if self._text(at) in _OPENERS:
                names = []
                at = self._behind(at)
                continue
            if self.tokens[at].kind == "word":
                joined = names and self._text(at - 1) == "::"
                names = [*names, self._text(at)] if joined else [self._text(at)]
            at += 1
        return "::".join(names)


def _one(selector: Selector, text: str, declared: Sequence[_Declared]) -> _Declared:
    """The one declaration that is meant; a definition comes before what only announces it."""
    words = selector.name.split(" ")
    kind = words[0] if len(words) == 2 and words[0] in _KINDS else ""
    asked, _, number = words[-1].partition("#")
    found = [d for d in declared if kind in ("", d.kind) and any(_is(asked, d, name) for name in d.names)]
    found = [d for d in found if d.body] or found
    if "::" not in asked:  # the class is meant, not its constructors
        found = [d for d in found if d.scope.rpartition("::")[2] != asked or d.kind in _TYPES] or found
    if number.isdecimal():
        found = found[int(number) - 1 : int(number)] if int(number) else []
    path = selector.path
    if len(found) > 1:
        stem = f"{path}:{kind} {asked}" if kind else f"{path}:{asked}"
        rows = [(f"{stem}#{i}", path, line_at(text, d.start)) for i, d in enumerate(found, start=1)]
        raise AmbiguousSymbol(selector.name, path=path, candidates=rows)
    if not found:
        raise _unknown(selector, asked, text, declared)
    return found[0]


def _unknown(selector: Selector, asked: str, text: str, declared: Sequence[_Declared]) -> UnknownSymbol:
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


def _full(declared: _Declared) -> str:
    return "::".join(filter(None, (declared.scope, declared.names[0])))


def _is(asked: str, declared: _Declared, name: str) -> bool:
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
