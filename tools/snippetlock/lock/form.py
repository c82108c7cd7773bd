"""A lock as text and back. The form is rigid, one key a line in one order; it is YAML, and read without a parser of it.

Its last line is the digest of all before it, by which an edit by hand is seen, and a file that was cut off is told
from a whole one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, get_args

from snippetlock.errors import LockError
from snippetlock.lock.entries import FORMAT, Entry, Lock
from snippetlock.model import VIEW_KEYS, Comments, Digests, Docstrings, Pin, Repository, Show, View
from snippetlock.text import normalise, sha256

MEND = "restore it from version control, or delete it and run `snippetlock update`"

_HEADER = "# Written by `snippetlock update`, and only by it: an edit by hand is a finding.\n"
_PIN = ("name", "version", "kind", "sha256")
_VIEW = tuple(VIEW_KEYS)[1:]  # after `show`; written where they are not the default
_PATTERNS = ("from", "to", "match")
_DIGESTS = ("text", "tokens", "code", "signature")
_DEFAULT = View()

_PLAIN = re.compile(r"[A-Za-z_](?:[A-Za-z0-9_./@#-]|:(?=[A-Za-z_]))*")
_WORDS = frozenset({"null", "true", "false", "yes", "no", "on", "off", "y", "n"})  # plain, YAML takes them for others
_UNPRINTABLE = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff\ufffe\uffff]")


def dump_lock(lock: Lock) -> str:
    """The lock file's text: sorted, with line feeds, the checksum last. Equal locks give equal text."""
    lines = [
        f"format: {lock.format}",
        "pin:",
        *(f"  {key}: {_scalar(getattr(lock.pin, key))}" for key in _PIN[:-1]),
        *_commit(lock.pin),
        f"  sha256: {_hex(lock.pin.sha256)}",
        "files:" if lock.files else "files: {}",
        *(f"  {_scalar(path)}: {_hex(digest)}" for path, digest in sorted(lock.files.items())),
        "snippets:" if lock.entries else "snippets: {}",
    ]
    for entry in sorted(lock.entries, key=lambda entry: entry.id):
        lines += [f"  {_scalar(entry.id)}:", *(f"    {key}: {value}" for key, value in _fields(entry))]
    text = _HEADER + "".join(f"{line}\n" for line in lines)
    return f"{text}checksum: {_hex(sha256(text))}\n"


def _commit(pin: Pin) -> Iterator[str]:
    """What a pin that is a commit says more: which, and the folder of it that holds the packages where one does."""
    if pin.kind == "git":
        yield f"  commit: {_scalar(pin.commit)}"
        if pin.repository and pin.repository.root:
            yield f"  root: {_scalar(pin.repository.root)}"


def _fields(entry: Entry) -> Iterator[tuple[str, str]]:
    yield "source", _scalar(entry.selector)
    yield "show", entry.view.show
    for key in _VIEW:
        value = getattr(entry.view, VIEW_KEYS[key])
        if value != getattr(_DEFAULT, VIEW_KEYS[key]):
            yield key, _view_value(key, value)
    yield "file", _scalar(entry.path)
    yield "lines", f"{entry.first}-{entry.last}"
    for key in _DIGESTS:
        yield key, _hex(getattr(entry.digests, key))


def _view_value(key: str, value: Any) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(map(_quoted, value))}]"
    return _quoted(value) if key in _PATTERNS else str(value)


def _scalar(text: str) -> str:
    return text if _PLAIN.fullmatch(text) and text.lower() not in _WORDS else _quoted(text)


def _quoted(text: str) -> str:
    """A string as JSON and YAML both read it: what YAML takes for a line end, or refuses, is escaped as well."""
    return _UNPRINTABLE.sub(lambda m: f"\\u{ord(m[0]):04x}", json.dumps(text, ensure_ascii=False))


def _hex(digest: str | None) -> str:
    return "null" if digest is None else f'"{digest}"'


_LINE = re.compile(r'( *)("(?:[^"\\]|\\.)*"|[A-Za-z_](?:[^\s:]|:(?=\S))*):(?: (.*))?')
_FORMAT_LINE = re.compile(r"^format: (.*)$", re.MULTILINE)
_SPAN = re.compile(r"([1-9][0-9]*)-([1-9][0-9]*)")
_COUNT = re.compile(r"[1-9][0-9]{0,5}")
_DIGEST = re.compile(r"[0-9a-f]{64}")
_CONFLICTS = ("<<<<<<<", "|||||||", "=======", ">>>>>>>")


@dataclass(frozen=True, slots=True)
class _Node:
    """A mapping of the file: what it is called in messages, its line, and key to (value, line)."""

    called: str
    line: int
    items: dict[str, tuple[Any, int]]


def parse_lock(text: str, path: str) -> Lock:
    """The lock of a lock file's text, whatever its line ends. Raises `LockError` with the line.

    A file that is not as the tool wrote it, but can be understood, is a lock that is `edited`.
    """
    try:
        return _lock(normalise(text))
    except LockError as error:
        raise LockError(error.what, path=path, line=error.line, mend=error.mend) from error.__cause__


def _fault(what: str, line: int, mend: str = MEND) -> LockError:
    return LockError(what, line=line, mend=mend)


def _lock(text: str) -> Lock:
    stated = _FORMAT_LINE.search(text)
    if stated and stated[1] != str(FORMAT):
        mend = "use the snippetlock that wrote it, or delete it and run `snippetlock update`"
        line = text.count("\n", 0, stated.start()) + 1
        raise _fault(f"the lock has format {stated[1]}, and only {FORMAT} is known here", line, mend)
    root = _tree(text)
    if "checksum" not in root.items:
        raise _fault("the lock ends before its checksum: it was cut off", max(1, text.count("\n")))
    _only(root, ("format", "pin", "files", "snippets", "checksum"))
    pin, files, entries = (_mapping(root, key) for key in ("pin", "files", "snippets"))
    _only(pin, (*_PIN, "commit", "root"))
    kind = _choice(pin, "kind", ("wheel", "folder", "git"))
    below = _string(pin, "root") if kind == "git" and "root" in pin.items else ""
    checksum = _string(root, "checksum", _DIGEST)
    return Lock(
        pin=Pin(
            name=_string(pin, "name"),
            version=_string(pin, "version"),
            kind=kind,
            sha256=_string(pin, "sha256"),
            commit=_string(pin, "commit") if kind == "git" else "",
            repository=Repository(url="", root=below) if below else None,
        ),
        files={file: value and _string(files, file, _DIGEST) for file, (value, _) in files.items.items()},
        entries=tuple(_entry(id, _mapping(entries, id)) for id in entries.items),
        edited=_string(root, "format") != str(FORMAT) or sha256(text[: text.rindex("checksum:")]) != checksum,
    )


def _tree(text: str) -> _Node:
    """The lines as nested mappings. Blank lines and comments say nothing here; the checksum is of them too."""
    open_ = [_Node("the lock", 1, {})]
    for number, line in enumerate(text.split("\n"), start=1):
        found = _LINE.fullmatch(line)
        if found is None:
            if line.strip() and not line.lstrip().startswith("#"):
                raise _no_line(line, number)
            continue
        blanks, key, value = found.groups()
        depth, odd = divmod(len(blanks), 2)
        if odd or depth >= len(open_):
            raise _fault("a line that is indented to nowhere", number)
        if "checksum" in open_[0].items:
            raise _fault("the lock goes on after its checksum", number)
        del open_[depth + 1 :]
        name = _value(key, number) if key[0] == '"' else key
        items = open_[-1].items
        if name in items:
            raise _fault(f"{name!r} a second time: it is in line {items[name][1]} already", number)
        items[name] = (_Node(repr(name), number, {}) if value is None else _value(value, number), number)
        if value is None:
            open_.append(items[name][0])
    return open_[0]


def _no_line(line: str, number: int) -> LockError:
    if line.startswith(_CONFLICTS):
        mend = "take either side of each conflict, then run `snippetlock update`"
        return _fault("the lock holds both sides of a merge", number, mend)
    return _fault(f"not a line of a lock: {line.strip()[:60]!r}", number)


def _value(text: str, line: int) -> Any:
    """A plain word as it is, `null` as None, and what is written as JSON as what it means."""
    if text[:1] not in ('"', "[", "{"):
        return None if text == "null" else text
    if text[0] == '"' == text[-1] and "\\" not in text and text.count('"') == 2:
        return text[1:-1]  # nearly all of them
    try:
        return json.loads(text)
    except ValueError as error:
        raise _fault(f"not a value of a lock: {text[:60]!r}", line) from error


def _only(node: _Node, keys: tuple[str, ...]) -> None:
    for key, (_, line) in node.items.items():
        if key not in keys:
            raise _fault(f"{node.called} has a key that means nothing: {key!r}", line)


def _take(node: _Node, key: str) -> tuple[Any, int]:
    if key not in node.items:
        raise _fault(f"{node.called} lacks {key!r}", node.line)
    return node.items[key]


def _mapping(node: _Node, key: str) -> _Node:
    value, line = _take(node, key)
    if value == {}:
        return _Node(repr(key), line, {})
    if not isinstance(value, _Node):
        raise _fault(f"{key!r} should hold lines of its own", line)
    return value


def _string(node: _Node, key: str, form: re.Pattern[str] | None = None) -> str:
    value, line = _take(node, key)
    if not isinstance(value, str) or (form and not form.fullmatch(value)):
        raise _fault(f"{key!r} is not what the tool writes there", line)
    return value


def _choice(node: _Node, key: str, known: tuple[Any, ...]) -> Any:
    value = _string(node, key)
    if value not in known:
        raise _fault(f"{key!r} is not one of {', '.join(known)}", node.items[key][1])
    return value


def _strings(node: _Node, key: str) -> tuple[str, ...]:
    value, line = node.items.get(key, ([], 0))
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise _fault(f"{key!r} is no list of texts", line)
    return tuple(value)


def _pattern(node: _Node, key: str) -> str:
    return _string(node, key) if key in node.items else ""


def _entry(id: str, node: _Node) -> Entry:
    _only(node, ("source", "show", *_VIEW, "file", "lines", *_DIGESTS))
    first, last = map(int, _string(node, "lines", _SPAN).split("-"))
    if first > last:
        raise _fault("the lines end before they begin", node.items["lines"][1])
    view = View(
        show=_choice(node, "show", get_args(Show)),
        keep=_strings(node, "keep"),
        from_=_pattern(node, "from"),
        to=_pattern(node, "to"),
        match=_pattern(node, "match"),
        count=int(_string(node, "count", _COUNT)) if "count" in node.items else None,
        docstrings=_choice(node, "docstrings", get_args(Docstrings)) if "docstrings" in node.items else None,
        comments=_choice(node, "comments", get_args(Comments)) if "comments" in node.items else _DEFAULT.comments,
        highlight=_strings(node, "highlight"),
    )
    digests = Digests(**{key: _string(node, key, _DIGEST) for key in _DIGESTS})
    path = _string(node, "file")
    return Entry(
        id=id,
        selector=_string(node, "source"),
        view=view,
        path=path,
        first=first,
        last=last,
        digests=digests,
        line=node.line,
    )
