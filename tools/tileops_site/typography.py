"""Hold the Chinese pages to the rules of Chinese typography: spaces beside Latin letters, full-width punctuation.

`python -m tileops_site.typography docs` prints what autocorrect would write and ends with 1 where that is anything.
Prose alone is read: front matter, blocks of code, comments and the tags of a box around Markdown are blanked first,
line by line; what stands in code spans and where links lead the linter leaves as it is.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from snippetlock.references import scan
from snippetlock.text import split_lines

_SUFFIX = ".zh.md"
_BOX = re.compile(r"[ \t]*</?(?:div|section)\b[^<>]*>\s*")  # what it holds the linter would take for HTML


class Mend(NamedTuple):
    """What is to be written in the place of `old`; line and column are 1-based."""

    line: int
    column: int
    old: str
    new: str


def mends(text: str) -> Iterator[Mend]:
    """Everything that the linter would write otherwise on one page."""
    import autocorrect_py

    for one in autocorrect_py.lint_for(_prose(text), "markdown").lines:
        yield Mend(one.line, one.col, one.old, one.new)


def _prose(text: str) -> str:
    """A page without what is no prose, its lines kept."""
    seen = scan(text)
    blank = set(range(seen.front))
    spans = [(part.first, part.last) for parts in (seen.blocks, seen.comments, seen.markers) for part in parts]
    for first, last in spans:
        blank.update(range(first - 1, last))
    blank.update(number for number, line in enumerate(split_lines(text)) if _BOX.fullmatch(line))
    return "".join("\n" if number in blank else line for number, line in enumerate(split_lines(text)))


def main(folder: Path) -> int:
    """Read every Chinese page below a folder; 1 where something is to be mended or there is no such page."""
    pages = sorted(folder.rglob(f"*{_SUFFIX}"))
    if not pages:
        print(f"{folder}: there is no page *{_SUFFIX} to read", file=sys.stderr)
        return 1
    found = 0
    for page in pages:
        for line, column, old, new in mends(page.read_bytes().decode("utf-8-sig")):
            print(f"{page.as_posix()}:{line}:{column}: {old!r} is written {new!r}")
            found += 1
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
