"""The lines of a Python file as its grammar sees them: logical lines and their indentation.

One pass of one regular expression over the file, cheap enough for thousands of lines; from it `select`
finds the statement that a selector names, and only that statement is parsed. Knows strings, comments,
brackets and continued lines; whether a line is grammatical is for `grammar` to say.
"""

from __future__ import annotations

import re
from bisect import bisect_left

from snippetlock.errors import ELSEWHERE, SourceError
from snippetlock.records import dataclass, field
from snippetlock.text import late, line_at
from snippetlock.tokens import NEWLINE, STRING, field_string_end, prefix_start, unclosed

__all__ = ["Skim", "skim"]

# Strings of one line without fields, and brackets around these and around brackets without any: passed like names.
_EASY = r"\"[^\"\\\r\n{]*+\"(?!\")|'[^'\\\r\n{]*+'(?!')"
_PAIR = r"[(\[{][^'\"#()\[\]{}\\]*+[)\]}]"
_PAIRS = rf"[(\[{{](?:[^'\"#()\[\]{{}}\\]++|{_EASY}|{_PAIR})*+[)\]}}]"
# What decides the structure, each after a run of what does not.
_EVENT = re.compile(
    rf"(?:[^'\"#()\[\]{{}}\\\r\n]++|{_EASY}|{_PAIRS})*+(?:"
    rf"({NEWLINE})(?:[ \t\f]*+(?:{NEWLINE}))*([ \t\f]*+)"
    rf"|({STRING})"
    r"|([(\[{])"
    r"|([)\]}])"
    r"|(\#[^\r\n]*+)"
    rf"|(\\)(?:{NEWLINE})?"
    r"|(['\"])"
    r"|(\Z))"
)
_LINE, _STRING, _OPEN, _CLOSE, _COMMENT, _BACKSLASH, _QUOTE, _END = range(2, 10)
_BLANK = late(rf"(?:[ \t\f]*+(?:{NEWLINE}))*([ \t\f]*)")
_BREAK = re.compile(NEWLINE)
_MULTILINE = re.compile(r"[\r\n]")
_CONTINUED = late(rf"(?:\\(?:{NEWLINE})([ \t\f]*+))+")
_PREFIX_ENDS = frozenset("fFtTrR")
_FAR = 1000  # characters from the first difference to the last: in more, what is the same is worth looking for
_FAULTS = 8  # after so many, the rest of the file is given up: each may cost a look at all of it


@dataclass(slots=True, eq=False)
class Skim:
    """Logical line `i` starts its first physical line at `starts[i]`, its first token at `codes[i]`.

    `ends[i]` is after the last physical line that holds a token of it, `columns[i]` its indentation as Python
    counts it (a tab fills up to a multiple of 8, a form feed starts again at 0). `comments` are all comments,
    `literals` all strings over several lines, `judged` what the grammar has read, as (start, end). `faults` are what
    no grammar allows: strings and brackets that are not closed. The line of one ends at the end of its first
    physical line, or of the text, and what follows it may be hidden or misread.
    """

    text: str
    starts: list[int] = field(default_factory=list)
    codes: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    columns: list[int] = field(default_factory=list)
    comments: list[tuple[int, int]] = field(default_factory=list)
    literals: list[tuple[int, int]] = field(default_factory=list)
    faults: list[SourceError] = field(default_factory=list)
    judged: list[tuple[int, int]] = field(default_factory=list)
    plain: bool = False  # no faults, and no line that a backslash continues


def skim(text: str, near: Skim | None = None) -> Skim:
    """Find the logical lines of `text`. Never raises: what is wrong with them is in `faults`.

    `near` is that of another version: it costs less, and nothing else, the more text both begin and end with.
    """
    out = Skim(text)
    start, code, alike = _begin(out, near)
    if near is not None and alike <= code and _take_rest(out, near, start, code):
        continued = False
    else:
        continued = _run(out, near, start, code, alike)
    out.columns = _columns(out)
    out.plain = not (continued or out.faults)
    if continued:
        _join_continued(out)
    return out


def _begin(out: Skim, near: Skim | None) -> tuple[int, int, int]:
    """Take the lines before the first difference; where the next one starts, and where from on both are alike again."""
    text, rest = out.text, -1
    if near is not None and near.plain:
        differ, rest = _common(near.text, text)
        number = bisect_left(near.codes, differ) - 1  # whose first character is no other: nothing before it changes
        if number >= 0:
            code = near.codes[number]
            out.starts, out.codes, out.ends = near.starts[:number], near.codes[:number], near.ends[:number]
            out.comments = near.comments[: bisect_left(near.comments, (code,))]
            out.literals = near.literals[: bisect_left(near.literals, (code,))]
            return near.starts[number], code, len(text) - rest
    first = _BLANK.match(text)
    assert first is not None
    return *first.span(1), len(text) - rest


def _common(one: str, other: str) -> tuple[int, int]:
    """How many characters two texts begin with, and end with beside those."""
    first = _alike(one, 0, other, 0)
    low, high = 0, min(len(one), len(other)) - first
    while low < high:
        middle = (low + high + 1) // 2
        same = one[len(one) - middle : len(one) - low] == other[len(other) - middle : len(other) - low]
        low, high = (middle, high) if same else (low, middle - 1)
    return first, low


def _alike(one: str, at: int, other: str, there: int) -> int:
    """How many characters are the same from two places on: in few comparisons, for each is of one piece."""
    most = min(len(one) - at, len(other) - there)
    low, step = 0, 256
    while low < most:
        end = min(low + step, most)
        if one[at + low : at + end] != other[there + low : there + end]:
            break
        low, step = end, 2 * step
    high = min(low + step, most)
    while low < high:
        middle = (low + high + 1) // 2
        same = one[at + low : at + middle] == other[there + low : there + middle]
        low, high = (middle, high) if same else (low, middle - 1)
    return low


class _Islands:
    """What two versions share between their first difference and their last: from a line without indentation on."""

    def __init__(self, out: Skim, near: Skim) -> None:
        self._out = out
        self._near = near
        self._lines: dict[str, int] = {}  # those by their first physical one: looking for each costs more than it saves
        for number, (start, code) in enumerate(zip(near.starts, near.codes, strict=True)):
            if start == code:
                first = near.text[start : near.text.find("\n", code) + 1]
                self._lines[first] = -1 if first in self._lines else number

    def take(self, start: int, code: int) -> tuple[int, int]:
        """Take the lines from the one that starts here on that `near` has as well; where the first other one starts."""
        out, near = self._out, self._near
        number = self._lines.get(out.text[start : out.text.find("\n", code) + 1], -1)
        if number < 0:
            return start, code
        shift = code - near.codes[number]
        end = near.codes[number] + _alike(near.text, near.codes[number], out.text, code)
        last = bisect_left(near.codes, end) - 1  # whose first character is no other
        if last > number:
            _take(out, near, number, last, shift)
            start, code = near.starts[last] + shift, near.codes[last] + shift
        return start, code


def _take(out: Skim, near: Skim, number: int, last: int, shift: int) -> None:
    """Take the lines of `near` from `number` up to `last`, and what is in them."""
    out.starts += [at + shift for at in near.starts[number:last]]
    out.codes += [at + shift for at in near.codes[number:last]]
    out.ends += [at + shift for at in near.ends[number:last]]
    begin, end = near.codes[number], near.codes[last] if last < len(near.codes) else len(near.text) + 1
    for found, known in ((out.comments, near.comments), (out.literals, near.literals)):
        found += [(a + shift, b + shift) for a, b in known[bisect_left(known, (begin,)) : bisect_left(known, (end,))]]


def _take_rest(out: Skim, near: Skim, start: int, code: int) -> bool:
    """Take the lines from the one that starts here on, where it is a line of `near` and all behind it is the same."""
    shift = len(out.text) - len(near.text)
    number = bisect_left(near.codes, code - shift)
    if near.codes[number : number + 1] != [code - shift] or near.starts[number] != start - shift:
        return False
    _take(out, near, number, len(near.codes), shift)
    return True


def _run(out: Skim, near: Skim | None, start: int, code: int, alike: int) -> bool:
    """Find the lines from the one that starts here on; whether one of them ends in a backslash."""
    text, starts, codes, ends = out.text, out.starts, out.codes, out.ends
    match, multiline = _EVENT.match, _MULTILINE.search
    at, depth, opened = code, 0, 0
    blank = continued = False  # the line so far is nothing but a comment; some line ends in a backslash
    islands = _Islands(out, near) if near is not None and len(text) >= alike > code + _FAR else None
    while True:
        event = match(text, at)
        assert event is not None  # every text goes on to `\Z`
        kind = event.lastindex
        at = event.end()
        if kind is None:
            continue
        if kind == _LINE:
            if not depth:
                if not blank:
                    starts.append(start)
                    codes.append(code)
                    ends.append(event.end(1))
                start, code = event.span(_LINE)
                blank = False
                if islands and start == code < alike:
                    start, code = islands.take(start, code)
                    at = code
                if code >= alike and near is not None and _take_rest(out, near, start, code):
                    return continued
        elif kind == _OPEN:
            opened = opened if depth else at - 1
            depth += 1
        elif kind == _CLOSE:
            depth -= depth > 0
        elif kind == _COMMENT:
            here = event.start(kind)
            out.comments.append((here, at))
            blank = blank or (here == code and not depth)
        elif kind in (_STRING, _QUOTE):
            here = event.start(kind)
            if kind == _QUOTE or (text[here - 1 : here] in _PREFIX_ENDS and "{" in text[here:at]):
                at, error = _string_end(text, here, at if kind == _STRING else -1)
                if error:
                    at, depth = _recover(out, here, error), 0
                    continue
            if multiline(text, here, at):
                out.literals.append((prefix_start(text, here), at))
        elif kind == _BACKSLASH:
            continued = True
        elif depth:
            at, depth = _recover(out, opened, _unclosed_bracket(text, opened)), 0
        else:
            break
    if code < len(text) and not blank:
        starts.append(start)
        codes.append(code)
        ends.append(len(text))
    return continued


def _string_end(text: str, here: int, plain: int) -> tuple[int, SourceError | None]:
    """Where the string with its first quote at `here` ends; it ends at `plain` if it has no fields (-1: nowhere)."""
    prefix = prefix_start(text, here)
    if not set(text[prefix:here]) & set("fFtT"):
        return plain, None if plain >= 0 else unclosed(text, here)
    quotes = 3 if text.startswith(text[here] * 3, here) else 1
    try:
        return field_string_end(text, prefix, here + quotes), None
    except SourceError as error:
        return -1, error


def _unclosed_bracket(text: str, opened: int) -> SourceError:
    what = "the bracket opened here is not closed"
    return SourceError(what, line=line_at(text, opened), mend=ELSEWHERE)


def _recover(out: Skim, fault: int, error: SourceError) -> int:
    """Note what is wrong at `fault` and return where to go on: at the end of its physical line, as if all were closed.

    After an unclosed triple quote, or the last fault that is borne, that is the end of the text.
    """
    out.faults.append(error)
    text = out.text
    stop = _BREAK.search(text, fault)
    at = stop.start() if stop else len(text)
    for regions in (out.comments, out.literals):
        while regions and regions[-1][0] >= at:
            regions.pop()
    return len(text) if len(out.faults) == _FAULTS or text.startswith(('"""', "'''"), fault) else at


def _join_continued(out: Skim) -> None:
    """Let lines that begin or end with a lone backslash start at their first token and end with their last."""
    text = out.text
    lines: list[tuple[int, int, int, int]] = []
    for start, code, end, indent in zip(out.starts, out.codes, out.ends, out.columns, strict=True):
        lead = _CONTINUED.match(text, code, end)
        if lead:
            start, code = lead.span(1)
            indent = indent or column(text, start, code)
        last = code + len(text[code:end].rstrip(" \t\f\r\n\\"))
        stop = _BREAK.search(text, last, end)
        if last > code:
            lines.append((start, code, stop.end() if stop else end, indent))
    out.starts = [line[0] for line in lines]
    out.codes = [line[1] for line in lines]
    out.ends = [line[2] for line in lines]
    out.columns = [line[3] for line in lines]


def _columns(out: Skim) -> list[int]:
    """The indentation of each line, as Python counts it."""
    if "\t" not in out.text and "\f" not in out.text:
        return [code - start for start, code in zip(out.starts, out.codes, strict=True)]
    return [column(out.text, start, code) for start, code in zip(out.starts, out.codes, strict=True)]


def column(text: str, start: int, end: int) -> int:
    """The column Python counts for the white space `text[start:end]`."""
    at = 0
    for character in text[start:end]:
        at = 0 if character == "\f" else (at // 8 + 1) * 8 if character == "\t" else at + 1
    return at
