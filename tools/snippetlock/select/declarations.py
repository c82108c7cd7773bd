"""The declarations of a C, C++ or CUDA file, told apart by their brackets.

What a macro makes of its arguments is not known: `LIBRARY(ops, m) { … }` reads as a function called `LIBRARY`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from snippetlock.select.curly import OPENERS, Token, partners

__all__ = ["TYPES", "Declared", "declarations"]

_BOUNDARY = re.compile(r"#[ \t]*(?:define|include|undef)\b")  # none of them is inside a declaration
_DEFINE = re.compile(r"#[ \t]*define[ \t]+(\w+)")
TYPES = frozenset(("class", "struct", "union", "enum"))
_NO_NAME = frozenset(  # what stands before parentheses and is not the name of what is declared
    {
        *("__attribute__", "__launch_bounds__", "__declspec", "__align__", "alignas", "alignof", "asm", "decltype"),
        *("explicit", "noexcept", "requires", "return", "sizeof", "static_assert", "throw", "typeof", "void", "int"),
        *("bool", "char", "float", "double", "long", "short", "unsigned", "signed", "auto", "const", "if", "while"),
    }
)
_LABELS = frozenset(("public", "private", "protected"))


class Declared(NamedTuple):
    """A declaration and what it can be called. `body` says that it has one, and is no mere announcement.

    `kind` is namespace, concept, class, struct, union, enum, function, define, or nothing.
    """

    names: tuple[str, ...]
    scope: str
    kind: str
    start: int
    end: int
    body: bool


def declarations(text: str, tokens: Sequence[Token], path: str) -> list[Declared]:
    """Every declaration, in order, those in namespaces and classes included. Raises `SourceError`."""
    found: list[Declared] = []
    partner = partners(tokens, text, path)
    opening = {closing: opened for opened, closing in partner.items()}
    waiting = [(0, len(tokens), "")]
    while waiting:
        at, stop, scope = waiting.pop()
        while at < stop:
            one = _Declaration(tokens, partner, opening, at, stop, scope)
            at = one.read()
            found += one.found
            waiting += one.inside
    return sorted(found, key=lambda declared: declared.start)


class _Declaration:
    """One declaration while it is read."""

    def __init__(
        self,
        tokens: Sequence[Token],
        partner: dict[int, int],
        opening: dict[int, int],
        at: int,
        stop: int,
        scope: str,
    ) -> None:
        self.tokens, self.partner, self.opening = tokens, partner, opening
        self.first = self.at = at
        self.stop = stop
        self.scope = scope
        self.found: list[Declared] = []
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
                if self.at == self.first or _BOUNDARY.match(token.text):
                    return self._directive(token)
            elif text == ";":
                self._announce()
                return self.at + 1
            elif text == "{":
                if (after := self._brace()) is not None:
                    return after
                continue
            elif text in OPENERS:
                self._bracket(text)
                continue
            elif text == ":" and self._label():
                return self.at + 1
            else:
                self._word(text)
            self.at += 1
        return self.stop

    def _directive(self, token: Token) -> int:
        define = _DEFINE.match(token.text)
        if define:
            self.found.append(Declared((define[1],), self.scope, "define", token.start, token.end, True))
        return self.at + 1

    def _word(self, text: str) -> None:
        if text == "template" and self._text(self.at + 1) == "<":
            self.at = self._angle(self.at + 1) - 1
        elif text == "operator":
            self._operator()
        elif text in TYPES and not self.calls and not self.typed:
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
        if self.key in TYPES and not self.typed and not self.calls:
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
            self.found.append(Declared(names, self.scope, kind, start, end, body))

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
            if text in OPENERS:
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
            at = self._before_arguments(at - 2)
            if at < self.first or self.tokens[at].kind != "word":
                break
            parts.append(self._text(at))
        return "".join(f"{part}::" for part in reversed(parts))

    def _before_arguments(self, at: int) -> int:
        """Before the `<…>` that ends at `at`; `at` itself where none does."""
        if self._text(at) != ">":
            return at
        depth = 0
        while at >= self.first:
            depth += (self._text(at) == ">") - (self._text(at) == "<")
            if depth == 0:
                break
            at -= 1
        return at - 1

    def _qualified_after(self, word: str) -> str:
        """The name behind `struct` or `namespace`, past attributes; the last one before `:`, `{`, `final` or `<`."""
        at = next(i for i in range(self.first, self.at) if self._text(i) == word) + 1
        while self._text(at) in TYPES:
            at += 1
        names: list[str] = []
        while at < self.at and self._text(at) not in (":", "final", "<"):
            if self._text(at) in OPENERS:
                names = []
                at = self._behind(at)
                continue
            if self.tokens[at].kind == "word":
                joined = names and self._text(at - 1) == "::"
                names = [*names, self._text(at)] if joined else [self._text(at)]
            at += 1
        return "::".join(names)
