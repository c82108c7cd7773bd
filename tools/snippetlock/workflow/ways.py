"""The ways to change a source that the drill knows, each of a known class.

A way is a function of what was found and of the view: it yields the class that its change has to be given, and the
edits, or whole files, that make it. It yields nothing where it does not apply.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import PurePosixPath

from snippetlock.changes import ChangeClass
from snippetlock.drift.classes import is_narrow
from snippetlock.model import Found, Part, View
from snippetlock.text import margin
from snippetlock.tokens import Token, tokenize

__all__ = ["INSIDE", "WAYS", "Edit"]

_NAME = "drilled"
_BRACED = frozenset(("c", "cpp", "cuda"))
_DATA = ("json", "toml", "yaml")

Edit = tuple[int, int, str]
"""Characters from the first up to the second are replaced."""
_Made = Iterator[tuple[ChangeClass, list[Edit] | dict[str, str | None]]]


def _is_region(part: Part) -> bool:
    """Whether it is what stands between two marks, which are no part of it."""
    return part.selector.startswith("@")


def _is_counted(found: Found) -> bool:
    """Whether its number among others of its name selects it, which is another's when one comes or goes."""
    return re.search(r"#[0-9]+", found.selector.name) is not None


def _shows(view: View) -> tuple[bool, bool]:
    """Whether a view shows the header, and whether the body."""
    header = view.show in ("source", "signature", "skeleton") and not is_narrow(view)
    return header, view.show in ("source", "body") or (view.show == "skeleton" and bool(view.keep))


def _functions(found: Found, view: View) -> list[Part]:
    """The functions whose text is shown: the part itself, or the members that the view keeps."""
    part = found.part
    if part.kind == "function":
        return [part]
    kept = [m for m in part.members if not view.keep or not {m.name, m.selector}.isdisjoint(view.keep)]
    return [
        m for m in kept if m.kind == "function" and (view.keep or not m.name.startswith("_") or m.name == "__init__")
    ]


def _rename(found: Found, view: View) -> _Made:
    """Under another name; a thing of a few words only in another case, for more could not be recognized."""
    part = found.part
    if part.kind == "module" or _is_counted(found):
        return
    place = _named(found)
    if place is None:
        return
    few = not _is_anchor(found) and len(re.findall(r"\w+", found.text[part.head.start : part.whole.end])) < 12
    name = part.name.swapcase() if few else f"{part.name}_{_NAME}"
    if name != part.name:
        yield "renamed", [(place.end() - len(part.name), place.end(), name)]


def _is_anchor(found: Found) -> bool:
    """Whether the anchor of a heading selects it, which is blind to case, and another's where there are two."""
    return found.selector.name.startswith("#")


def _is_item(found: Found) -> bool:
    """Whether it is an item of a list, which is selected by its number: behind one the others count anew."""
    return found.language == "yaml" and found.text[found.part.whole.start :].lstrip().startswith("- ")


def _named(found: Found) -> re.Match[str] | None:
    """Where its name stands; in a language whose headers are not told apart, the first time outside its comments."""
    part, text = found.part, found.text
    name = re.escape(part.name)
    if part.kind not in ("attribute", "key"):
        return re.compile(rf"\b(?:def|class)\s+{name}\b").search(text, part.head.start, part.head.end)
    end = part.head.end if found.language in ("python", *_DATA) or _is_region(part) else part.whole.end
    every = re.compile(rf"(?<!\w){name}(?!\w)").finditer(text, part.head.start, end)
    return next((one for one in every if not any(c.start <= one.start() < c.end for c in part.comments)), None)


def _block(found: Found) -> int:
    """Behind the brace that opens the body of a function in C; -1 where there is none."""
    place = _named(found)
    brace = found.text.find("{", place.end(), found.part.whole.end) if place else -1
    return brace + 1 if place and "(" in found.text[place.end() : max(brace, 0)] else -1


def _delete(found: Found, view: View) -> _Made:
    part, text = found.part, found.text
    if part.kind == "module":
        yield "removed", {found.path: None}
    elif _is_counted(found):
        return
    elif found.language == "python" and not _is_region(part):
        yield "removed", [(part.whole.start, part.whole.end, f"{margin(text[part.head.start :])}pass\n")]
    elif not _is_item(found):
        yield "removed", [(part.whole.start, part.whole.end, "")]


def _duplicate(found: Found, view: View) -> _Made:
    part, text = found.part, found.text
    once = _is_region(part) or found.language == "toml" or _is_anchor(found)
    if part.kind != "module" and not once and not _is_counted(found) and not _is_item(found):
        copy = text[part.whole.start : part.whole.end]
        yield "ambiguous", [(part.whole.end, part.whole.end, ("" if copy.endswith(("\n", "\r")) else "\n") + copy)]


def _edit_body(found: Found, view: View) -> _Made:
    """A statement more, as the first after the docstring; another value for what is set to one."""
    part, text = found.part, found.text
    body = _shows(view)[1]
    if found.language == "python":
        for function in _functions(found, view)[:1]:
            place = _first_statement(text, function)
            if place:
                yield ("body" if body else "same"), [(place[0], place[0], f"{place[1]}{_NAME} = 1\n")]
        if part.kind == "attribute" and (value := _value(text, part)):
            yield "body", [(value[1], value[1], f" or {_NAME}")]
    elif found.language in _BRACED:
        if not _is_region(part) and (start := _block(found)) > 0:
            yield "body", [(start, start, f" {_NAME}();")]
    elif found.language not in _DATA:  # of which lines are all that is known
        end = part.whole.start + len(text[part.whole.start : part.whole.end].rstrip())
        yield "body", [(end, end, f"\n\n{_NAME}")]
    elif part.kind == "key" and not part.members and (found_value := re.search(r"[0-9]+$", text[: part.head.end])):
        yield "body", [(found_value.start(), found_value.end(), "4711")]


def _first_statement(text: str, function: Part) -> tuple[int, str] | None:
    """Where the first statement behind the docstring starts its line, and its indentation."""
    body = function.body
    if body is None or text[body.start - 1 : body.start] not in ("\n", "\r"):
        return None
    start = body.start
    if function.docstring:
        end = re.compile(r"[ \t]*(?:#[^\r\n]*)?(?:\r\n|\r|\n)").match(text, function.docstring.end)
        if end is None:
            return None
        start = end.end()
    first = re.compile(r"(?:[ \t]*(?:#[^\r\n]*)?(?:\r\n|\r|\n))*([ \t]+)\S").match(text, body.start)
    return (start, first[1]) if first else None


def _tokens(text: str, part: Part) -> list[Token]:
    return [t for t in tokenize(text, part.head.start, part.head.end) if t.kind not in ("newline", "comment")]


def _value(text: str, part: Part) -> tuple[int, int] | None:
    """Where the value of an assignment starts and ends."""
    equal = next((t for t in _tokens(text, part) if text[t.start : t.end] == "="), None)
    if equal is None:
        return None
    start = equal.end + len(text[equal.end :]) - len(text[equal.end :].lstrip(" \t"))
    return start, part.head.end


def _parameters(text: str, part: Part) -> tuple[Token, Token] | None:
    """The brackets of a `def`'s parameters or a class's bases."""
    opened: list[Token] = []
    seen = False
    for token in _tokens(text, part):
        word = text[token.start : token.end]
        seen = seen or (not opened and word in ("def", "class"))
        if word == "(" or word == "[" or word == "{":
            opened.append(token)
        elif token.kind == "op" and word in (")", "]", "}"):
            start = opened.pop()
            if seen and not opened and word == ")":
                return start, token
    return None


def _default(found: Found, view: View) -> _Made:
    """Another default for the last parameter that has one."""
    for function in _functions(found, view):
        brackets = _parameters(found.text, function)
        inside = [
            t for t in _tokens(found.text, function) if brackets and brackets[0].start < t.start < brackets[1].start
        ]
        for one, two, three in zip(inside, inside[1:], [*inside[2:], brackets[1]] if brackets else (), strict=False):
            if found.text[one.start : one.end] == "=" and found.text[three.start] in ",)" and two.kind != "op":
                shown = _shows(view)[0] and (function is found.part or view.show != "signature")
                yield ("signature" if shown else "same"), [(two.start, two.end, f'"{_NAME}"')]
                return


def _decorate(found: Found, view: View) -> _Made:
    """A decorator, on what can have one."""
    part = found.part
    if part.kind in ("class", "function"):
        new = f"{margin(found.text[part.head.start :])}@{_NAME}\n"
        yield ("signature" if _shows(view)[0] else "same"), [(part.head.start, part.head.start, new)]


def _rewrap(found: Found, view: View) -> _Made:
    """The parameters on lines of their own; a value or what is returned in parentheses."""
    part, text = found.part, found.text
    header, body = _shows(view)
    brackets = _parameters(text, part) if part.kind in ("class", "function") else None
    if brackets and header:
        blanks = margin(text[part.head.start :])
        if text[brackets[0].end : brackets[1].start].strip():
            yield (
                "layout",
                [
                    (brackets[0].end, brackets[0].end, f"\n{blanks}        "),
                    (brackets[1].start, brackets[1].start, f"\n{blanks}"),
                ],
            )
    if part.kind == "attribute" and (value := _value(text, part)):
        yield "layout", [(value[0], value[0], "(\n        "), (value[1], value[1], "\n    )")]
    for function in _functions(found, view) if body and found.language == "python" else ():
        if function.body and (line := _returned(text, function)):
            yield "layout", [(line[0], line[0], "("), (line[1], line[1], ")")]
            return
    if found.language == "yaml" and (
        colon := re.compile(r":[ \t]+(?=[^\s#])").search(text, part.head.start, part.whole.end)
    ):
        yield "layout", [(colon.end(), colon.end(), "  ")]


def _returned(text: str, function: Part) -> tuple[int, int] | None:
    """A value that is returned on one line."""
    assert function.body is not None
    tokens = list(tokenize(text, function.body.start, function.body.end))
    for i, token in enumerate(tokens):
        if text[token.start : token.end] != "return" or token.kind != "name":
            continue
        line: list[Token] = []
        for after in tokens[i + 1 :]:
            if after.kind in ("newline", "comment"):
                break
            line.append(after)
        words = [text[t.start : t.end] for t in line if t.kind == "op"]
        if line and sum(words.count(o) for o in "([{") == sum(words.count(c) for c in ")]}"):
            return line[0].start, line[-1].end
    return None


def _comment(found: Found, view: View) -> _Made:
    """A comment more behind the header, or above the first statement where that is all that shows."""
    part, text = found.part, found.text
    if _is_region(part) or found.language not in (*_DATA, *_BRACED, "python"):
        return
    if found.language in _BRACED:
        if (start := _block(found)) > 0:
            yield ("comment" if view.comments == "keep" else "same"), [(start, start, f" /* {_NAME} */")]
        return
    header, body = _shows(view)
    end = re.compile(r"[ \t]*(?=[\r\n]|\Z)").match(text, part.head.end)
    if part.kind != "module" and end and text[part.head.end - 1] not in "|>":
        shown = header and view.comments == "keep"  # where they are dropped, only a mark comes
        yield ("comment" if shown else "same"), [(end.end(), end.end(), f"  # {_NAME}")]
    place = _first_statement(text, part) if part.kind == "function" else None
    if place and view.comments == "keep":
        yield ("comment" if body else "same"), [(place[0], place[0], f"{place[1]}# {_NAME}\n")]


def _move(found: Found, view: View) -> _Made:
    """The whole file under another name."""
    old = PurePosixPath(found.path)
    stem = f"{old.stem}_{_NAME}" if old.stem != "__init__" else f"_{_NAME}"
    yield "moved", {found.path: None, str(old.with_name(stem + old.suffix)): found.text}


def _shift(found: Found, view: View) -> _Made:
    """Lines above, that change nothing of what is shown."""
    if found.part.kind != "module" and not found.text.startswith("#"):
        yield "same", [(0, 0, f"{'//' if found.language in _BRACED else '#'} {_NAME}\n\n")]


WAYS: dict[str, Callable[[Found, View], _Made]] = {
    "rename it": _rename,
    "delete it": _delete,
    "duplicate it": _duplicate,
    "edit its body": _edit_body,
    "change a default": _default,
    "add a decorator": _decorate,
    "wrap it anew": _rewrap,
    "touch a comment": _comment,
    "move its file": _move,
    "shift its lines": _shift,
}
INSIDE = ("edit its body", "wrap it anew", "touch a comment")
"""The ways that change what is inside a definition."""
