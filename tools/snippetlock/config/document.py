"""Read a YAML file as nodes that know where they stand. Knows nothing of pins and definitions.

A subset on purpose: what hides a value or says it twice (anchors, aliases, tags, merge keys, several
documents) is refused by name, because an error could then not point at one place.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any, NamedTuple

from snippetlock.errors import ConfigError
from snippetlock.reading import no_file, read_file
from snippetlock.text import line_of, line_starts, split_lines

DEEPEST = 20  # levels; a definitions file needs four
_WIDEST = 100  # characters of a line that a message shows

# Kinds of a node, in the words that messages use.
MAPPING, LIST, TEXT, NOTHING = "a mapping", "a list", "text", "nothing"
_SCALARS = {
    "str": TEXT,
    "null": NOTHING,
    "bool": "a true/false value",
    "int": "a number",
    "float": "a number",
    "timestamp": "a date",
    "merge": "a merge key",
    "value": TEXT,
}
_WRITE_OUT = "write it out: nothing here stands for another place"
_MENDS = (
    ("mapping values are not allowed", "quote a value that contains a colon and a space"),
    ("could not find expected ':'", "every key needs a colon and a space after it"),
    ("cannot start any token", "put the value in quotes"),
    ("expected ',' or ']'", "close the list with `]`"),
    ("expected ',' or '}'", "close the mapping with `}`"),
    ("unexpected end of stream", "close the quote"),
    ("expected key", "give the keys of one mapping the same indentation"),
    ("<block end>", "give the keys of one mapping the same indentation"),
    ("'-' indicator", "write either a list or keys"),
    ("<document start>", "every key needs a colon and a space after it"),
    ("nesting depth", "close a bracket"),
    ("node content", "put the value in quotes"),
    ("escape character", "double the backslash, or use single quotes"),
)


class Node(NamedTuple):
    """A value of the file and where it starts (both 1-based, the quote of a quoted text included).

    `value` is the text of a scalar as YAML reads it (`"0.1"` for the number 0.1: nothing is converted),
    the nodes of a list, or the (key, value) pairs of a mapping, repeated keys included. `inset` is how
    many characters before the first of a one-line text's own (1 for a quote), or None where they do not
    stand in the file one by one.
    """

    kind: str
    value: Any
    path: str
    line: int
    column: int
    inset: int | None = None

    def error(self, what: str, mend: str = "", *, offset: int = 0) -> ConfigError:
        """An error at this place; `offset` characters into a text where those can be counted."""
        shift = 0 if self.inset is None else self.inset + offset
        column = self.column + (shift if offset else 0)
        return ConfigError(what, path=self.path, line=self.line, column=column, mend=mend)

    @property
    def found(self) -> str:
        """What stands here, for a message: "the number 0.1", "a list"."""
        if self.kind in (MAPPING, LIST, NOTHING, TEXT):
            return self.kind
        return f"{self.kind} ({self.value})"


def read_document(path: Path, name: str) -> Node:
    """Read one file; `name` is what messages call it. Raises `ConfigError` where that cannot be done."""
    try:
        data = read_file(path)
    except FileNotFoundError as error:
        if os.path.islink(path):
            mend = "point the link to the file, or remove it"
            raise ConfigError("a link to nothing", path=name, mend=mend) from error
        raise ConfigError("there is no such file", path=name, mend="put it back, then run the command again") from error
    except OSError as error:
        mend = "put the file itself in its place" if no_file(error) else "make the file readable"
        raise ConfigError(f"cannot be read: {error.strerror}", path=name, mend=mend) from error
    return parse_document(decode(data, name), name)


def decode(data: bytes, name: str) -> str:
    """UTF-8 to text, with the place of the first byte that is not; a byte order mark is dropped."""
    data = data.removeprefix(b"\xef\xbb\xbf")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = len(data[: error.start].decode("utf-8"))
        line, column = _place(line_starts(data.decode("utf-8", errors="replace")), before)
        raise ConfigError(
            f"not UTF-8: the byte 0x{data[error.start]:02x} does not belong here",
            path=name,
            line=line,
            column=column,
            mend="save the file as UTF-8",
        ) from error


def parse_document(text: str, name: str) -> Node:
    """The one value of a YAML text. An empty file, and one of comments alone, is a node of nothing.

    Raises `ConfigError`, with its place in the file that messages call `name`, for what is no YAML or hides something.
    """
    import yaml  # slow to import: not where no YAML is read

    starts = line_starts(text)
    # YAML ends lines at these too, and no editor does: a place could not be told then.
    for separator in "\x85\u2028\u2029":
        if separator in text:
            raise _odd_character(text, text.index(separator), starts, name)
    try:
        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)(text)
        try:
            return _compose(loader, text, starts, name)
        finally:
            loader.dispose()
    except yaml.YAMLError as error:
        raise _translated(error, text, starts, name) from error


def _place(starts: tuple[int, ...], index: int) -> tuple[int, int]:
    line = line_of(starts, index)
    return line, index - starts[line - 1] + 1


def _compose(loader: Any, text: str, starts: tuple[int, ...], name: str) -> Node:
    """Build the nodes from the parser's events. A loop, so that depth is a message and not a crash."""
    open_nodes: list[tuple[str, tuple[int, int], list[Node]]] = []
    done: list[Node] = []
    documents = 0
    while True:
        event = loader.get_event()
        kind = type(event).__name__
        if kind == "StreamEndEvent":
            return done[0] if done else Node(NOTHING, "", name, 1, 1)
        if kind in ("StreamStartEvent", "DocumentEndEvent"):
            continue
        place = _place(starts, event.start_mark.index)
        if kind == "DocumentStartEvent":
            documents += 1
            if documents > 1:
                raise _refusal("a second document (`---`)", "keep one document in a file", name, place)
            continue
        if kind.endswith("EndEvent"):
            shape, place, items = open_nodes.pop()
            node = _collection(shape, items, name, place)
        else:
            _refuse_hidden(event, kind, name, place)
            if kind == "ScalarEvent":
                node = _scalar(loader, event, text, name, place)
            else:
                open_nodes.append((MAPPING if kind == "MappingStartEvent" else LIST, place, []))
                if len(open_nodes) > DEEPEST:
                    raise _refusal(f"a nesting of more than {DEEPEST} levels", "close a bracket", name, place)
                continue
        (open_nodes[-1][2] if open_nodes else done).append(node)


def _collection(shape: str, items: list[Node], name: str, place: tuple[int, int]) -> Node:
    if shape == LIST:
        return Node(LIST, tuple(items), name, *place)
    for key in items[::2]:
        if key.kind in (MAPPING, LIST):
            raise key.error(f"a key is {key.kind}", "a key is one word")
        if key.kind == "a merge key":
            raise key.error("a merge key (`<<`) is not used here", _WRITE_OUT)
    return Node(MAPPING, tuple(zip(items[::2], items[1::2], strict=True)), name, *place)


def _scalar(loader: Any, event: Any, text: str, name: str, place: tuple[int, int]) -> Node:
    import yaml

    value = event.value
    tag = loader.resolve(yaml.ScalarNode, value, event.implicit).rpartition(":")[2]
    kind = _SCALARS.get(tag, TEXT)
    inset = 1 if event.style in ("'", '"') else 0
    start = event.start_mark.index + inset
    counted = text.startswith(value, start)
    return Node(kind, value, name, *place, inset if counted else None)


def _refuse_hidden(event: Any, kind: str, name: str, place: tuple[int, int]) -> None:
    if kind == "AliasEvent":
        raise _refusal(f"an alias (`*{event.anchor}`)", _WRITE_OUT, name, place)
    if event.anchor:
        raise _refusal(f"an anchor (`&{event.anchor}`)", _WRITE_OUT, name, place)
    if event.tag:
        tag = event.tag.replace("tag:yaml.org,2002:", "!!")
        raise _refusal(f"a tag (`{tag}`)", "leave it out; quote what must be text", name, place)


def _refusal(what: str, mend: str, name: str, place: tuple[int, int]) -> ConfigError:
    return ConfigError(f"{what} is not used here", path=name, line=place[0], column=place[1], mend=mend)


def _window(line: str, column: int) -> str:
    """What a message can show of a line: all of it, or the part around the column."""
    if len(line) <= _WIDEST:
        return line
    start = max(0, column - _WIDEST // 2)
    return ("…" if start else "") + line[start : start + _WIDEST] + ("…" if start + _WIDEST < len(line) else "")


def _odd_character(text: str, index: int, starts: tuple[int, ...], name: str) -> ConfigError:
    code = ord(text[index])
    escape = f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
    mend = f'delete it, or write "{escape}" inside double quotes'
    return _refusal(f"the character U+{code:04X}", mend, name, _place(starts, index))


def _translated(error: Any, text: str, starts: tuple[int, ...], name: str) -> ConfigError:
    """A YAML library's error in our words: where, its problem, the line, and what usually mends it."""
    if not hasattr(error, "problem_mark"):  # the reader's own: a character that YAML does not have
        odd = re.search("[^\t\n\r\x20-\x7e\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", text)
        return _odd_character(text, odd.start() if odd else 0, starts, name)
    mark = error.problem_mark or error.context_mark
    problem = error.problem or error.context
    index = min(mark.index, len(text))
    line, column = _place(starts, index)
    lines = split_lines(text)
    evidence = (_window(lines[line - 1].rstrip("\r\n"), column),) if line <= len(lines) else ()
    if text[index : index + 1] == "\t":
        what, mend = "a tab where YAML wants spaces", "indent with spaces"
    else:
        what = f"not YAML: {problem}"
        mend = next((mend for part, mend in _MENDS if part in problem), "mend the YAML at this place")
        if "node content" in problem and "flow" in (error.context or ""):  # within brackets quotes are seldom amiss
            comma = text[index : index + 1] == ","
            mend = "write a value before the comma" if comma else "close the `[` or `{` that is open here"
    return ConfigError(what, path=name, line=line, column=column, evidence=evidence, mend=mend)
