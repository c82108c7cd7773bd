"""Read a fence's info string: the language and its options. Pure, and linear in the string.

An option is `name`, `name=word`, `name="text"` or `name='text'`; within quotes a backslash keeps the quote or
the backslash that follows it. Braces around the whole (an attribute list) are read for other blocks, and
refused for a directive: one way to write a thing. `{name} argument`, as MyST has it for Sphinx, has no options.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from snippetlock.errors import nearest
from snippetlock.references.blocks import Problem
from snippetlock.references.diagrams import DIAGRAMS

# What other builders read on a fence. On a directive each would say again what its definition says.
FOREIGN = ("hl_lines", "linenums", "title", "title_mode")
OURS = ("snippet", "run", "unsourced", "message")
_WANTS = {"snippet": "a snippet's id", "run": "the id of a run", "unsourced": "a reason", "message": "an exception"}
_CALLED = {"snippet": "a snippet", "run": "a run", "unsourced": "unsourced", "message": "a message"}
_LISTINGS = ("code", "code-block", "code-cell", "sourcecode")  # of MyST: the language is the argument
_ID = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-")


class Token(NamedTuple):
    """One word of an info string. `column` counts from 0; `value` is None where there was no `=`."""

    column: int
    name: str
    value: str | None
    closed: bool = True


class Info(NamedTuple):
    """An info string taken apart. Columns are 1-based columns of the page's line."""

    language: str
    options: dict[str, str]
    columns: dict[str, int]
    problems: tuple[Problem, ...]


def parse_info(info: str, line: int, column: int) -> Info:
    """Take apart the info string that starts at `line`:`column` of a page (1-based)."""
    if (foreign := _of_myst(info)) is not None:
        return Info(foreign, {}, {}, ())
    braced = info.startswith("{") and info.rstrip().endswith("}")
    body = info.rstrip()[1:-1] if braced else info
    column += 1 if braced else 0
    language, options, columns, problems = "", {}, {}, []
    for index, token in enumerate(_tokens(body)):
        at = column + token.column
        if index == 0 and token.value is None:
            language = token.name.lstrip(".")
        elif not token.closed:
            problems.append(Problem(line, at, f"the value of {token.name!r} has no closing quote", "close the quote"))
        elif braced and token.value is None and token.name[:1] in ".#":
            continue
        elif token.name in options:
            problems.append(Problem(line, at, f"option {token.name!r} is given twice", "keep one of them"))
        else:
            options[token.name] = token.name if token.value is None else token.value
            columns[token.name] = at
            if token.value is None and token.name in OURS:
                problems.append(_valueless(token.name, line, at))
    if braced and any(name in options for name in OURS):
        problems.append(
            Problem(line, column, "a directive is not written as an attribute list", "leave out the braces")
        )
    problems += _judge(language, options, columns, line)
    return Info(language, options, columns, tuple(sorted(set(problems))))


def _of_myst(info: str) -> str | None:
    """The language of a directive of MyST, or its name in braces; None for what is none, or has an option of ours."""
    name, end, argument = info.removeprefix("{").partition("}")
    if not info.startswith("{") or not end or not argument.strip() or argument[:1] not in " \t":
        return None
    if not name[:1].isalpha() or " " in name or "\t" in name or any(f"{each}=" in argument for each in OURS):
        return None
    return argument.split()[0] if name in _LISTINGS else f"{{{name}}}"


def _tokens(body: str) -> Iterator[Token]:
    at, end = 0, len(body)
    while at < end:
        if body[at] in " \t":
            at += 1
            continue
        start = at
        while at < end and body[at] not in " \t=":
            at += 1
        name = body[start:at]
        if at == end or body[at] != "=":
            yield Token(start, name, None)
            continue
        at += 1
        if at < end and body[at] in "\"'":
            value, at, closed = _quoted(body, at)
            yield Token(start, name, value, closed)
        else:
            begin = at
            while at < end and body[at] not in " \t":
                at += 1
            yield Token(start, name, body[begin:at])


def _quoted(body: str, at: int) -> tuple[str, int, bool]:
    quote, parts, end = body[at], [], len(body)
    at += 1
    while at < end and body[at] != quote:
        if body[at] == "\\" and at + 1 < end and body[at + 1] in (quote, "\\"):
            at += 1
        parts.append(body[at])
        at += 1
    return "".join(parts), min(at + 1, end), at < end


def _valueless(name: str, line: int, at: int) -> Problem:
    return Problem(line, at, f"option {name!r} needs {_WANTS[name]}", f'write {name}="…"')


def _judge(language: str, options: dict[str, str], columns: dict[str, int], line: int) -> Iterator[Problem]:
    """What is wrong with options that could be read one by one."""
    kinds = [name for name in OURS if name in options]
    if len(kinds) > 1:
        both = " or ".join(_CALLED[name] for name in kinds)
        yield Problem(line, columns[kinds[-1]], f"a block is either {both}, not both", "keep one of them")
    for name in kinds:
        if name in ("snippet", "run"):
            yield from _judge_id(name, options[name], line, columns[name])
    if "unsourced" in options and not options["unsourced"].strip():
        yield Problem(
            line, columns["unsourced"], "an unsourced block gives its reason", 'write unsourced="why it has no source"'
        )
    if "message" in options and not options["message"].strip():
        what = "a message names the exception that it comes with"
        yield Problem(line, columns["message"], what, 'write message="RuntimeError"')
    known = _known(language, options)
    for name, at in columns.items():
        if name not in known:
            yield _unknown(name, known, options, line, at)


def _known(language: str, options: dict[str, str]) -> tuple[str, ...]:
    if "snippet" in options or "run" in options:
        return OURS
    if "unsourced" in options or "message" in options:
        return (*OURS, "title")
    return OURS if language in DIAGRAMS else (*OURS, *FOREIGN)


def _judge_id(name: str, text: str, line: int, at: int) -> Iterator[Problem]:
    if not text:
        yield Problem(line, at, f"the {name}'s id is empty", f'write {name}="id"')
    elif not set(text) <= _ID or text.startswith("-"):
        yield Problem(line, at, f"{text!r} is not a {name}'s id", "an id has the letters a-z, digits and hyphens")


def _unknown(name: str, known: tuple[str, ...], options: dict[str, str], line: int, at: int) -> Problem:
    if name in FOREIGN and "run" in options:
        return Problem(line, at, f"a directive takes no {name!r}", "leave it out: the caption comes from the record")
    if name in FOREIGN and "snippet" in options:
        mend = (
            "highlight by text: the `highlight` key of the snippet's definition"
            if name == "hl_lines"
            else (
                "leave it out: the caption and the line numbers come from the source; "
                "to highlight, use the `highlight` key of the snippet's definition"
            )
        )
        return Problem(line, at, f"a directive takes no {name!r}", mend)
    near = nearest(name, known)
    mend = f"did you mean {' or '.join(repr(n) for n in near)}?" if near else f"known: {', '.join(known)}"
    ours = any(each in options for each in OURS)
    return Problem(line, at, f"unknown option {name!r}", mend, foreign=not ours and not nearest(name, OURS))
