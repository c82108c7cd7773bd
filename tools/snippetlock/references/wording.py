"""What form a piece of inline code has: a name, a call, a path, a flag, a command, a sentence. Pure.

Decides nothing about what exists. Linear: each expression reads its text once, and long texts are not read.
"""

from __future__ import annotations

import re
from keyword import iskeyword
from typing import Literal

from snippetlock.errors import SourceError
from snippetlock.references.known import is_command, is_file
from snippetlock.tokens import tokenize

__all__ = ["LONGEST", "NAME", "Form", "bare_name", "form_of", "humped", "shaped", "snake"]

Form = Literal["name", "call", "code", "path", "import", "key", "aside"]
LONGEST = 500
"""Characters of inline code that are looked at: what is longer is no mention, but a text."""

NAME = re.compile(r"[^\W\d]\w*+(?:\.[^\W\d]\w*+)*+")
_SELECTOR = re.compile(r"[^\W\d]\w*+(?:\.[^\W\d]\w*+)*+:[^\W\d]\w*+(?:\.[^\W\d]\w*+)*+")
_PATH = re.compile(r"[\w.@+~<>{}*$-]*+(?:/[\w.@+~<>{}*$-]*+)++(?::[\w.]++(?:-\d++)?|#L\d++(?:-L?\d++)?)?")
_FILE = re.compile(r"[\w.*<>{}-]++")
_KEY = re.compile(r"[\w-]++:")
_IMPORT = re.compile(r"(?:from [\w.]++ )?import [\w.*, ]++(?: as \w++)?")
_SNAKE = re.compile(r"[a-z][a-z0-9]*+(?:_[a-z0-9]++)++")
_TALK = frozenset(["not", "and", "or", "if", "else", "in", "is", "for", "lambda", "await", "async", "return", "def"])
_TALK |= frozenset(["yield", "with", "as", "raise", "assert", "del", "class", "from", "import", "while", "except"])


def form_of(text: str) -> Form:
    """The form of a piece of inline code."""
    if not text or len(text) > LONGEST or text[0] in "-$%#&|\\`":
        return "aside"
    if _PATH.fullmatch(text) or (is_file(text) and _FILE.fullmatch(text)):
        return "path"
    if NAME.fullmatch(bare_name(text)):
        return "name"
    if _IMPORT.fullmatch(text):
        return "import"
    if _SELECTOR.fullmatch(text):
        return "name"
    if _KEY.fullmatch(text):
        return "key"
    if not _code(text):
        return "aside"
    return "call" if "(" in text else "code"


def bare_name(text: str) -> str:
    """A name without what marks it: the `@` of a decorator, the `~` of a reference, the `=` behind a parameter."""
    return text.lstrip("@~.").removesuffix("=")


def _code(text: str) -> bool:
    """Whether it can be code of Python: outside of brackets no two words follow each other, and no flag is there."""
    if " --" in text or "://" in text or is_command(text.partition(" ")[0]):
        return False
    try:
        tokens = [(token.kind, text[token.start : token.end]) for token in tokenize(text)]
    except SourceError:
        return False
    depth, before = 0, False
    for kind, word in tokens:
        if kind == "op" and word in "([{":
            depth += 1
        elif kind == "op" and word in ")]}":
            depth -= 1
        elif kind == "op" and word in "!?;~$`\\\"'":
            return False  # none of Python's, or a quote alone
        said = kind in ("name", "number", "string")
        if said and before and depth == 0 and not (iskeyword(word) or word in _TALK):
            return False
        before = said and not (iskeyword(word) and word not in ("None", "True", "False"))
    return any(kind == "name" for kind, _ in tokens)


def humped(name: str) -> bool:
    """Whether a name is written as classes are, in more than one word: `GEMMFwdOp`, `_OpBase`, `HTTPError`."""
    word = name.lstrip("_").removesuffix("s")
    if not (word.isascii() and word.isalnum() and word[0].isupper()):
        return False
    return any(char.islower() for char in word) and any(char.isupper() for char in word[1:])


def snake(name: str) -> bool:
    """Whether a name is of several words in small letters: `kernel_for`, `_call_spec`."""
    return _SNAKE.fullmatch(name.strip("_")) is not None


def shaped(name: str) -> bool:
    """Whether a bare name can only be a name of code, and no word of a language."""
    return humped(name) or snake(name)
