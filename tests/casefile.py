"""Cases as data: one file, many cases, each with its title, its input and what is wanted.

    Lines before the first case are for the reader.

    === the title, once a file
    --- file a.py
    x = 1
    --- view
    show: source
    --- want
    x = 1

A section runs to the next mark. Blank lines at its end belong to the layout of the case file; its text ends
in one newline, or is empty. Text before the first section is the section `input`. A line of text that would
read as a mark is written with a backslash before it. A file without cases is an error, so are two cases of
one title and two sections of one name: a suite that silently tests nothing is worse than none.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent / "cases"

_MARK = re.compile(r"(===|---) (\S.*)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One case. `line` is that of its title, 1-based."""

    source: Path
    line: int
    title: str
    sections: Mapping[str, str]

    def __str__(self) -> str:
        return f"{self.source.name}:{self.line} {self.title}"

    def __getitem__(self, section: str) -> str:
        try:
            return self.sections[section]
        except KeyError:
            raise KeyError(f"{self}: no section '--- {section}'") from None

    def get(self, section: str, default: str = "") -> str:
        return self.sections.get(section, default)

    @property
    def files(self) -> dict[str, str]:
        """The sections `--- file NAME`, by name."""
        return {name[5:]: text for name, text in self.sections.items() if name.startswith("file ")}


def parse(text: str, source: Path) -> tuple[Case, ...]:
    """The cases of a case file's text. Raises ValueError, with file and line, for a file that is not one."""
    found: list[tuple[int, str, dict[str, list[str]]]] = []
    section: list[str] = []
    for number, line in enumerate(text.split("\n"), start=1):
        mark = _MARK.fullmatch(line)
        if mark and mark[1] == "===":
            if any(title == mark[2] for _, title, _ in found):
                raise ValueError(f"{source}:{number}: a second case {mark[2]!r}")
            section = []
            found.append((number, mark[2], {"input": section}))
        elif mark and found:
            if mark[2] in found[-1][2]:
                raise ValueError(f"{source}:{number}: a second section {mark[2]!r} in one case")
            section = found[-1][2][mark[2]] = []
        else:
            section.append(line[1:] if line.startswith("\\") and _MARK.fullmatch(line[1:]) else line)
    if not found:
        raise ValueError(f"{source}: no cases")
    for number, title, sections in found:
        if len(sections) == 1:
            raise ValueError(f"{source}:{number}: case {title!r} has no section that says what is wanted")
    return tuple(
        Case(source=source, line=number, title=title, sections={name: _joined(s) for name, s in sections.items()})
        for number, title, sections in found
    )


def _joined(lines: list[str]) -> str:
    text = "\n".join(lines).rstrip("\n")
    return text + "\n" if text.strip("\n") else ""


def read(name: str) -> tuple[Case, ...]:
    """The cases of `tests/cases/NAME`."""
    source = FOLDER / name
    return parse(source.read_bytes().decode("utf-8"), source)


def each(*names: str) -> pytest.MarkDecorator:
    """Parametrize a test's argument `case` with every case of these files."""
    return pytest.mark.parametrize("case", [case for name in names for case in read(name)], ids=str)


def compare(case: Case, got: str, section: str = "want", *, update: bool = False) -> None:
    """Fail with a unified diff unless `got` is the section's text; with `update`, write it there instead."""
    want, got = case.get(section), _joined(got.split("\n"))
    if got == want:
        return
    if update:
        text = case.source.read_bytes().decode("utf-8")
        case.source.write_bytes(replaced(text, case.title, section, got).encode("utf-8"))
        return
    label = f"{case.source.name}:{case.line}"
    lines = (t.split("\n")[:-1] or [""] for t in (want, got))
    pytest.fail("\n".join([str(case), *difflib.unified_diff(*lines, f"{label} {section}", "got", lineterm="")]), False)


def replaced(text: str, title: str, section: str, got: str) -> str:
    """The case file's text with another text in one section (added last where the case has none)."""
    lines = text.split("\n")
    start = lines.index(f"=== {title}")
    marks = [i for i in range(start + 1, len(lines)) if _MARK.fullmatch(lines[i])]
    end = next((i for i in marks if lines[i].startswith("===")), len(lines))
    head = next((i for i in marks if i < end and lines[i] == f"--- {section}"), None)
    body = ["\\" + line if _MARK.fullmatch(line) else line for line in got.split("\n")[:-1]]
    if head is None:
        body, first = [f"--- {section}", *body], end
        while lines[first - 1] == "":
            first -= 1
    else:
        first, end = head + 1, next((i for i in marks if head < i < end), end)
    tail = [""] if end == len(lines) or lines[end].startswith("===") else []
    return "\n".join([*lines[:first], *body, *tail, *lines[end:]])
