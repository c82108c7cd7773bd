"""Emphasis in a run of Markdown, spelt in one way: `_a_` is `*a*`, `__a__` is `**a**`, and `a\\_b` is `a_b`.

The rules are CommonMark's. What is not prose stands as it is: code, tags and addresses in `<…>`, where a link leads,
formulas in `$…$`. Where it cannot be sure that two texts look the same, it keeps them apart.
"""

from __future__ import annotations

import re
import unicodedata

__all__ = ["spelled"]

_VERBATIM = re.compile(
    r"(?P<ticks>`+)(?!`).*?(?<!`)(?P=ticks)(?!`)"  # code
    r"|<[A-Za-z/!?][^<>]*>"  # a tag, an address
    r"|(?<=\])\((?:[^()\\]|\\.|\([^()]*\))*\)"  # where a link leads
    r"|\$(?=\S)[^$]*(?<=\S)\$|\$\$[^$]*\$\$"  # a formula
    r"|\b[A-Za-z][A-Za-z0-9+.-]*://\S*"  # an address in the open
)
_PART = re.compile(rf"{_VERBATIM.pattern}|\\.|\*+|_+|\[|\]|[^*_\\\[\]<`$(A-Za-z]+|.", re.DOTALL)
_DEFINED = re.compile(r"[ \t]*\*?\[[^\]]*\]:")  # a link's address, a note, an abbreviation
_BARE = frozenset("*_#+")  # a backslash before one of these says only that it is no mark
_OPEN, _CLOSE = "\x0e", "\x0f"
_NESTED, _ONE = re.compile(rf"(?:{_OPEN}\d){{2,}}|(?:{_CLOSE}\d){{2,}}"), re.compile(rf"[{_OPEN}{_CLOSE}]\d")


class _Run:
    """A run of `*` or `_`: how many are left, and what was made of the others."""

    def __init__(self, mark: str, before: str, after: str) -> None:
        self.sign, self.length, self.left = mark[0], len(mark), len(mark)
        self.before: list[int] = []  # the sizes of what ends here, in order
        self.after: list[int] = []  # the sizes of what begins here, the outermost first
        left = not _blank(after) and (not _sign(after) or _blank(before) or _sign(before))
        right = not _blank(before) and (not _sign(before) or _blank(after) or _sign(after))
        inner = self.sign == "_"  # which is none within a word
        self.opens = left and (not inner or not right or _sign(before))
        self.closes = right and (not inner or not left or _sign(after))

    def fits(self, closer: _Run) -> bool:
        """Whether it begins what a later run ends."""
        if not (self.opens and self.left and self.sign == closer.sign):
            return False
        both = (self.opens and self.closes) or (closer.opens and closer.closes)
        thirds = (self.length + closer.length) % 3 == 0 and (self.length % 3 or closer.length % 3)
        return not (both and thirds)

    def text(self) -> str:
        ends = "".join(f"{_CLOSE}{size}" for size in self.before)
        return ends + self.sign * self.left + "".join(f"{_OPEN}{size}" for size in self.after)


def spelled(text: str) -> str:
    """The text with its emphasis spelt in one way; as it is where it has none, and no backslash."""
    if not any(sign in text for sign in "*_\\") or _DEFINED.match(text):
        return text
    parts: list[str | _Run] = []
    runs: list[_Run] = []
    brackets: list[int] = []  # how many runs stand before each that is open
    for found in _PART.finditer(text):
        piece = found[0]
        if piece[0] in "*_":
            before, after = text[max(0, found.start() - 1) : found.start()], text[found.end() : found.end() + 1]
            runs.append(_Run(piece, before, after))
            parts.append(runs[-1])
            continue
        if piece == "[":
            brackets.append(len(runs))
        elif piece == "]" and brackets:
            start = brackets.pop()
            if text[found.end() : found.end() + 1] in ("(", "["):  # a link: what is in it ends in it
                _pair(runs[start:])
                del runs[start:]
        parts.append(piece[1] if piece[0] == "\\" and piece[1:] in _BARE else piece)
    _pair(runs)
    whole = "".join(part.text() if isinstance(part, _Run) else part for part in parts)
    return _NESTED.sub(lambda found: "".join(sorted(_ONE.findall(found[0]))), whole)  # which is outside is not seen


def _pair(runs: list[_Run]) -> None:
    """Find what each run ends, the nearest that begins it first, as CommonMark does."""
    waiting: list[_Run] = []
    for closer in runs:
        while closer.closes and closer.left:
            at = next((i for i in range(len(waiting) - 1, -1, -1) if waiting[i].fits(closer)), -1)
            if at < 0:
                break
            opener = waiting[at]
            size = 2 if min(opener.left, closer.left) > 1 else 1
            opener.left, closer.left = opener.left - size, closer.left - size
            opener.after.insert(0, size)
            closer.before.append(size)
            del waiting[at + 1 :]
        if closer.opens and closer.left:
            waiting.append(closer)


def _blank(sign: str) -> bool:
    return not sign or sign.isspace()


def _sign(sign: str) -> bool:
    """Whether it is punctuation, or a symbol."""
    return bool(sign) and unicodedata.category(sign)[0] in "PS"
