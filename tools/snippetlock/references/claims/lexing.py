"""Split a claim into its marks, in one pass. Pure; never recurses.

A reference is one mark, with the conditions in it: what is a name in `a.b:C.d[e]` is no word of the language.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from snippetlock.config.selector import is_path
from snippetlock.references.claims.terms import LONGEST, ClaimError, Condition, Reference, Token

__all__ = ["LITERALS", "tokens"]

_BLANK = re.compile(r"\s+")
_NUMBER = re.compile(r"-?\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?")
_WORD = re.compile(r"[^\W\d][\w.*/-]*|\*[\w.*/-]*")
_PART = re.compile(r"[\w*@/-]+")
_NOT = re.compile(r"not\s")
_RUN = re.compile(r"[=&|!]{1,3}")
_LITERAL = re.compile(r"True\b|False\b|None\b")
_SIGN = re.compile(r"==|!=|<=|>=|[<>()\[\]{},:]")
_QUOTE = re.compile(r"[^\"'\\]+")
_ESCAPES = {"n": "\n", "t": "\t", "\\": "\\", '"': '"', "'": "'", ">": ">", "-": "-"}
_MEANT = {"=": "==", "&": "and", "|": "or", "!": "not", "&&": "and", "||": "or", "===": "=="}
# What a Chinese keyboard, or a word processor, writes in place of it.
_WIDE = {
    **dict.fromkeys("“”„＂", '"'),
    **dict.fromkeys("‘’＇", "'"),
    **dict(zip("（）［］｛｝，：＝＜＞！", "()[]{},:=<>!", strict=True)),
}
LITERALS = {"True": True, "False": False, "None": None}
_ALSO = {"true": "True", "false": "False", "null": "None", "none": "None"}


def tokens(text: str) -> tuple[Token, ...]:
    """The marks of a claim, `end` as the last one. Raises `ClaimError`."""
    if len(text) > LONGEST:
        what = f"a claim has at most {LONGEST:,} characters, and this one has {len(text):,}"
        raise ClaimError(what, 0, "write one claim for each sentence")
    return tuple(_tokens(text))


def _tokens(text: str) -> Iterator[Token]:
    at = 0
    while at < len(text):
        if blank := _BLANK.match(text, at):
            at = blank.end()
            continue
        token = _token(text, at)
        yield token
        at = token.end
    yield Token("end", len(text), len(text))


def _token(text: str, at: int) -> Token:
    char = text[at]
    if char in "\"'":
        value, end = _quoted(text, at)
        return Token("text", at, end, value)
    if number := _NUMBER.match(text, at):
        return _number(text, at, number.end())
    if word := _WORD.match(text, at):
        return _word(text, at, word.end())
    if sign := _SIGN.match(text, at):
        return Token("sign", at, sign.end(), sign[0])
    run = _RUN.match(text, at)
    meant = _MEANT.get(run[0]) if run else _WIDE.get(char)
    shown = run[0] if run else char
    raise ClaimError(f"{shown!r} means nothing here", at, f"write `{meant}`" if meant else "take it out")


def _number(text: str, at: int, end: int) -> Token:
    written = text[at:end]
    if end < len(text) and (text[end].isalpha() or text[end] in "_."):
        raise ClaimError(f"{text[at : end + 1]!r} is no number", at, "write a text in quotes")
    whole = written.lstrip("-").replace("_", "").isdigit()
    if len(written) > 300:
        raise ClaimError("a number has at most 300 digits", at, "write a shorter one")
    return Token("number", at, end, int(written.replace("_", "")) if whole else float(written.replace("_", "")))


def _quoted(text: str, at: int) -> tuple[str, int]:
    """A text in quotes, and the offset behind it."""
    quote, parts, here = text[at], [], at + 1
    while here < len(text):
        plain = _QUOTE.match(text, here)
        if plain:
            parts.append(plain[0])
            here = plain.end()
        elif text[here] == quote:
            return "".join(parts), here + 1
        elif text[here] == "\\":
            escaped = text[here + 1 : here + 2]
            if escaped not in _ESCAPES:
                raise ClaimError(f"\\{escaped} stands for nothing", here, "write `\\\\` for a backslash")
            parts.append(_ESCAPES[escaped])
            here += 2
        else:
            parts.append(text[here])
            here += 1
    mend = 'close it; in it write `--\\>` for what would end the comment, and `\\"` for a quote'
    raise ClaimError("this quote is never closed", at, mend)


def _word(text: str, at: int, end: int) -> Token:
    word = text[at:end]
    if text[end : end + 1] == ":" and (part := text[end + 1 : end + 2]) and (part in "\"'*_" or part.isalnum()):
        return _reference(text, at, end)
    if word in LITERALS:
        return Token("word", at, end, word)
    if word in _ALSO:
        raise ClaimError(f"{word!r} means nothing here", at, f"write `{_ALSO[word]}`")
    if "." in word or "/" in word or "*" in word:
        return _reference(text, at, end)
    return Token("word", at, end, word)


def _reference(text: str, at: int, end: int) -> Token:
    left = text[at:end]
    parts: list[str] = []
    quoted: set[int] = set()
    conditions: list[tuple[int, Condition]] = []
    here = end
    while text[here : here + 1] == (":" if here == end else "."):
        part, after, plain = _part(text, here + 1)
        if not plain:
            quoted.add(len(parts))
        parts.append(part)
        here = after
        while text[here : here + 1] == "[":
            condition, here = _condition(text, here)
            conditions.append((len(parts) - 1, condition))
    is_file = is_path(left)
    reference = Reference(
        text=text[at:here],
        module="" if is_file else left,
        path=left if is_file else "",
        parts=tuple(parts),
        quoted=frozenset(quoted),
        conditions=tuple(conditions),
    )
    _check(reference, at)
    return Token("reference", at, here, reference)


def _check(reference: Reference, at: int) -> None:
    """Refuse a reference that can lead nowhere."""
    names = reference.module.split(".") if reference.module else reference.path.split("/")
    mend = "write `module:Qualified.name` or `path/to/file.yaml:key`"
    if not all(names) or {".", ".."} & set(names):
        raise ClaimError(f"{reference.text!r} has an empty part", at, mend)
    if reference.module and not all(name.replace("*", "x").isidentifier() for name in names):
        raise ClaimError(f"{reference.module!r} is no name of a module", at, mend)
    if reference.module:
        for number, part in enumerate(reference.parts):
            if number in reference.quoted or not part.replace("*", "x").isidentifier():
                raise ClaimError(f"{part!r} is no name of Python", at, mend)


def _part(text: str, at: int) -> tuple[str, int, bool]:
    """A part of a reference, the offset behind it, and whether it was written without quotes."""
    if text[at : at + 1] in ("'", '"'):
        return *_quoted(text, at), False
    part = _PART.match(text, at)
    if part is None:
        raise ClaimError("a reference ends in a dot or a colon", at - 1, "name what is meant, or take it out")
    return part[0], part.end(), True


def _condition(text: str, at: int) -> tuple[Condition, int]:
    """What stands in brackets behind a part."""
    here = _skip(text, at + 1)
    sign = ""
    if _NOT.match(text, here):
        sign, here = "not", _skip(text, here + 3)
    keys = []
    while True:
        key, here, _ = _part(text, here)
        keys.append(key)
        if text[here : here + 1] != ".":
            break
        here += 1
    here = _skip(text, here)
    value: Any = None
    if not sign and text[here : here + 2] in ("==", "!="):
        sign, here = text[here : here + 2], _skip(text, here + 2)
        value, here = _literal(text, here)
        here = _skip(text, here)
    if text[here : here + 1] != "]":
        mend = 'in brackets behind a name stands `[key]`, `[not key]`, `[key == "value"]` or `[key != "value"]`'
        raise ClaimError("this condition cannot be read", at, mend)
    return Condition(keys=tuple(keys), sign=sign, value=value), here + 1  # type: ignore[arg-type]


def _literal(text: str, at: int) -> tuple[Any, int]:
    if text[at : at + 1] in ("'", '"'):
        return _quoted(text, at)
    if number := _NUMBER.match(text, at):
        return _number(text, at, number.end()).value, number.end()
    if word := _LITERAL.match(text, at):
        return LITERALS[word[0]], word.end()
    raise ClaimError("a condition compares with a text, a number, True, False or None", at, "write one of these")


def _skip(text: str, at: int) -> int:
    blank = _BLANK.match(text, at)
    return blank.end() if blank else at
