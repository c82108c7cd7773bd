"""Where things are: `[tool.snippetlock]` of `pyproject.toml`, and the cache."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, cast, get_args

from snippetlock.changes import CAN_FAIL, CLASSES, FAIL_ON, ChangeClass
from snippetlock.config.document import decode
from snippetlock.config.schema import unknown_mend
from snippetlock.errors import ConfigError, UsageError, nearest
from snippetlock.model import Place
from snippetlock.moves import POLICY, SAFE
from snippetlock.reading import read_file
from snippetlock.records import dataclass
from snippetlock.text import line_at

PROJECT = "pyproject.toml"
References = Literal["", "all", "proven"]
_KEYS = ("docs", "fail-on", "languages", "pin", "references", "snippets", "take", "title", "twins", "unheld")
Twins = Literal["off", "structure", "sections"]
_LANGUAGE = r"[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*"


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """A docs project. Paths are absolute where `root` is."""

    root: Path
    docs: Path  # the pages
    snippets: Path  # the definitions
    lock: Path
    pin: Path
    languages: tuple[str, ...]  # the first is the default; page.zh.md is the zh twin of page.md
    title: str = ""  # what the docs are called, for reports
    fail_on: tuple[ChangeClass, ...] = FAIL_ON  # the classes of drift that fail
    take: tuple[ChangeClass, ...] = ()  # the classes that a move of the pin takes without asking, beside the safe ones
    references: References = ""  # how `check` holds names in the prose: not at all, all of them, or what is proven
    twins: Twins = "structure"  # how far pages in several languages are held together
    unheld: int | None = 0  # how many blocks that nothing holds the pages have; None: as many as they like

    @property
    def runs(self) -> Path:
        """Which programs of the docs are run for their output; the file need not be there."""
        return self.snippets / "runs.yaml"

    @property
    def journal(self) -> Path:
        """Where a change of several files is told while it goes on; absent else."""
        return self.snippets / ".snippets.journal"

    def name(self, path: Path) -> str:
        """The path as messages and reports say it: from the root, with `/`."""
        return path.relative_to(self.root).as_posix() if path.is_relative_to(self.root) else str(path)


def find_root(start: Path) -> Path:
    """The nearest folder at or above `start` (absolute) whose `pyproject.toml` has the table. Raises `UsageError`."""
    for above, folder in enumerate((start, *start.parents)):
        try:
            data = read_file(folder / PROJECT)
        except OSError:
            continue
        # The cheap test first: a malformed file of another tool's project is none of our business.
        if b"snippetlock" in data and _table(data, "../" * above + PROJECT) is not None:
            return folder
    raise UsageError(
        f"no docs project here: neither {start} nor a folder above it has a {PROJECT} with [tool.snippetlock]",
        mend="go to the project's folder, or start one with `snippetlock init`",
    )


def load_config(root: Path) -> Config:
    """Read `[tool.snippetlock]`; what it leaves out has its default. Raises `ConfigError` for what cannot be meant."""
    file = root / PROJECT
    try:
        data = read_file(file)
    except OSError as error:
        mend = "start a project with `snippetlock init`"
        raise ConfigError(f"cannot be read: {error.strerror}", path=PROJECT, mend=mend) from error
    table = _table(data, PROJECT)
    if table is None:
        raise ConfigError("there is no [tool.snippetlock]", path=PROJECT, mend="add it, or run `snippetlock init`")
    text = decode(data, PROJECT)
    for key in table:
        if key not in _KEYS:
            raise _error(text, key, f"unknown key {key!r} in [tool.snippetlock]", unknown_mend(key, _KEYS))
    snippets = root / _inside(table, text, "snippets", "snippets")
    return Config(
        root=root,
        docs=root / _inside(table, text, "docs", "docs"),
        snippets=snippets,
        lock=snippets / "snippets.lock",
        pin=root / _inside(table, text, "pin", "pin.yaml"),
        languages=_languages(table, text),
        title=_value(table, text, "title", ""),
        fail_on=_fail_on(table, text),
        take=_take(table, text),
        references=_references(table, text),
        twins=_twins(table, text),
        unheld=_unheld(table, text),
    )


@lru_cache(maxsize=4)
def _table(data: bytes, name: str) -> dict[str, Any] | None:
    """The table, or None. Kept for the last few files: `find_root` and `load_config` ask in a row."""
    import tomllib

    text = decode(data, name)
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _toml_error(str(error), text, name) from error
    tool = document.get("tool")
    table = tool.get("snippetlock") if isinstance(tool, dict) else None
    if table is not None and not isinstance(table, dict):
        raise _error(text, "snippetlock", "tool.snippetlock is not a table", "write [tool.snippetlock]", name)
    return table


def _toml_error(message: str, text: str, name: str) -> ConfigError:
    """tomllib says the place in words only: "… (at line 3, column 5)"."""
    match = re.fullmatch(r"(.*?) \(at (?:line (\d+), column (\d+)|end of document)\)", message, re.S)
    what = match[1] if match else message
    line, column = text.count("\n") + 1, len(text) - text.rfind("\n")
    if match and match[2]:
        line, column = int(match[2]), int(match[3])
    return ConfigError(f"not TOML: {what}", path=name, line=line, column=column, mend="mend the TOML at this place")


def place_of(config: Config, key: str) -> Place:
    """Where a key of the table stands in `pyproject.toml`; for one that is left out, where the table begins."""
    try:
        line, column = _position(decode(read_file(config.root / PROJECT), PROJECT), key)
    except OSError:  # it was read before, and is gone
        return Place(path=PROJECT)
    return Place(path=PROJECT, line=line, column=column)


def unheld_in(data: bytes) -> object:
    """What an earlier `pyproject.toml` says under `unheld`, whatever that is; None where it says nothing of it."""
    try:
        table = _table(data, PROJECT)
    except ConfigError:
        return None
    return table.get("unheld") if table else None


def _error(text: str, key: str, what: str, mend: str, name: str = PROJECT) -> ConfigError:
    """An error at a key of the table."""
    line, column = _position(text, key)
    return ConfigError(what, path=name, line=line, column=column, mend=mend)


def _position(text: str, key: str) -> tuple[int, int]:
    """Line and column of a key of the table. TOML's parser keeps no places, so the text is asked for the key."""
    header = re.search(r"^[ \t]*\[[ \t]*tool[ \t]*\.[ \t]*snippetlock[ \t]*\]", text, re.M)
    quoted = re.compile(rf"^[^#\n]*?(?<![\w-])[\"']?({re.escape(key)})[\"']?(?=[ \t]*[=.\]])", re.M)
    found = quoted.search(text, header.end() if header else 0) or quoted.search(text)
    index = found.start(1) if found else (header.start() if header else 0)
    return line_at(text, index), index - text.rfind("\n", 0, index)


def _value(table: Mapping[str, Any], text: str, key: str, default: str) -> str:
    found = table.get(key, default)
    if not isinstance(found, str):
        raise _error(text, key, f"{key} is {_called(found)}, not text", f'write {key} = "…"')
    if not found.strip() and key in table:
        raise _error(text, key, f"{key} is empty", f'write {key} = "…", or leave it out')
    return found


def _inside(table: Mapping[str, Any], text: str, key: str, default: str) -> str:
    """A path that stays in the project."""
    found = _value(table, text, key, default)
    if found.startswith("/") or ".." in found.split("/") or any(c in found for c in "\\:\0"):
        mend = "write a path from the project's folder, with `/`"
        raise _error(text, key, f"{key} is {found!r}, which leaves the project", mend)
    return found


def _languages(table: Mapping[str, Any], text: str) -> tuple[str, ...]:
    """Language codes; the first is that of the pages without a suffix."""
    key, found = "languages", table.get("languages", ["en"])
    if not isinstance(found, list) or not all(isinstance(code, str) for code in found) or not found:
        raise _error(text, key, "languages is not a list of language codes", 'write languages = ["en", "zh"]')
    for index, code in enumerate(found):
        if not re.fullmatch(_LANGUAGE, code):
            raise _error(text, key, f"{code!r} is not a language code", 'write one like "en", "zh" or "pt-BR"')
        if code in found[:index]:
            raise _error(text, key, f"languages says {code!r} twice", "keep one of the two")
    return tuple(found)


def _fail_on(table: Mapping[str, Any], text: str) -> tuple[ChangeClass, ...]:
    """Classes of drift, the worst first."""
    key, found = "fail-on", table.get("fail-on", list(FAIL_ON))
    if not isinstance(found, list) or not all(isinstance(name, str) for name in found):
        raise _error(text, key, "fail-on is not a list of classes", 'write fail-on = ["signature", "removed"]')
    for name in found:
        if name not in CAN_FAIL:
            hint = f"did you mean {near[0]}? " if (near := nearest(name, CAN_FAIL, 1)) else ""
            mend = f"{hint}there are {', '.join(CAN_FAIL)}"
            raise _error(text, key, f"{name!r} is no class of drift that can fail", mend)
    return tuple(cls for cls in CLASSES if cls in found)


def _references(table: Mapping[str, Any], text: str) -> References:
    """Whether and how the prose is held."""
    key, found = "references", table.get("references", False)
    if found is True:
        return "all"
    if found is False:
        return ""
    if found == "proven":
        return "proven"
    what = f"{found!r}" if isinstance(found, str) else _called(found)
    mend = 'write true, or "proven" for what the source of the library proves only, or leave it out'
    raise _error(text, key, f"references is {what}", mend)


def _twins(table: Mapping[str, Any], text: str) -> Twins:
    """How far the pages of several languages are held together."""
    key, found = "twins", table.get("twins", "structure")
    for name in get_args(Twins):
        if found == name:
            return cast(Twins, name)
    what = f"{found!r}" if isinstance(found, str) else _called(found)
    raise _error(text, key, f"twins is {what}", f'write twins = "sections", or one of {", ".join(get_args(Twins))}')


def _unheld(table: Mapping[str, Any], text: str) -> int | None:
    """How many blocks may stand as they were typed, without a reason."""
    key, found = "unheld", table.get("unheld", 0)
    if found == "any":
        return None
    if isinstance(found, int) and not isinstance(found, bool) and found >= 0:
        return found
    what = f"{found!r}" if isinstance(found, str | int) and not isinstance(found, bool) else _called(found)
    mend = 'write how many there are (`snippetlock list --unheld`), "any" for no count, or leave it out for none'
    raise _error(text, key, f"unheld is {what}", mend)


def _take(table: Mapping[str, Any], text: str) -> tuple[ChangeClass, ...]:
    """Classes of which a project decides whether somebody has to look; of all others that is decided."""
    key, found = "take", table.get("take", [])
    if not isinstance(found, list) or not all(isinstance(name, str) for name in found):
        raise _error(text, key, "take is not a list of classes", 'write take = ["comment"], or leave it out')
    for name in found:
        if name in SAFE:
            raise _error(text, key, f"{name!r} is taken without asking anyway", "leave it out")
        if name not in POLICY:
            always = f"{name!r} is always asked about" if name in CLASSES else f"{name!r} is no class of drift"
            raise _error(text, key, always, f"there is {', '.join(POLICY)}")
    return tuple(cls for cls in POLICY if cls in found)


def _called(value: object) -> str:
    """What TOML calls a value, for messages."""
    names = {bool: "a boolean", int: "an integer", float: "a float", list: "an array", dict: "a table"}
    return names.get(type(value), "a date or time")
