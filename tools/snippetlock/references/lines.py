"""Look at one line of a page: its columns, its prefix, a fence that it opens, its code spans, its tags. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from snippetlock.text import late

TAB = 4  # columns, as Python-Markdown counts them
INDENT = " " * TAB
_RUNS = {"`": late(r"`+"), "`~": late(r"`+|~+")}


def expand(line: str) -> str:
    """Return the line as Python-Markdown normalises it: no control marks, tabs to stops of 4, blank is empty."""
    line = line.replace("\x02", "").replace("\x03", "")
    if "\t" in line:
        parts, column = [], 0
        for piece in line.split("\t")[:-1]:
            column += len(piece)
            stop = TAB - column % TAB
            parts.append(piece + " " * stop)
            column += stop
        line = "".join(parts) + line.rpartition("\t")[2]
    return line if line.strip(" ") else ""


def cut(raw: str, width: int) -> str:
    """Remove the first `width` columns of a line; a tab that reaches further leaves spaces."""
    column = 0
    for index, char in enumerate(raw):
        if column >= width:
            return " " * (column - width) + raw[index:]
        column += TAB - column % TAB if char == "\t" else 1
    return " " * (column - width) if column > width else ""


def prefix_of(line: str) -> str:
    """The indentation and quote marks a line starts with."""
    return line[: len(line) - len(line.lstrip("> "))]


def opening(line: str) -> tuple[str, str, str] | None:
    """Take apart a line that opens a fence: prefix, fence, info; None for any other line."""
    body = line.lstrip("> ")
    char = body[:1]
    if char not in ("`", "~") or not body.startswith(char * 3):
        return None
    info = body.lstrip(char)
    if char == "`" and "`" in info:
        return None
    return line[: len(line) - len(body)], body[: len(body) - len(info)], info.strip(" ")


def masked(text: str) -> str:
    """The text with its code spans blanked, columns kept."""
    parts, at = [], 0
    for start, end in spans(text):
        parts.append(text[at:start] + " " * (end - start))
        at = end
    return "".join(parts) + text[at:]


def spans(text: str) -> list[tuple[int, int]]:
    """The code spans of a line: where each starts, and the offset behind its end."""
    at = text.find("`")
    if at < 0:
        return []
    if "``" not in text:
        return _single(text, at)
    runs = [match.span() for match in _RUNS["`"].finditer(text)]
    closers: list[int] = [0] * len(runs)  # for each run the next one of its length, 0 for none
    latest: dict[int, int] = {}
    for at in range(len(runs) - 1, -1, -1):
        start, end = runs[at]
        closers[at] = latest.get(end - start, 0)
        latest[end - start] = at
    found: list[tuple[int, int]] = []
    at = 0
    while at < len(runs):
        start, closer = runs[at][0], closers[at]
        if closer and text[start - 1 : start] != "\\":
            found.append((start, runs[closer][1]))
            at = closer
        at += 1
    return found


def _single(text: str, at: int) -> list[tuple[int, int]]:
    """The code spans where all runs are one backtick long, as nearly everywhere: each is closed by the next one."""
    found: list[tuple[int, int]] = []
    while at >= 0:
        end = text.find("`", at + 1)
        if end < 0:
            break
        if text[at - 1 : at] == "\\":
            at = end
            continue
        found.append((at, end + 1))
        at = text.find("`", end + 1)
    return found


def runs(text: str, *, least: int = 3, chars: str = "`~") -> Iterator[tuple[int, str]]:
    """Every run of one fence character, at least so long: its offset and itself."""
    for match in _RUNS[chars].finditer(text):
        if match.end() - match.start() >= least:
            yield match.start(), match[0]


def tags(text: str) -> Iterator[tuple[str, bool, int]]:
    """Every tag of a text: its name in lower case, whether it closes, and its offset."""
    at = text.find("<")
    while at >= 0:
        name, closing = tag_at(text, at)
        if name:
            yield name, closing, at
        at = text.find("<", at + 1)


def tag_at(text: str, at: int) -> tuple[str, bool]:
    closing = text.startswith("</", at)
    start = at + (2 if closing else 1)
    end = start
    while end < len(text) and text[end].isascii() and text[end].isalnum():
        end += 1
    name = text[start:end].lower()
    return (name if name[:1].isalpha() else ""), closing


def behind(text: str, name: str) -> str:
    """What stands behind the last end tag `name` of a line."""
    found = [at for tag, closing, at in tags(text) if tag == name and closing]
    return text[found[-1] :].partition(">")[2] if found else ""


def balance(text: str, name: str) -> int:
    """How many more elements `name` a line opens than it closes."""
    return sum(-1 if closing else 1 for tag, closing, _ in tags(text) if tag == name)
