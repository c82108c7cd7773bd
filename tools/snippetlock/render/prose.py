"""Markdown text with everything taken out that no reader of the page would see.

Where a paragraph is wrapped, blanks that pad a table, blank lines around headings and fences, and how a heading, a
fence or emphasis is drawn are layout; a comment of HTML is one. What is in a fence or an indented block stands as it
is. Where it cannot be sure that two texts look the same, it keeps them apart. Judges nothing: the text may be a part.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from snippetlock.render.emphasis import spelled
from snippetlock.text import is_blank, margin, split_lines, width

__all__ = ["line_of", "said"]

_DEEPEST = 20  # lists in lists, quotes in quotes; beyond, their lines are compared as they are
_FENCE = re.compile(r"(`{3,}|~{3,}|\$\$)(.*)")
_ATX = re.compile(r"(#{1,6})(?=[ \t]|\Z)")
_UNDERLINE = re.compile(r"(=+|-+)[ \t]*")
_RULE = re.compile(r"(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,}")
_ITEM = re.compile(r"([-*+]|\d{1,9}[.)])([ \t]+|\Z)")
_DELIMITERS = re.compile(r"\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*")
_HTML = re.compile(r"<(?:[A-Za-z/?]|!(?!--))")
_VERBATIM = re.compile(r"<(pre|script|style|textarea)\b", re.IGNORECASE)
_ALONE = re.compile(r"(?:!!!|\?\?\?\+?|===|:::|///)(?:[ \t]|\Z)")  # the first line of an extension's block
_NEW = re.compile(r"\*?\[[^\]]*\]:|:[ \t]")  # a definition of a link, a note, an abbreviation or a term
_CLOSED = ("heading", "fence", "rule")  # a blank line beside one of these says nothing


class _Item(NamedTuple):
    column: int  # of its text
    mark: str


def said(text: str) -> list[tuple[str, bool]]:
    """What a text says, piece by piece, each with whether it is a comment."""
    return _Page([line.rstrip("\r\n") for line in split_lines(text)], 0).pieces()


def line_of(line: str) -> str:
    """A line as it counts where lines do: without blanks at its end, except behind a backslash that they undo."""
    bare = line.rstrip(" \t\f\r\n")
    return f"{bare} " if bare.endswith("\\") and line.rstrip("\r\n") != bare else bare


class _Page:
    """A walk over the lines of a page, or of a quote in it."""

    def __init__(self, lines: list[str], depth: int) -> None:
        self.lines = lines
        self.depth = depth
        self.at = 0
        self.items: list[_Item] = []
        self.paragraph: list[str] = []
        self.blank = False
        self.last = "heading"  # the kind of the last piece: at the start a blank line says nothing
        self.found: list[tuple[str, bool]] = []

    def pieces(self) -> list[tuple[str, bool]]:
        self._front_matter()
        while self.at < len(self.lines):
            line = self.lines[self.at]
            if is_blank(line):
                self._end_paragraph()
                self.blank = True
                self.at += 1
            else:
                self._line(line, _width(line))
        self._end_paragraph()
        return self.found

    def _say(self, kind: str, *pieces: str) -> None:
        if self.blank and kind not in _CLOSED and self.last not in _CLOSED:
            self.found.append(("blank", False))
        self.blank, self.last = False, kind
        self.found += [(piece, False) for piece in pieces]

    def _front_matter(self) -> None:
        lines = self.lines
        if self.depth or not lines or lines[0].rstrip() != "---":
            return
        end = next((i for i in range(1, len(lines)) if lines[i].rstrip() in ("---", "...")), 0)
        if end:
            self._say("fence", "front", *(f"| {line_of(line)}" for line in lines[1:end]), "end")
            self.at = end + 1

    def _line(self, line: str, indent: int) -> None:
        """Read what begins with this line, which is not blank."""
        rest = line.strip(" \t\f")
        inside = sum(item.column <= indent for item in self.items)
        own = indent - (self.items[inside - 1].column if inside else 0)
        if self.paragraph and (own > 3 or not self._begins(rest)):
            self._goes_on(line, rest)
        elif own > 3:
            self._code(inside, indent - own + 4)
        else:
            self._end_paragraph()
            if not _ITEM.match(rest) or _RULE.fullmatch(rest):
                del self.items[inside:]
            self._block(line, rest, indent)

    def _begins(self, rest: str) -> bool:
        """Whether a line ends the paragraph above it."""
        if _UNDERLINE.fullmatch(rest):
            return False
        item = _ITEM.match(rest)
        if item and len(self.items) < _DEEPEST:
            return bool(self.items) or (item.end() < len(rest) and item[1] in ("-", "*", "+", "1.", "1)"))
        starts = (_fence(rest), _ATX.match(rest), _RULE.fullmatch(rest), _ALONE.match(rest), _NEW.match(rest))
        return any(starts) or rest.startswith((">", "<!--"))

    def _goes_on(self, line: str, rest: str) -> None:
        """The next line of a paragraph, or what makes a heading or a table of it."""
        self.at += 1
        if under := _UNDERLINE.fullmatch(rest):
            words = spelled(" ".join(" ".join(self.paragraph).split()))
            self.paragraph = []
            self._say("heading", f"h{1 if under[1][0] == '=' else 2} {words}")
        elif len(self.paragraph) == 1 and "|" in self.paragraph[0] + rest and _DELIMITERS.fullmatch(rest):
            self._table(rest)
        else:
            self.paragraph.append(line)

    def _block(self, line: str, rest: str, indent: int) -> None:
        if rest.startswith("<!--"):
            self._comment()
        elif fence := _fence(rest):
            self._fenced(fence, indent)
        elif atx := _ATX.match(rest):
            self._heading(len(atx[1]), rest[atx.end() :].strip(" \t"))
        elif _RULE.fullmatch(rest):
            self._alone("rule", "rule")
        elif (item := _ITEM.match(rest)) and len(self.items) < _DEEPEST:
            self._item(item, rest, indent)
        elif rest.startswith(">"):
            self._quote()
        elif _HTML.match(rest):
            self._html(_VERBATIM.match(rest))
        elif _ALONE.match(rest):
            self._alone("line", f"line{len(self.items)} {' '.join(rest.split())}")
        else:
            self.paragraph = [line]
            self.at += 1

    def _alone(self, kind: str, piece: str) -> None:
        self._say(kind, piece)
        self.at += 1

    def _heading(self, level: int, title: str) -> None:
        bare = title.rstrip("#")
        title = bare if not bare or bare[-1] in " \t" else title  # in `C#` it closes nothing
        self._alone("heading", f"h{level} {spelled(' '.join(title.split()))}")

    def _end_paragraph(self) -> None:
        if self.paragraph:
            depth = sum(item.column <= _width(self.paragraph[0]) for item in self.items)
            words, comments = _words(self.paragraph)
            self._say("paragraph", f"p{depth} {words}")
            self.found += [(comment, True) for comment in comments]
            self.paragraph = []

    def _item(self, item: re.Match[str], rest: str, indent: int) -> None:
        mark, before = item[1], ""
        while self.items and indent < self.items[-1].column:
            before = self.items.pop().mark
        another = before[-1:] not in ("", mark[-1])  # another mark begins another list
        self._say("item", f"item{len(self.items)} {'*' * another}{mark if mark[0].isdecimal() else '-'}")
        text = rest[item.end() :]
        blanks = width(item[2], 4)
        column = indent + len(mark) + (blanks if text and blanks < 5 else 1)
        self.items.append(_Item(column, mark))
        if text:
            self.lines[self.at] = " " * (indent + len(mark) + blanks) + text
        else:
            self.at += 1

    def _code(self, inside: int, column: int) -> None:
        """An indented block: its lines up to the next one that is less indented."""
        del self.items[inside:]
        rows: list[str] = []
        while self.at < len(self.lines):
            line = self.lines[self.at]
            if not is_blank(line) and _width(line) < column:
                break
            rows.append(line_of(_without(line, column)))
            self.at += 1
        last = max(i for i, row in enumerate(rows) if row)
        self._say("code", f"code{inside}", *(f"| {row}" for row in rows[: last + 1]), "end")
        self.blank = last + 1 < len(rows)

    def _fenced(self, fence: re.Match[str], indent: int) -> None:
        close = fence[1]
        self._say("fence", f"fence{len(self.items)} {close[0] if close[0] == '$' else ''}{' '.join(fence[2].split())}")
        self.at += 1
        while self.at < len(self.lines):
            line = self.lines[self.at]
            self.at += 1
            if (bare := line.strip()).startswith(close) and not bare.strip(close[0]) and _width(line) < indent + 4:
                break
            self.found.append((f"| {line_of(_without(line, indent))}", False))
        self.found.append(("end", False))

    def _quote(self) -> None:
        start = self.at
        while self.at < len(self.lines) and self.lines[self.at].lstrip().startswith(">"):
            self.at += 1
        rows = [line.lstrip()[1:].removeprefix(" ") for line in self.lines[start : self.at]]
        self._say("quote", f"quote{len(self.items)}")
        whole = [(f"| {row}", False) for row in rows]
        self.found += whole if self.depth >= _DEEPEST else _Page(rows, self.depth + 1).pieces()
        self.found.append(("end", False))

    def _html(self, verbatim: re.Match[str] | None) -> None:
        """A block of HTML, up to a blank line, or to where an element ends that keeps blanks."""
        close = f"</{verbatim[1].lower()}" if verbatim else ""
        self._say("html", f"html{len(self.items)}")
        while self.at < len(self.lines):
            line = self.lines[self.at]
            if not close and is_blank(line):
                break
            self.found.append((f"| {line_of(line)}", False))
            self.at += 1
            if close and close in line.lower():
                close = ""
        self.found.append(("end", False))

    def _comment(self) -> None:
        """A comment that begins a line; what stands behind it on its last line is HTML."""
        start, at, line = self.at, 4, self.lines[self.at].lstrip()
        while (end := line.find("-->", at)) < 0 and self.at + 1 < len(self.lines):
            self.at, at = self.at + 1, 0
            line = self.lines[self.at]
        self.at += 1
        after = line[end + 3 :].strip() if end >= 0 else ""
        words = " ".join(" ".join(self.lines[start : self.at]).split())
        self.found.append((words.removesuffix(after).rstrip(), True))
        if after:
            self._say("html", f"html {after}")

    def _table(self, delimiters: str) -> None:
        sides = [f"{cell[:1]}{cell[-1:]}" for cell in _cells(delimiters)]
        rows = [_cells(self.paragraph[0]), sides]
        self.paragraph = []
        while self.at < len(self.lines):
            line = self.lines[self.at]
            if is_blank(line) or self._begins(line.strip(" \t\f")):
                break
            rows.append(_cells(line))
            self.at += 1
        self._say("table", *("\x1f".join(row) for row in rows))


def _fence(rest: str) -> re.Match[str] | None:
    found = _FENCE.fullmatch(rest)
    return None if found and found[2] and found[1][0] in "`$" and found[1][0] in found[2] else found


def _width(line: str) -> int:
    """How far a line is indented: a tab reaches the next fourth column."""
    return width(margin(line), 4)


def _without(line: str, column: int) -> str:
    """The line without its first columns, as far as they are blank."""
    blanks = margin(line)
    at = reached = 0
    while at < len(blanks) and reached < column:
        reached += 4 - reached % 4 if blanks[at] == "\t" else 1
        at += 1
    return " " * max(0, reached - column) + line[at:]


def _cells(row: str) -> list[str]:
    bare = row.strip(" \t\f").removeprefix("|")
    if bare.endswith("|") and not bare.endswith("\\|"):
        bare = bare[:-1]
    return [spelled(_closed(cell)) for cell in re.split(r"(?<!\\)\|", bare)]


def _closed(text: str) -> str:
    """Runs of blanks as one; where code can be among the words they are kept."""
    return text.strip(" \t\f") if "`" in text else " ".join(text.split())


def _words(lines: list[str]) -> tuple[str, list[str]]:
    """A paragraph on one line, and the comments in it; a break that is asked for stays."""
    out: list[str] = []
    for i, line in enumerate(lines):
        bare = line.strip(" \t\f")
        forced = line.endswith("  ") or (len(bare) - len(bare.rstrip("\\"))) % 2 == 1
        breaks = i + 1 < len(lines) and forced
        out.append(f"{bare[:-1] if bare.endswith(chr(92)) else bare}\v" if breaks else bare)
    text = " ".join(out)
    comments: list[str] = []
    while "`" not in text and (start := text.find("<!--")) >= 0 and (end := text.find("-->", start + 4)) >= 0:
        comments.append(_closed(text[start : end + 3]))
        text = text[:start] + text[end + 3 :]
    return "\v".join(map(_closed, spelled(text).split("\v"))), comments
