"""Read a claim into steps in postfix order: operators by precedence, brackets on a stack. Pure; never recurses."""

from __future__ import annotations

from snippetlock.errors import nearest
from snippetlock.records import dataclass, field
from snippetlock.references.claims.functions import FUNCTIONS, Kind
from snippetlock.references.claims.kinds import check
from snippetlock.references.claims.lexing import LITERALS, tokens
from snippetlock.references.claims.terms import ClaimError, Code, Program, Reference, Token

__all__ = ["parse"]

DEEPEST = 50  # brackets in brackets
_COMPARE = ("==", "!=", "<", "<=", ">", ">=", "in", "not in")
_RANK = {"or": 1, "and": 2, "not": 3, **dict.fromkeys(_COMPARE, 4)}
_FROM_LEFT = (_RANK["or"], _RANK["and"])
_CLOSE = {"(": ")", "call": ")", "[": "]", "{": "}"}
_MAKES = {"[": "list", "{": "set"}


@dataclass(slots=True)
class _Open:
    """A bracket that is open, or the claim itself: the operators that wait in it, and what it holds so far."""

    kind: str  # ( call [ { or nothing for the claim
    token: Token
    waiting: list[tuple[str, Token]] = field(default_factory=list)
    items: int = 0  # complete ones
    keyed: bool | None = None  # of `{`: whether it is a dict
    colon: bool = False  # of a dict: whether the key of the open item is read


def parse(text: str) -> Program:
    """Read a claim. Raises `ClaimError` where it is none, is too long or too deep, or compares what never fits."""
    return _read(text, "truth")


def parse_expression(text: str) -> Program:
    """Read an expression of any kind. Raises `ClaimError` as `parse` does."""
    return _read(text, "any")


def _read(text: str, wanted: Kind) -> Program:
    reading = _Reading(tokens(text))
    reading.read()
    program = Program(text=text, codes=tuple(reading.codes))
    check(program, wanted=wanted)
    return program


class _Reading:
    """One pass over the marks. `codes` is the result."""

    def __init__(self, marks: tuple[Token, ...]) -> None:
        self.marks = marks
        self.at = 0
        self.codes: list[Code] = []
        self.open = [_Open("", Token("sign", 0, 0))]

    def read(self) -> None:
        operand = True  # whether a value comes next
        while True:
            mark = self.marks[self.at]
            self.at += 1
            operand = self._operand(mark) if operand else self._operator(mark)
            if mark.kind == "end":
                return

    # Where a value is wanted

    def _operand(self, mark: Token) -> bool:
        """Take a value, or what may stand before one; returns whether a value is still wanted."""
        top = self.open[-1]
        if mark.kind in ("text", "number"):
            return self._push("push", mark.value, mark)
        if mark.kind == "reference":
            return self._push("object", mark.value, mark)
        if mark.kind == "word":
            return self._word(mark)
        if mark.kind == "sign" and mark.value in ("(", "[", "{"):
            self._enter(mark.value, mark)
            return True
        closes = mark.kind == "sign" and mark.value == _CLOSE.get(top.kind)
        last = self.marks[self.at - 2] if self.at > 1 else None
        may_end = closes and not top.waiting and not top.colon and (top.kind != "(")
        if may_end and last is not None and (last == top.token or last.value in (",", "(")):
            self._leave(mark)
            return False
        if mark.kind == "end":
            if len(self.open) > 1:
                raise self._unclosed()
            if not self.codes:
                raise ClaimError(
                    "a claim says nothing", 0, "write `<!-- claim: exists(module:name) -->`, or take it out"
                )
            raise ClaimError(
                "the claim ends where a value is wanted", mark.start, "write the value, or take out what waits for it"
            )
        raise ClaimError(f"a value is wanted here, and this is {mark.value!r}", mark.start, "write the value before it")

    def _word(self, mark: Token) -> bool:
        word = mark.value
        if word in LITERALS:
            return self._push("push", LITERALS[word], mark)
        if word == "not":
            top = self.open[-1]
            if top.waiting and _RANK[top.waiting[-1][0]] > _RANK["not"]:
                raise ClaimError("`not` cannot follow a comparison", mark.start, "put it in brackets: `(not …)`")
            top.waiting.append(("not", mark))
            return True
        if word in ("and", "or", "in"):
            raise ClaimError(f"a value is wanted here, and this is {word!r}", mark.start, "write the value before it")
        following = self.marks[self.at]
        if following.kind == "sign" and following.value == "(":
            return self._call(mark, following)
        if word in FUNCTIONS:
            raise ClaimError(f"{word!r} is a function", mark.start, f"write `{FUNCTIONS[word].shown}`")
        return self._push("object", Reference(text=word, module=word), mark)

    def _call(self, mark: Token, bracket: Token) -> bool:
        if mark.value not in FUNCTIONS:
            near = nearest(mark.value, FUNCTIONS, 1)
            known = ", ".join(FUNCTIONS)
            mend = f"did you mean {near[0]!r}?" if near else f"there are: {known}"
            raise ClaimError(f"there is no function {mark.value!r}", mark.start, mend)
        self._enter("call", bracket)
        self.open[-1].token = Token("word", mark.start, bracket.end, mark.value)
        self.at += 1
        return True

    def _push(self, name: str, value: object, mark: Token) -> bool:
        self.codes.append(Code(name, value, 0, mark.start, mark.end))
        return False

    def _enter(self, kind: str, mark: Token) -> None:
        if len(self.open) > DEEPEST:
            raise ClaimError(f"brackets nest more than {DEEPEST} deep", mark.start, "write several claims")
        self.open.append(_Open(kind, mark))

    # Where an operator is wanted

    def _operator(self, mark: Token) -> bool:
        """Take what may follow a value; returns whether a value is wanted next."""
        top = self.open[-1]
        if mark.kind == "end":
            if len(self.open) > 1:
                raise self._unclosed()
            self._settle(0)
            return False
        name = mark.value
        if name == "not" and mark.kind == "word" and self.marks[self.at].value == "in":
            self.at += 1
            name = "not in"
        if name in _RANK and name != "not" and mark.kind in ("sign", "word"):
            self._settle(_RANK[name])
            if _RANK[name] == 4 and top.waiting and _RANK[top.waiting[-1][0]] == 4:
                raise ClaimError("two comparisons in a row", mark.start, "write them apart, with `and` between them")
            top.waiting.append((name, mark))
            return True
        if mark.kind == "sign" and name == "," and top.kind in ("call", "[", "{"):
            self._item(mark)
            return True
        if mark.kind == "sign" and name == ":" and top.kind == "{" and not top.colon and top.keyed is not False:
            self._settle(0)
            top.keyed = top.colon = True
            return True
        if mark.kind == "sign" and name == _CLOSE.get(top.kind):
            if top.kind != "(":
                self._item(mark)
            self._leave(mark)
            return False
        raise self._strange(mark)

    def _item(self, mark: Token) -> None:
        """A comma, or the end of the bracket: an item is complete."""
        self._settle(0)
        top = self.open[-1]
        if top.kind == "{":
            if top.keyed and not top.colon:
                raise ClaimError("a key has no value", mark.start, "write `key: value`")
            top.keyed = bool(top.keyed)
            top.colon = False
        top.items += 1

    def _leave(self, mark: Token) -> None:
        """A bracket closes: what it holds becomes one value."""
        self._settle(0)
        top = self.open.pop()
        start = top.token.start
        if top.kind == "call":
            self.codes.append(Code("call", top.token.value, top.items, start, mark.end))
        elif top.kind in _MAKES:
            keyed = top.keyed or (top.kind == "{" and not top.items)
            self.codes.append(
                Code("dict", None, 2 * top.items, start, mark.end)
                if keyed
                else Code(_MAKES[top.kind], None, top.items, start, mark.end)
            )

    def _settle(self, rank: int) -> None:
        """Write the operators out that bind as strongly as one that comes now; `and` and `or` go from the left."""
        waiting = self.open[-1].waiting
        while waiting and (_RANK[waiting[-1][0]] > rank or (_RANK[waiting[-1][0]] == rank and rank in _FROM_LEFT)):
            name, mark = waiting.pop()
            self.codes.append(Code(name, None, 1 if name == "not" else 2, mark.start, mark.end))

    # What is wrong

    def _unclosed(self) -> ClaimError:
        top = self.open[-1]
        at = top.token.end - 1
        return ClaimError("this bracket is never closed", at, f"write `{_CLOSE[top.kind]}` where it ends")

    def _strange(self, mark: Token) -> ClaimError:
        shown = repr(mark.value) if mark.kind in ("sign", "word") else "another value"
        if mark.kind == "sign" and mark.value in (")", "]", "}"):
            closes = _CLOSE.get(self.open[-1].kind)
            mend = f"write `{closes}` first" if closes else "take it out"
            return ClaimError(f"{shown} closes nothing", mark.start, mend)
        if mark.kind == "sign" and mark.value == "(":
            return ClaimError("only a function takes arguments", mark.start, f"there are: {', '.join(FUNCTIONS)}")
        return ClaimError(
            f"{shown} follows a value", mark.start, "write a comparison between them, or `and`, `or`, `in`, `not in`"
        )
