"""The words of the language of claims as data: its marks, its references, and a program in postfix order. Pure."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

from snippetlock.records import dataclass

__all__ = ["LONGEST", "ClaimError", "Code", "Condition", "Program", "Reference", "Token"]

LONGEST = 10_000
"""Characters of one claim: a longer one is no sentence."""


class ClaimError(Exception):
    """A claim that cannot be read: what is wrong, where (an offset into it), and how to mend it."""

    def __init__(self, message: str, at: int, mend: str) -> None:
        super().__init__(message)
        self.message = message
        self.at = at
        self.mend = mend


class Token(NamedTuple):
    """A mark of a claim. `value` is what a text, a number or a reference stands for."""

    kind: Literal["number", "text", "word", "reference", "sign", "end"]
    start: int
    end: int
    value: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """What stands in brackets behind a part of a reference: `[key]`, `[not key]`, `[key == 3]`, `[key != 3]`."""

    keys: tuple[str, ...]
    sign: Literal["", "not", "==", "!="] = ""
    value: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """`module:Qualified.name` or `path/to/file.yaml:key.path`, either with `*` in it and conditions behind its parts.

    `module` and `path` exclude each other. `conditions` are by the number of the part that they stand behind.
    """

    text: str
    module: str = ""
    path: str = ""
    parts: tuple[str, ...] = ()
    quoted: frozenset[int] = frozenset()  # the numbers of parts in which `*` is only a character
    conditions: tuple[tuple[int, Condition], ...] = ()

    @property
    def pattern(self) -> bool:
        """Whether it can mean several things."""
        wild = any("*" in part for at, part in enumerate(self.parts) if at not in self.quoted)
        return wild or "*" in self.module or "*" in self.path or bool(self.conditions)


class Code(NamedTuple):
    """One step: put a value on the stack, or take `takes` values from it and put what they make of it."""

    name: str  # `push`, `object`, `list`, `set`, `dict`, `call`, an operator
    value: Any
    takes: int
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """A claim that was read: its text and its steps, in postfix order."""

    text: str
    codes: tuple[Code, ...]
