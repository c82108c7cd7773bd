"""Python's expressions as trees, read from tokens: what a pattern is compared with, and patterns themselves.

Layout, quotes, trailing commas and parentheses that change nothing are not in a tree. This is no judge of
grammar (libcst is): what it does not understand is `Odd`, and the caller decides what that means.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from snippetlock.select.cursor import Cursor
from snippetlock.select.words import NONE, Node, Odd, Word

__all__ = ["Reader"]

# How tightly operators bind; a higher number binds tighter.
_FREE, _AS, _NAMED, _TERNARY, _OR, _AND, _NOT, _COMPARE, _BAR = range(9)
_BINARY = {
    "|": _BAR, "^": 9, "&": 10, "<<": 11, ">>": 11, "+": 12, "-": 12, "*": 13, "/": 13, "//": 13, "%": 13, "@": 13,
}  # fmt: skip
_SIGN, _POWER, _TRAILER = 14, 15, 16
_COMPARISONS = frozenset(("<", ">", "<=", ">=", "==", "!=", "<>", "in", "not", "is"))
_CLOSERS = frozenset((")", "]", "}"))
_DEEPEST = 90  # expressions inside one another; Python's stack is what limits it


class Reader(Cursor):
    """Its methods read one expression, or a part of one, and move on, or raise `Odd`."""

    def __init__(self, every: Sequence[Word], end: int) -> None:
        super().__init__(every, end)
        self._depth = 0

    # Lists

    def several(self, stops: Sequence[str] = (), power: int = _FREE) -> Node:
        """One expression, or a tuple of those between commas. A lone `$*x` is any number of them."""
        start = self.place
        items = [self.item(power)]
        comma = False
        while self.take(","):
            comma = True
            if not self.raw() or self.text in _CLOSERS or self.text in stops or self.text in ("=", ":"):
                break
            items.append(self.item(power))
        if comma:
            return self.node("tuple", items, start)
        return self.node("several", items, start) if items[0].label.startswith("$*") else items[0]

    def item(self, power: int = _FREE) -> Node:
        """One of several: an expression, `*` and one, or a hole for several."""
        start = self.place
        if self.many:
            return self.hole()
        if self.take("*"):
            return self.node("*", [self.expression(_BAR)], start)
        return self.expression(power)

    def listed(self, closer: str, label: str) -> Node:
        """What stands up to `closer`, which is read: a tuple, list, set, dict, comprehension, or one expression."""
        start = self.place - 1
        items: list[Node] = []
        comma = False
        while not self.take(closer):
            items.append(self._element(label == "dict"))
            if len(items) == 1 and self.text in ("for", "async"):
                kind = "set" if label == "dict" and items[0].label != "pair" else label
                items += self._clauses()
                self.need(closer)
                return self.node(f"{kind} comprehension", items, start)
            if not self.take(","):
                self.need(closer)
                break
            comma = True
        if label == "tuple" and len(items) == 1 and not comma:
            if items[0].label == "*":
                raise Odd("'*' cannot stand here", items[0].start)
            return self.node("several", items, start) if items[0].label.startswith("$*") else items[0]
        if label == "dict" and any(i.label not in ("pair", "**") and not i.label.startswith("$*") for i in items):
            label = "set"
        return self.node(label, items, start)

    def _element(self, dictionary: bool) -> Node:
        start = self.place
        if dictionary and self.take("**"):
            return self.node("**", [self.expression(_BAR)], start)
        first = self.item()
        if dictionary and self.take(":"):
            return self.node("pair", [first, self.expression()], start)
        return first

    def _clauses(self) -> Iterator[Node]:
        while self.text in ("for", "async"):
            start = self.place
            label = "async for" if self.take("async") else "for"
            self.need("for")
            target = self.several(("in",), _BAR)
            self.need("in")
            parts = [target, self.expression(_OR)]
            while self.take("if"):
                parts.append(self.expression(_OR))
            yield self.node(f"{label} clause", parts, start)

    def arguments(self) -> Node:
        """The arguments of a call, the closing parenthesis included."""
        start = self.place
        items: list[Node] = []
        while not self.take(")"):
            items.append(self._argument())
            if self.text in ("for", "async") and len(items) == 1:
                items = [self.node("tuple comprehension", [items[0], *self._clauses()], items[0].start)]
            if not self.take(","):
                self.need(")")
                break
        return self.node("arguments", items, start)

    def _argument(self) -> Node:
        start = self.place
        if self.take("**"):
            return self.node("**", [self.expression()], start)
        if self.take("*"):
            return self.node("*", [self.expression()], start)
        if self.kind in ("name", "hole") and self.raw(1) == "=" and not self.many:
            name = self.id()
            self.at += 1
            return self.node("keyword", [name, self.expression()], start)
        return self.item()

    def index(self) -> Node:
        """What stands in a subscript, the closing bracket included; a tuple there needs no parentheses."""
        start = self.place
        items: list[Node] = []
        comma = False
        while not self.take("]"):
            items.append(self._slice())
            if not self.take(","):
                self.need("]")
                break
            comma = True
        if len(items) == 1 and comma:
            items = [self.node("tuple", items, start)]
        elif len(items) == 1 and items[0].label == "tuple" and len(items[0].parts) > 1:
            items = list(items[0].parts)
        if not items:
            raise Odd("an index is missing", self.place - 1)
        return self.node("index", items, start)

    def _slice(self) -> Node:
        start = self.place
        parts = [NONE if self.text == ":" else self.item()]
        if self.text != ":":
            return parts[0]
        while len(parts) < 3 and self.take(":"):
            parts.append(NONE if self.text in (":", ",", "]") else self.expression())
        return self.node("slice", [*parts, *[NONE] * (3 - len(parts))], start)

    def parameters(self, closer: str, annotated: bool = True) -> Node:
        """Parameters of a function, a lambda, or a type, with the word that closes them."""
        start = self.place
        items: list[Node] = []
        while not self.take(closer):
            items.append(self._parameter(annotated))
            if not self.take(","):
                self.need(closer)
                break
        return self.node("parameters", items, start)

    def _parameter(self, annotated: bool) -> Node:
        start = self.place
        if self.many:
            return self.hole()
        if self.take("/"):
            return self.node("/", (), start)
        stars = "**" if self.take("**") else "*" if self.take("*") else ""
        if stars == "*" and (self.text == "," or self.text == ":"):
            return self.node("* alone", (), start)
        parts = [self.id()]
        if annotated and self.take(":"):
            parts.append(self.node("annotation", [self.item()], start))
        if self.take("="):
            parts.append(self.node("default", [self.expression()], start))
        if len(parts) == 1 and not stars and parts[0].label.startswith("$"):
            return parts[0]
        return self.node(f"{stars}parameter", parts, start)

    # Expressions

    def expression(self, power: int = _FREE) -> Node:
        """One expression whose operators bind at least as tightly as `power`."""
        self._depth += 1
        if self._depth > _DEEPEST:
            raise self.odd(f"this is nested more than {_DEEPEST} levels deep")
        left = self._prefix()
        while (grown := self._grown(left, power)) is not None:
            left = grown
        self._depth -= 1
        return left

    def _prefix(self) -> Node:
        start, text = self.place, self.text
        if text == "not":
            self.at += 1
            return self.node("not", [self.expression(_NOT)], start)
        if text in ("+", "-", "~"):
            self.at += 1
            return self.node(f"sign {text}", [self.expression(_SIGN)], start)
        if text == "await":
            self.at += 1
            return self.node("await", [self.expression(_TRAILER)], start)
        if text == "lambda":
            self.at += 1
            return self.node("lambda", [self.parameters(":", annotated=False), self.expression(_TERNARY)], start)
        if text == "yield":
            self.at += 1
            if self.take("from"):
                return self.node("yield from", [self.expression()], start)
            empty = not self.raw() or self.text in _CLOSERS or self.text == "="
            return self.node("yield", [] if empty else [self.several()], start)
        return self._atom()

    def _atom(self) -> Node:
        if self.at >= len(self.words):
            raise self.odd()
        word = self.words[self.at]
        if word.kind == "hole":
            if self.many:
                raise self.odd(f"{word.text!r} stands for several, and here is room for one")
            return self.hole()
        closer = {"(": ")", "[": "]", "{": "}"}.get(self.text)
        if closer:
            self.at += 1
            return self.listed(closer, {"(": "tuple", "[": "list", "{": "dict"}[word.text])
        if self.text and self.text != "...":
            raise self.odd()
        self.at += 1
        return Node(f"{word.kind} {word.text}", (), word.start, word.end)

    def _grown(self, left: Node, power: int) -> Node | None:
        """The expression that `left` is the left side of, or None where it is whole."""
        text = self.text
        if text in (".", "(", "["):
            self.at += 1
            part = self.id() if text == "." else self.arguments() if text == "(" else self.index()
            return self.node({".": "attribute", "(": "call", "[": "subscript"}[text], [left, part], left.start)
        if text == "**" and power <= _POWER:
            self.at += 1
            return self.node("power", [left, self.expression(_SIGN)], left.start)
        level = _BINARY.get(text)
        if level is not None and power <= level:
            self.at += 1
            return self.node(f"binary {text}", [left, self.expression(level + 1)], left.start)
        if text in _COMPARISONS and power <= _COMPARE:
            return self._comparison(left)
        for word, at in (("and", _AND), ("or", _OR)):
            if text == word and power <= at:
                parts = [left]
                while self.take(word):
                    parts.append(self.expression(at + 1))
                return self.node(word, parts, left.start)
        if text == "if" and power <= _TERNARY:
            self.at += 1
            condition = self.expression(_OR)
            self.need("else")
            return self.node("if else", [left, condition, self.expression(_TERNARY)], left.start)
        if text in (":=", "as") and power <= (_NAMED if text == ":=" else _AS):
            self.at += 1
            return self.node(text, [left, self.expression(_TERNARY)], left.start)
        return None

    def _comparison(self, left: Node) -> Node | None:
        parts = [left]
        while self.text in _COMPARISONS:
            start, sign = self.place, self.text
            self.at += 1
            if sign == "not":
                self.need("in")
                sign = "not in"
            elif sign == "is" and self.take("not"):
                sign = "is not"
            parts += [self.node(f"sign {sign}", (), start), self.expression(_BAR)]
        return self.node("comparison", parts, left.start)
