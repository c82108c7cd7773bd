"""The lines of a lock file: nested mappings of one key a line, and the values in them. Knows no key of a lock.

The form is rigid; it is YAML, and read without a parser of it.
"""

from __future__ import annotations

import json
import re
from typing import Any

from snippetlock.errors import LockError
from snippetlock.records import dataclass

MEND = "restore it from version control, or delete it and run `snippetlock update`"


_PLAIN = re.compile(r"[A-Za-z_](?:[A-Za-z0-9_./@#-]|:(?=[A-Za-z_]))*")
_WORDS = frozenset({"null", "true", "false", "yes", "no", "on", "off", "y", "n"})  # plain, YAML takes them for others
_UNPRINTABLE = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff\ufffe\uffff]")


_LINE = re.compile(r'( *)("(?:[^"\\]|\\.)*"|[A-Za-z_](?:[^\s:]|:(?=\S))*):(?: (.*))?')
DIGEST = re.compile(r"[0-9a-f]{64}")
_CONFLICTS = ("<<<<<<<", "|||||||", "=======", ">>>>>>>")


@dataclass(frozen=True, slots=True)
class Node:
    """A mapping of the file: what it is called in messages, its line, and key to (value, line)."""

    called: str
    line: int
    items: dict[str, tuple[Any, int]]


def scalar(text: str) -> str:
    """A word as it is where YAML reads it as this very text, else quoted."""
    return text if _PLAIN.fullmatch(text) and text.lower() not in _WORDS else quoted(text)


def quoted(text: str) -> str:
    """A string as JSON and YAML both read it: what YAML takes for a line end, or refuses, is escaped as well."""
    return _UNPRINTABLE.sub(lambda m: f"\\u{ord(m[0]):04x}", json.dumps(text, ensure_ascii=False))


def hexed(digest: str | None) -> str:
    """A digest in quotes, `null` for none."""
    return "null" if digest is None else f'"{digest}"'


def fault(what: str, line: int, mend: str = MEND) -> LockError:
    """The error for a line of the lock."""
    return LockError(what, line=line, mend=mend)


def tree(text: str) -> Node:
    """The lines as nested mappings. Raises `LockError` with the line.

    Blank lines and comments say nothing here; the checksum is of them too.
    """
    open_ = [Node("the lock", 1, {})]
    for number, line in enumerate(text.split("\n"), start=1):
        found = _LINE.fullmatch(line)
        if found is None:
            if line.strip() and not line.lstrip().startswith("#"):
                raise _no_line(line, number)
            continue
        blanks, key, value = found.groups()
        depth, odd = divmod(len(blanks), 2)
        if odd or depth >= len(open_):
            raise fault("a line that is indented to nowhere", number)
        if "checksum" in open_[0].items:
            raise fault("the lock goes on after its checksum", number)
        del open_[depth + 1 :]
        name = _value(key, number) if key[0] == '"' else key
        items = open_[-1].items
        if name in items:
            raise fault(f"{name!r} a second time: it is in line {items[name][1]} already", number)
        items[name] = (Node(repr(name), number, {}) if value is None else _value(value, number), number)
        if value is None:
            open_.append(items[name][0])
    return open_[0]


def _no_line(line: str, number: int) -> LockError:
    if line.startswith(_CONFLICTS):
        mend = "take either side of each conflict, then run `snippetlock update`"
        return fault("the lock holds both sides of a merge", number, mend)
    return fault(f"not a line of a lock: {line.strip()[:60]!r}", number)


def _value(text: str, line: int) -> Any:
    """A plain word as it is, `null` as None, and what is written as JSON as what it means."""
    if text[:1] not in ('"', "[", "{"):
        return None if text == "null" else text
    if text[0] == '"' == text[-1] and "\\" not in text and text.count('"') == 2:
        return text[1:-1]  # nearly all of them
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:  # also for a list in a list in a list …
        raise fault(f"not a value of a lock: {text[:60]!r}", line) from error


def only(node: Node, keys: tuple[str, ...]) -> None:
    """Raise for a key that is none of these."""
    for key, (_, line) in node.items.items():
        if key not in keys:
            raise fault(f"{node.called} has a key that means nothing: {key!r}", line)


def take(node: Node, key: str) -> tuple[Any, int]:
    """The value of a key, and its line. Raises where it is missing."""
    if key not in node.items:
        raise fault(f"{node.called} lacks {key!r}", node.line)
    return node.items[key]


def mapping(node: Node, key: str) -> Node:
    """The lines below a key."""
    value, line = take(node, key)
    if value == {}:
        return Node(repr(key), line, {})
    if not isinstance(value, Node):
        raise fault(f"{key!r} should hold lines of its own", line)
    return value


def string(node: Node, key: str, form: re.Pattern[str] | None = None) -> str:
    """The text of a key, of one form where that is given."""
    value, line = take(node, key)
    if not isinstance(value, str) or (form and not form.fullmatch(value)):
        raise fault(f"{key!r} is not what the tool writes there", line)
    return value


def choice(node: Node, key: str, known: tuple[Any, ...]) -> Any:
    """One of a few words."""
    value = string(node, key)
    if value not in known:
        raise fault(f"{key!r} is not one of {', '.join(known)}", node.items[key][1])
    return value


def strings(node: Node, key: str) -> tuple[str, ...]:
    """A list of texts; empty where there is no such key."""
    value, line = node.items.get(key, ([], 0))
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise fault(f"{key!r} is no list of texts", line)
    return tuple(value)
