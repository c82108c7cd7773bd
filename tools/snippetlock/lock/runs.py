"""The record of a run as text and back: JSON that only the tool writes, its last key the digest of all before it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from snippetlock.errors import LockError
from snippetlock.records import dataclass
from snippetlock.text import sha256

__all__ = ["FORMAT", "Record", "dump_record", "parse_record"]

FORMAT = 1
_KEYS = ("format", "id", "command", "library", "state", "files", "facts", "exit", "output")


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """What a command said when it was run, and what of.

    `library` is what the library was called, `state` what tells it from any other; `files` are the digests of the
    example's files by their paths in the project. `edited` says that the file is not as the tool wrote it.
    """

    id: str
    command: str
    library: str
    state: str
    files: Mapping[str, str]
    facts: Mapping[str, str]
    exit: int
    output: str
    edited: bool = False


def dump_record(record: Record) -> str:
    """The text of a record's file: one line of output a line, the keys in one order. Equal records give equal text."""
    body = {
        "format": FORMAT,
        "id": record.id,
        "command": record.command,
        "library": record.library,
        "state": record.state,
        "files": dict(sorted(record.files.items())),
        "facts": dict(record.facts),
        "exit": record.exit,
        "output": record.output.split("\n"),
    }
    return _text({**body, "checksum": _checksum(body)})


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def _checksum(body: Mapping[str, Any]) -> str:
    return sha256(_text(dict(body)))


def parse_record(text: str, path: str) -> Record:
    """The record of a file. Raises `LockError` for one that is none; one that somebody edited is `edited`."""
    try:
        found = json.loads(text)
    except ValueError as error:
        raise _fault(path, f"it is no JSON: {error}") from error
    if not isinstance(found, dict) or sorted(found) != sorted((*_KEYS, "checksum")):
        raise _fault(path, "it has not the keys of a record")
    if found["format"] != FORMAT:
        raise _fault(path, f"it has format {found['format']}, and only {FORMAT} is known here")
    checksum = found.pop("checksum")
    texts, maps = ("id", "command", "library", "state"), ("files", "facts")
    if (
        not all(isinstance(found[key], str) for key in texts)
        or not all(isinstance(found[key], dict) and _all_text(found[key].values()) for key in maps)
        or not isinstance(found["output"], list)
        or not _all_text(found["output"])
        or type(found["exit"]) is not int
    ):
        raise _fault(path, "a value in it has another type than a record's")
    return Record(
        **{key: found[key] for key in (*texts, *maps, "exit")},
        output="\n".join(found["output"]),
        edited=checksum != _checksum(found) or _text({**found, "checksum": checksum}) != text,
    )


def _all_text(values: Any) -> bool:
    return all(isinstance(value, str) for value in values)


def _fault(path: str, what: str) -> LockError:
    return LockError(what, path=path, mend="remove it, and record the run again: `snippetlock record`")
