"""Tell the slip of a pen from a word: `Kernle`, `watre` and `_acidty` are one letter off a name of the library. Pure.

A single word need not be a name, so it counts where it is all but one. Two letters may be changed about; in a long
word one may be missing or too many, and in a longer class another. Endings are left alone, for words are inflected, and
so are first letters, by which other words begin. What is a word of English as it stands is no slip of another.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

from snippetlock.index import Index
from snippetlock.index.rows import PARAMETER
from snippetlock.references.known import lists

__all__ = ["slip_in", "slip_of"]

_Form = Literal["", "class", "constant", "small"]
_SHORTEST = {"class": 4, "constant": 5, "small": 4}  # letters of a word that two changed about are a slip in
_LONG = 6  # letters of a word, or its name, of which one may be missing or too many
_LONGER = 7  # letters of a class of which one may be another: `Render` and `Reader` are two
_ENDINGS = "sdrny"  # letters that inflect a word


def slip_of(index: Index, word: str, *, named: bool = False) -> str:
    """The name of the library that a single word, or a constant of several, is a slip of; empty for none.

    `named` says that it can only be a name, and not a word of a language: `watre=2`.
    """
    kept: dict[tuple[str, bool], str] = index.memo.setdefault("prose: slips", {})
    if (word, named) not in kept:
        kept[word, named] = next(_slips(_without_a_letter(index), word, named), "")
    return kept[word, named]


def slip_in(members: Iterable[str], word: str) -> str:
    """The same among what one class has: a letter may be missing, too many or another also in a short word."""
    same = [each for each in members if _form(each) == _form(word) and min(len(each), len(word)) >= 4]
    return next((each for each in same if _off(word, each)), "")


def _form(name: str) -> _Form:
    word = name.lstrip("_")
    if word.isupper() and word.isascii() and word.replace("_", "").isalpha():
        return "constant"  # also one of several words
    if not (word.isascii() and word.isalpha()):
        return ""
    if word.islower():
        return "small"
    return "class" if word[0].isupper() and word[1:].islower() else ""


def _slips(near: dict[str, list[str]], word: str, named: bool) -> Iterator[str]:
    form = _form(word)
    if not form or len(word.lstrip("_")) < _SHORTEST[form] or word.strip("_").lower() in lists()["words"]:
        return
    sure = named or form != "small" or word[0] == "_"
    shorter = list(dict.fromkeys(_shortened(word)))
    for name in dict.fromkeys(name for each in (word, *shorter) for name in near.get(each, ())):
        if name == word or _form(name) != form:
            continue
        off = _off(word, name)
        length = max(len(name), len(word)) - (word[0] == "_")
        taken = off == "swapped" or (off == "doubled" and sure)
        other = off == "other" and length >= _LONGER and form == "class"
        if taken or other or (off in ("doubled", "one") and length >= _LONG):
            yield name


def _off(word: str, name: str) -> Literal["", "swapped", "doubled", "one", "other"]:
    """How a word is one letter off a name: two changed about, one doubled or not, one too many or missing, another."""
    if len(word) == len(name):
        at = [i for i in range(len(word)) if word[i] != name[i]]
        swapped = len(at) == 2 and at[1] == at[0] + 1 and word[at[0]] == name[at[1]] and word[at[1]] == name[at[0]]
        if swapped and at[0] > 0:
            return "swapped"
        return "other" if len(at) == 1 and 0 < at[0] < len(word) - 1 else ""
    short, long = sorted((word, name), key=len)
    if len(long) != len(short) + 1:
        return ""
    at_odds = next((i for i in range(len(short)) if short[i] != long[i]), len(short))
    if at_odds == 0 or short[at_odds:] != long[at_odds + 1 :]:
        return ""
    if long[at_odds] == long[at_odds - 1]:
        return "doubled"
    inflected = at_odds == len(short) and long[-1] in ("S" if name.isupper() else _ENDINGS)
    return "" if inflected else "one"


def _without_a_letter(index: Index) -> dict[str, list[str]]:
    """The names of one word by what they are, and by what is left of them without one of their letters."""
    kept: dict[str, list[str]] = index.memo.setdefault("prose: names by letters", {})
    if not kept:
        words = index.table("words")
        names = {*index.names, *index.tails, *(word for word, how in words.items() if how & PARAMETER)}
        for name in sorted(names):
            if _form(name) and len(name) > 3:
                for each in dict.fromkeys((name, *_shortened(name))):
                    kept.setdefault(each, []).append(name)
    return kept


def _shortened(word: str) -> Iterator[str]:
    """A word without one of its letters, the first aside."""
    return (word[:at] + word[at + 1 :] for at in range(1, len(word)))
