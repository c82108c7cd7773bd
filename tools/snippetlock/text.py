"""Text as bytes on disk make it: the one newline rule, lines, decoding, and a dedent that knows of strings.

Python's own line splitting also breaks at form feeds and U+2028, its dedent rewrites blank lines, and tab
expansion loses the tab. So the three are used nowhere but here, where what they do is bounded and tested.
"""

from __future__ import annotations

import codecs
import hashlib
import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Sequence
from itertools import accumulate

from snippetlock.errors import OTHER_FILE, SourceError

TYPE_CHECKING = False  # as `typing` has it, which costs 3 ms
if TYPE_CHECKING:
    from typing import Any, AnyStr


class _Late:
    """What stands for a pattern: its first question compiles it."""

    def __init__(self, source: str | bytes, flags: int) -> None:
        self._source = source
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        found = getattr(re.compile(self._source, self._flags), name)
        setattr(self, name, found)  # so that the next one does not come here
        return found


def late(source: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """A pattern that is compiled when it is first asked for anything: one command needs few of all that there are.

    It has the methods of a pattern, and is none: functions of `re` do not take it.
    """
    return _Late(source, flags)  # type: ignore[return-value]


NEWLINE = re.compile(r"\r\n|\r|\n")

_COOKIE = late(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_NO_CODE = late(rb"^[ \t\f]*(?:#.*)?$")
_MARGIN = re.compile(r"(?:[ \t\f]*\f)?([ \t]*)")


def line_starts(text: str) -> tuple[int, ...]:
    """Where each line begins, in characters. Text that ends in a newline has no further, empty line."""
    if "\r" in text:
        starts = [0, *(m.end() for m in NEWLINE.finditer(text))]
    else:  # the same in a third of the time
        starts = list(accumulate([len(line) + 1 for line in text.split("\n")], initial=0))[:-1]
    if len(starts) > 1 and starts[-1] == len(text):
        del starts[-1]
    return tuple(starts)


def line_of(starts: Sequence[int], offset: int) -> int:
    """The 1-based line that holds the character at `offset`; the end of the text belongs to the last line."""
    return bisect_right(starts, offset)


def line_at(text: str, offset: int) -> int:
    """`line_of` for one question: without a table of line starts, at the speed of counting."""
    if offset and text[offset - 1 : offset + 1] == "\r\n":
        offset -= 1
    if "\r" not in text:
        return text.count("\n", 0, offset) + 1
    returns = text.count("\r", 0, offset) - text.count("\r\n", 0, offset)
    return text.count("\n", 0, offset) + returns + 1


def split_lines(text: str) -> tuple[str, ...]:
    """The lines with their ends: joined they are the text again. Empty text has none."""
    if not text:
        return ()
    if "\r" not in text:
        *lines, last = text.split("\n")
        return (*[f"{line}\n" for line in lines], *([last] if last else []))
    starts = line_starts(text)
    return tuple(text[a:b] for a, b in zip(starts, (*starts[1:], len(text)), strict=True))


def slice_lines(text: str, first: int, last: int) -> str:
    """Lines `first` to `last` (1-based, both included), byte for byte. Raises ValueError outside the text."""
    lines = split_lines(text)
    if not 1 <= first <= last <= len(lines):
        raise ValueError(f"no lines {first}-{last} in a text of {len(lines)}")
    return "".join(lines[first - 1 : last])


def line_end(line: str) -> str:
    """The line end that `line` closes with, or nothing."""
    if line.endswith("\r\n"):
        return "\r\n"
    return line[-1:] if line.endswith(("\r", "\n")) else ""


def normalise(text: str) -> str:
    """The text with every line end as a line feed: for comparing, never for showing."""
    return NEWLINE.sub("\n", text) if "\r" in text else text


def decode(data: bytes, path: str, python: bool) -> str:
    """The file's text with its own line ends, without a byte order mark.

    UTF-8, or for Python what the coding cookie of the first two lines says (PEP 263). Raises `SourceError`
    with the line of the first byte that is not of that encoding.
    """
    marked = data.startswith(codecs.BOM_UTF8)
    if marked:
        data = data[len(codecs.BOM_UTF8) :]
    cookie, line = _cookie(data) if python else ("", 0)
    if cookie:
        _check_cookie(cookie, marked, path, line)
    try:
        return data.decode(cookie or "utf-8")
    except UnicodeError as error:
        start = error.start if isinstance(error, UnicodeDecodeError) else 0  # the idna codec says less
        raise SourceError(
            f"not {cookie or 'UTF-8'}: byte 0x{data[start]:02x} at offset {start}",
            path=path,
            line=line_at(data[:start].decode("latin-1"), start),
            mend=OTHER_FILE,
        ) from error


def _cookie(data: bytes) -> tuple[str, int]:
    """The name in the coding cookie and its line; a second line counts only after a line without code."""
    if b"coding" not in data:
        return "", 0
    for number, line in enumerate(re.split(rb"\r\n|\r|\n", data, maxsplit=2)[:2], start=1):
        if found := _COOKIE.match(line):
            return found[1].decode("ascii"), number
        if not _NO_CODE.match(line):
            break
    return "", 0


def _check_cookie(cookie: str, marked: bool, path: str, line: int) -> None:
    try:
        b" ".decode(cookie)  # unlike codecs.lookup, this refuses codecs that are not of text (hex, rot13)
        name = codecs.lookup(cookie).name
    except LookupError as error:
        raise SourceError(
            f"unknown encoding {cookie!r} in the coding comment", path=path, line=line, mend=OTHER_FILE
        ) from error
    except UnicodeError as error:
        raise SourceError(f"cannot be read as {cookie}", path=path, line=line, mend=OTHER_FILE) from error
    if marked and name != "utf-8":
        raise SourceError(
            f"the byte order mark says UTF-8, the coding comment {cookie!r}",
            path=path,
            line=line,
            mend=OTHER_FILE,
        )


def margin(line: str) -> str:
    """The blanks that indent `line`. A form feed starts the count anew, as it does for Python."""
    found = _MARGIN.match(line)
    assert found is not None  # it matches the empty string
    return found[1]


def is_blank(line: str) -> bool:
    """Whether nothing but spaces, tabs, form feeds and the line end is on `line`."""
    return not line.strip(" \t\f\r\n")


def width(blanks: str, stops: int = 8) -> int:
    """How far `blanks` indent, with tab stops every 8 columns as Python counts them; Markdown has one every 4."""
    return len(blanks.expandtabs(stops)) if "\t" in blanks else len(blanks)


def dedent(
    lines: Sequence[str],
    frozen: Collection[int] = (),
    docstrings: Iterable[Collection[int]] = (),
    asides: Collection[int] = (),
) -> tuple[str, ...]:
    """The lines without the indentation that they share.

    `frozen` are the indexes of lines that begin inside a string that runs over several lines: they neither
    count nor change, for their blanks are part of the string's value. `docstrings` are groups of such
    indexes, one group a docstring: its lines move with the code when all of them are indented at least as
    far, because then only what `inspect.cleandoc` removes anyway changes; otherwise they stay as well.
    `asides` are the indexes of lines that are no code, comments for example, which may stand anywhere: they
    count only where there is nothing else. Such a line, and a blank one, loses what it has of the shared
    indentation, and no more.
    """
    groups = [tuple(group) for group in docstrings]
    fixed = set(frozen).union(*groups)
    counted = [i for i, line in enumerate(lines) if i not in fixed and not is_blank(line)]
    counted = [i for i in counted if i not in asides] or counted
    shared = _common([margin(lines[i]) for i in counted])
    if not shared:
        return tuple(lines)
    for group in groups:
        if all(_moves(lines[i], shared) for i in group):
            fixed -= set(group) - set(frozen)
    return tuple(line if i in fixed else _shift(line, shared) for i, line in enumerate(lines))


def _common(blanks: Sequence[str]) -> str:
    """What all of them begin with: a tab and the spaces as wide are different things."""
    low, high = min(blanks, default=""), max(blanks, default="")
    differ = (i for i, (a, b) in enumerate(zip(low, high, strict=False)) if a != b)
    return low[: next(differ, min(len(low), len(high)))]


def _moves(line: str, shared: str) -> bool:
    """Whether taking `shared` from this line of a docstring takes nothing but columns that it has.

    A tab further on reaches another column when what stands before it gets shorter; `cleandoc` would show it.
    """
    rest = line[len(shared) :]
    if is_blank(line):
        return True
    return line.startswith(shared) and line.expandtabs() == shared.expandtabs() + rest.expandtabs()


def _shift(line: str, shared: str) -> str:
    found = _MARGIN.match(line)
    assert found is not None
    start = found.start(1)
    return line[:start] + line[start + len(_common([found[1], shared])) :]


def sha256(data: str | bytes) -> str:
    """64 hex digits. Text counts as UTF-8; a lone surrogate, which UTF-8 lacks, as its own three bytes."""
    return hashlib.sha256(data if isinstance(data, bytes) else data.encode("utf-8", "surrogatepass")).hexdigest()
