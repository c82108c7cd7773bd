"""Characters of a page that hide something: those that turn the order of reading, and those that nobody sees. Pure.

In prose only what reorders text or carries a hidden one is told: a joiner or a soft hyphen has its uses there. In code
nothing invisible has, but the joiner within one picture of several signs: a woman and a computer.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from snippetlock.references.blocks import Block, Problem
from snippetlock.references.speech import speech
from snippetlock.text import split_lines

__all__ = ["hidden", "hidden_code", "hides", "plain_of"]

_TURNING = "\u202a-\u202e\u2066-\u2069"
_TAGS = "\U000e0000-\U000e007f"
_UNSEEN = "\u00ad\u061c\u180e\u200b\u200c\u200e\u200f\u2060-\u2064\ufeff\ufff9-\ufffb"
_SIGN = "[\u2190-\u2bff\U0001f000-\U0001faff]"
_JOINER = f"\u200d(?!{_SIGN})|(?<!{_SIGN})(?<!{_SIGN}\ufe0f)\u200d"
_ANY = re.compile(f"[{_TURNING}{_TAGS}{_UNSEEN}]|{_JOINER}")
_LOUD = re.compile(f"[{_TURNING}{_TAGS}]")
_FLAG = "\U0001f3f4"  # a black flag, of which tags make those of England, Scotland and Wales

# Letters that look like others, most of them in every font.
_CYRILLIC = dict(zip("АВЕЅІЈКМНОРСТУХаеорсухіјѕԁԛԝһ", "ABESIJKMHOPCTYXaeopcyxijsdqwh", strict=True))
_GREEK = dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧονα", "ABEZHIKMNOPTYXova", strict=True))
_LIKE = str.maketrans(_CYRILLIC | _GREEK)


def hidden(text: str, blocks: tuple[Block, ...]) -> Iterator[Problem]:
    """A problem for each line that hides something, at its first such character. Raises nothing."""
    if not _ANY.search(text, 1 if text.startswith("\ufeff") else 0):
        return
    code = {line for block in blocks for line in range(block.first, block.last + 1)}
    spans: dict[int, str] = {}
    for said in speech(text).spans:
        spans[said.line] = spans.get(said.line, "") + said.text
    for number, line in enumerate(split_lines(text.removeprefix("\ufeff")), start=1):
        inside = number in code or bool(_ANY.search(spans.get(number, "")))
        flag = line.find(_FLAG)
        for found in (_ANY if inside else _LOUD).finditer(line):
            if not (found[0] >= "\U000e0000" and 0 <= flag < found.start()):
                yield _problem(number, line, found.start(), found[0])
                break


def hides(text: str) -> bool:
    """Whether a text has a character that hides something, wherever it stands."""
    return _ANY.search(text) is not None


def hidden_code(text: str, first: int, last: int) -> Iterator[Problem]:
    """A problem for each of these lines of code that hides something; its `mend` only says where that stands."""
    for number, line in enumerate(split_lines(text)[first - 1 : last], start=first):
        found = _ANY.search(line)
        if found:
            yield _problem(number, line, found.start(), found[0])._replace(mend=_around(line, found.start()))


def _around(line: str, at: int) -> str:
    return _ANY.sub(lambda found: f"<U+{ord(found[0]):04X}>", line[max(0, at - 20) : at + 21].strip())


def _problem(number: int, line: str, at: int, char: str) -> Problem:
    name = unicodedata.name(char, "a character without a name")
    turns = "it turns the order in which the line is shown" if _LOUD.match(char) else "it cannot be seen"
    message = f"U+{ord(char):04X} ({name}): {turns}"
    return Problem(number, at + 1, message, f"delete it; it stands here: {_around(line, at)}")


def plain_of(name: str) -> str:
    """The name in ASCII that a name looks like; empty for one that looks like none, or is ASCII itself."""
    if name.isascii():
        return ""
    plain = unicodedata.normalize("NFKC", name).translate(_LIKE)
    return plain if plain.isascii() and plain != name else ""
