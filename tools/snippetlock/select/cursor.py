"""Going through the words of one statement: what comes next, and whether it is what has to come.

Knows no grammar but that of a name; expressions are read in `syntax`.
"""

from __future__ import annotations

from collections.abc import Sequence

from snippetlock.select.words import KEYWORDS, Node, Odd, Word

__all__ = ["Cursor"]


class Cursor:
    """A place in the words of one statement. What reads a thing moves on, or raises `Odd`."""

    def __init__(self, every: Sequence[Word], end: int) -> None:
        self.words = every
        self.end = end  # the offset behind the last word, for errors
        self.at = 0

    @property
    def text(self) -> str:
        """The next word where it is an operator or a keyword, else nothing."""
        if self.at >= len(self.words):
            return ""
        word = self.words[self.at]
        return word.text if word.kind == "op" or (word.kind == "name" and word.text in KEYWORDS) else ""

    @property
    def kind(self) -> str:
        """That of the next word, empty behind the last one."""
        return self.words[self.at].kind if self.at < len(self.words) else ""

    def raw(self, ahead: int = 0) -> str:
        """The text of a word to come, whatever it is."""
        return self.words[self.at + ahead].text if self.at + ahead < len(self.words) else ""

    @property
    def place(self) -> int:
        """The offset of the next word."""
        return self.words[self.at].start if self.at < len(self.words) else self.end

    @property
    def done(self) -> int:
        """The offset behind the last word that was read."""
        return self.words[self.at - 1].end if self.at else self.place

    def odd(self, what: str = "") -> Odd:
        """The error for what comes next."""
        if not what:
            what = f"{self.raw()!r} cannot stand here" if self.raw() else "something is missing at the end"
        return Odd(what, self.place)

    def take(self, *texts: str) -> bool:
        """Whether the next word is one of these operators or keywords; then it is read."""
        if self.text and self.text in texts:
            self.at += 1
            return True
        return False

    def need(self, text: str) -> None:
        """Read the operator or keyword that has to come next."""
        if not self.take(text):
            raise Odd(f"{text!r} is missing", self.place)

    def node(self, label: str, parts: Sequence[Node], start: int) -> Node:
        """A node from `start` to the last word that was read."""
        return Node(label, tuple(parts), start, self.done)

    def id(self) -> Node:
        """A name that is no expression."""
        if self.kind == "hole":
            return self.hole()
        if self.kind != "name" or self.text:
            raise self.odd()
        self.at += 1
        word = self.words[self.at - 1]
        return Node(f"id {word.text}", (), word.start, word.end)

    def hole(self) -> Node:
        """The hole that comes next."""
        self.at += 1
        word = self.words[self.at - 1]
        return Node(word.text, (), word.start, word.end)

    @property
    def many(self) -> bool:
        """Whether the next word is a hole for several."""
        return self.kind == "hole" and self.raw().startswith("$*")
