"""Hold an interrupted change of the pin to what such a change writes, before anybody finishes it. Writes nothing.

A journal is a file of the project: it can have come with somebody's commit, its contents encoded where no reviewer
reads them. So it may say a pin for the pin file, a lock for the lock and definitions for definitions, and nothing else.
"""

from __future__ import annotations

from snippetlock.config import VOCABULARY, Config, parse_definitions, parse_pin
from snippetlock.config.document import decode
from snippetlock.errors import LockError, SnippetlockError
from snippetlock.lock.form import parse_lock
from snippetlock.lock.steps import planned

__all__ = ["hold"]

_MARK = "\ufeff"  # some editors put one at the top, and a move leaves it there


def hold(config: Config) -> None:
    """Raise `LockError` for a journal that would write anything but what a move of the pin does; none is fine."""
    for name, data in planned(config.journal):
        if reason := _reason(config, name, data):
            journal = config.name(config.journal)
            mend = f"remove {journal}, and see who put it there: snippetlock wrote no such thing"
            raise LockError(f"refused to write {name!r}: {reason}", path=journal, mend=mend)


def _reason(config: Config, name: str, data: bytes | None) -> str:
    """Why a move would not write this there; empty where it would."""
    path = config.root / name
    if data is None:
        return "a move of the pin takes no file away"
    try:
        text = decode(data, name).removeprefix(_MARK)
        if name == config.name(config.pin):
            parse_pin(text, name)
        elif name == config.name(config.lock):
            parse_lock(text, name)
        elif path.parent == config.snippets and _is_definitions(path.name):
            parse_definitions(text, name)
        else:
            return "a move of the pin writes the pin, the lock and definitions, and no other file"
    except SnippetlockError as error:
        return f"what would be written is not what belongs there: {error.what}"
    return ""


def _is_definitions(name: str) -> bool:
    return name.endswith(".yaml") and not name.startswith(".") and name != VOCABULARY
