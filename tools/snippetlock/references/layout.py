"""One page taken apart: what every reader of pages stands on, made once a page. Pure; linear in the text.

`scan`, `speech`, `inline` and `structure` read the same rows: whoever needs more than one of them hands it on.
"""

from __future__ import annotations

from functools import cached_property

from snippetlock.references.nesting import nest
from snippetlock.references.outline import outline
from snippetlock.references.paragraphs import Run, paragraphs
from snippetlock.text import split_lines

__all__ = ["Layout"]


class Layout:
    """The rows of a page, what the block rules made of them, and its runs of text. Raises nothing.

    `front`: whether front matter may stand at its top. `code` are the lines (from 0) of indented code. `memo` keeps
    what its readers found, by their own keys.
    """

    def __init__(self, text: str, *, front: bool = True) -> None:
        self.raw = tuple(line.rstrip("\r\n") for line in split_lines(text))
        self.out = outline(self.raw, front=front)
        self.nesting = nest(self.out)
        self.code = {row.line for _, rows in self.nesting.code for row in rows}
        self.memo: dict[str, object] = {}

    @cached_property
    def runs(self) -> tuple[Run, ...]:
        """The runs of text that have rows."""
        return tuple(run for run in paragraphs(self.out.rows, self.code, self.nesting.table) if run.rows)
