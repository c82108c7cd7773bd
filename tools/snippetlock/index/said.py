"""What the index says of strings, of data files, and of files it could not read, as data."""

from __future__ import annotations

from snippetlock.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """A string constant of the source, or a template: an f-string, `%`, `.format`, or `+` of parts.

    `parts` are its literal pieces; between two of them is a placeholder. `role` says what it is there for, `name`
    for whom: `raise` and the exception as written, `call` and the function, `assign` and the name, `key` and the
    name of the dict, `return`, `default`, or nothing. `within` is the qualified name of the function or class.
    """

    parts: tuple[str, ...]
    path: str
    line: int
    role: str = ""
    name: str = ""
    within: str = ""

    @property
    def shown(self) -> str:
        """The text with `{…}` for each placeholder."""
        return "{…}".join(self.parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Production:
    """A text that can become a message. `exceptions` are raised with it, empty where the source does not tell.

    `whole` says that it makes the message up to its end; else the message is the beginning of what it makes.
    `literal` is how much of the message its literal pieces are, between 0 and 1. A `frame` says too little alone, and
    what stands in its last placeholder is made by `inner`, or by Python itself.
    """

    text: Text
    exceptions: tuple[str, ...]
    whole: bool
    literal: float
    frame: bool = False
    inner: Text | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Carrier:
    """A text that shows an exception, one of `caught` as they are written, and is raised as one of `raised`.

    `calls` are the functions that the exception can come from, none where that is not told.
    """

    text: Text
    caught: tuple[str, ...]
    calls: tuple[str, ...]
    raised: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """A key of a YAML file: the keys on the way to it, items of a sequence by number."""

    way: tuple[str, ...]
    path: str
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Unread:
    """A file that the index could not read, and why."""

    path: str
    why: str
    line: int | None = None
