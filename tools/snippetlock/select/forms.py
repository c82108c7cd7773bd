"""One statement of Python, or the head of one, as a tree."""

from __future__ import annotations

from collections.abc import Sequence

from snippetlock.select.syntax import Reader
from snippetlock.select.words import NONE, Node, Odd, Word

__all__ = ["ANY", "AUGMENTED", "HEADS", "KEYWORD", "head", "simple"]

ANY = Node("any", (), 0, 0)
"""In a pattern's head: what the head leaves out, which may be anything."""

HEADS = frozenset(
    ("class", "def", "if", "elif", "else", "for", "while", "try", "except", "finally", "with", "match", "case")
)
AUGMENTED = frozenset(("+=", "-=", "*=", "/=", "//=", "%=", "@=", "&=", "|=", "^=", ">>=", "<<=", "**="))
_BAR, _OR = 8, 4  # as `Reader.expression` counts: targets of a loop, patterns of a case


def simple(words: Sequence[Word], end: int) -> Node:
    """A statement without a body. Raises `Odd`."""
    reader = Reader(words, end)
    word = reader.text
    start = reader.place
    if word in KEYWORD:
        reader.at += 1
        node = reader.node(word, KEYWORD[word](reader), start)
    elif reader.raw() == "type" and reader.kind == "name" and reader.raw(2) in ("=", "["):
        reader.at += 1
        parts = [reader.id(), reader.parameters("]") if reader.take("[") else NONE]
        reader.need("=")
        node = reader.node("type", [*parts, reader.expression()], start)
    else:
        node = _assignment(reader, start)
    _finished(reader)
    return node


def head(words: Sequence[Word], end: int, pattern: bool) -> Node:
    """The head of a compound statement, its colon included; a pattern may do without, and leave out more.

    Raises `Odd`.
    """
    reader = Reader(words, end)
    start = reader.place
    label = "async " if reader.take("async") else ""
    word = reader.raw()
    if word not in HEADS or (label and word not in ("def", "for", "with")):
        raise reader.odd()
    reader.at += 1
    parts = _PARTS[word](reader, ANY if pattern else NONE)
    if not reader.take(":") and not (pattern and not reader.raw()):
        raise reader.odd() if reader.raw() else Odd("the colon is missing", reader.place)
    _finished(reader)
    star = "*" if parts[:1] == [_STAR] else ""
    return reader.node(f"{label}{word}{star}", [part for part in parts if part is not _STAR], start)


def _finished(reader: Reader) -> None:
    if reader.raw():
        raise reader.odd()


def _assignment(reader: Reader, start: int) -> Node:
    """An expression, or what is assigned or annotated."""
    parts = [reader.several()]
    if reader.text in AUGMENTED:
        label = reader.text
        reader.at += 1
        return reader.node(label, [*parts, reader.several()], start)
    if reader.take(":"):
        parts.append(reader.expression())
        if reader.take("="):
            parts.append(reader.several())
        return reader.node("annotated", parts, start)
    while reader.take("="):
        parts.append(reader.several())
    return reader.node("=", parts, start) if len(parts) > 1 else parts[0]


# Simple statements that begin with a keyword


def _nothing(reader: Reader) -> list[Node]:
    return []


def _values(reader: Reader) -> list[Node]:
    return [reader.several()] if reader.raw() else []


def _raise(reader: Reader) -> list[Node]:
    parts = [reader.expression()] if reader.raw() else []
    return [*parts, reader.expression()] if reader.take("from") else parts


def _assert(reader: Reader) -> list[Node]:
    parts = [reader.expression()]
    return [*parts, reader.expression()] if reader.take(",") else parts


def _ids(reader: Reader) -> list[Node]:
    parts = [_id_or_many(reader)]
    while reader.take(","):
        parts.append(_id_or_many(reader))
    return parts


def _id_or_many(reader: Reader) -> Node:
    return reader.hole() if reader.many else reader.id()


def _import(reader: Reader) -> list[Node]:
    return _clauses(reader)


def _from(reader: Reader) -> list[Node]:
    module = _dotted(reader)
    reader.need("import")
    start = reader.place
    if reader.take("*"):
        return [module, reader.node("star", (), start)]
    bracket = reader.take("(")
    names = _clauses(reader)
    if bracket:
        reader.need(")")
    return [module, reader.node("names", names, start)]


def _clauses(reader: Reader) -> list[Node]:
    """Modules or names between commas, each with the name it is bound to."""
    found = []
    while True:
        start = reader.place
        name = reader.hole() if reader.many else _dotted(reader)
        found.append(reader.node("as", [name, reader.id()], start) if reader.take("as") else name)
        if not reader.take(",") or not reader.raw() or reader.text == ")":
            return found


def _dotted(reader: Reader) -> Node:
    """A module as one name, the dots before it included."""
    if reader.kind == "hole":
        return reader.hole()
    start, text = reader.place, ""
    while reader.text in (".", "...") or (reader.kind == "name" and not reader.text):
        if text and text[-1] != "." and reader.text != ".":
            break
        text += reader.raw()
        reader.at += 1
    if not text:
        raise reader.odd()
    return reader.node(f"id {text}", (), start)


KEYWORD = {
    "assert": _assert, "break": _nothing, "continue": _nothing, "del": _values, "from": _from, "global": _ids,
    "import": _import, "nonlocal": _ids, "pass": _nothing, "raise": _raise, "return": _values,
}  # fmt: skip


# Heads

_STAR = Node("*", (), 0, 0)


def _def(reader: Reader, absent: Node) -> list[Node]:
    name, types = reader.id(), reader.parameters("]") if reader.take("[") else absent
    if absent is NONE or reader.text == "(":
        reader.need("(")
        return [name, types, reader.parameters(")"), _returns(reader, absent)]
    return [name, types, absent, absent]


def _returns(reader: Reader, absent: Node) -> Node:
    return reader.expression() if reader.take("->") else absent


def _class(reader: Reader, absent: Node) -> list[Node]:
    name, types = reader.id(), reader.parameters("]") if reader.take("[") else absent
    bases = reader.arguments() if reader.take("(") else absent
    return [name, types, Node("arguments", (), 0, 0) if bases is NONE else bases]


def _condition(reader: Reader, absent: Node) -> list[Node]:
    return [reader.expression()]


def _for(reader: Reader, absent: Node) -> list[Node]:
    target = reader.several(("in",), _BAR)
    reader.need("in")
    return [target, reader.several()]


def _with(reader: Reader, absent: Node) -> list[Node]:
    items = reader.several()
    return list(items.parts) if items.label in ("tuple", "several") and items.parts else [items]


def _except(reader: Reader, absent: Node) -> list[Node]:
    star = [_STAR] if reader.take("*") else []
    return [*star, *([] if reader.text == ":" or not reader.raw() else [reader.several()])]


def _subject(reader: Reader, absent: Node) -> list[Node]:
    return [reader.several()]


def _case(reader: Reader, absent: Node) -> list[Node]:
    start = reader.place
    items = [_choice(reader)]
    while reader.take(",") and reader.text not in (":", "if"):
        items.append(_choice(reader))
    comma = reader.words[reader.at - 1].text == ","
    chosen = reader.node("tuple", items, start) if comma or len(items) > 1 else items[0]
    return [chosen, reader.expression() if reader.take("if") else NONE]


def _choice(reader: Reader) -> Node:
    start = reader.place
    choice = reader.item(_OR)
    return reader.node("as", [choice, reader.id()], start) if reader.take("as") else choice


def _bare(reader: Reader, absent: Node) -> list[Node]:
    return []


_PARTS = {
    "def": _def, "class": _class, "if": _condition, "elif": _condition, "while": _condition, "for": _for,
    "with": _with, "try": _bare, "else": _bare, "finally": _bare, "except": _except, "match": _subject, "case": _case,
}  # fmt: skip
