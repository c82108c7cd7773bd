"""One page taken apart: what every reader of pages stands on, each part made once, when asked for. Pure; linear in it.

`scan`, `speech`, `inline` and `structure` read the same rows: whoever needs more than one of them hands it on.
"""

from __future__ import annotations

from functools import cached_property

from snippetlock.references.nesting import nest
from snippetlock.references.outline import Outline, outline
from snippetlock.references.paragraphs import Run, paragraphs
from snippetlock.references.parts import Nesting
from snippetlock.text import split_lines

__all__ = ["Layout"]


class Layout:
    """The rows of a page, what the block rules made of them, and its runs of text. Raises nothing.

    `front`: whether front matter may stand at its top. `memo` keeps what its readers found, by their own keys.
    """

    def __init__(self, text: str, *, front: bool = True) -> None:
        self.text = text
        self.front = front
        self.memo: dict[str, object] = {}

    @cached_property
    def raw(self) -> tuple[str, ...]:
        """The lines, without what ends them."""
        return tuple(line.rstrip("\r\n") for line in split_lines(self.text))

    @cached_property
    def out(self) -> Outline:
        """Its rows and pieces."""
        return outline(self.raw, front=self.front)

    @cached_property
    def nesting(self) -> Nesting:
        """What the block rules made of the rows."""
        return nest(self.out)

    @cached_property
    def code(self) -> set[int]:
        """The lines (from 0) of indented code."""
        return {row.line for _, rows in self.nesting.code for row in rows}

    @cached_property
    def runs(self) -> tuple[Run, ...]:
        """The runs of text that have rows."""
        return tuple(run for run in paragraphs(self.out.rows, self.code, self.nesting.table) if run.rows)
