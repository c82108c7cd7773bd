"""What a page's blocks are: the data every reader of pages shares. No text is read here.

Lives apart from `scan` so that whoever only looks at blocks need not know how they are found.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from snippetlock.records import dataclass, field
from snippetlock.references.diagrams import drawn
from snippetlock.references.layout import Layout

BlockKind = Literal["fence", "indented", "html"]


class Problem(NamedTuple):
    """One thing wrong with how a page asks for a block. Line and column are 1-based.

    `foreign` is an option that is none of ours and like none of ours: another tool may know it.
    """

    line: int
    column: int
    message: str
    mend: str
    foreign: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One code block of a page. Lines are 1-based, the fences of a fenced block included.

    `prefix` is what stands before the block on its first line: indentation, `> `. `content` are its lines
    without that prefix and without line ends, tabs kept. `columns` maps an option to its column on line
    `first`. `footnote` is the label of the footnote that holds it ("" for none): Python-Markdown prints
    those at the end of the page.
    """

    kind: BlockKind
    first: int
    last: int
    prefix: str = ""
    language: str = ""
    info: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    columns: Mapping[str, int] = field(default_factory=dict)
    content: tuple[str, ...] = ()
    closed: bool = True
    footnote: str = ""
    problems: tuple[Problem, ...] = ()

    @property
    def snippet(self) -> str | None:
        """The id of the snippet it asks for; None when it asks for none."""
        return self.options.get("snippet")

    @property
    def run(self) -> str | None:
        """The id of the recorded run that it asks for; None when it asks for none."""
        return self.options.get("run")

    @property
    def asks(self) -> bool:
        """Whether it asks for something that is not the author's to write: a snippet, or a recorded run."""
        return self.snippet is not None or self.run is not None

    @property
    def unsourced(self) -> str | None:
        """The reason it gives for having no source; None when it gives none."""
        return self.options.get("unsourced")

    @property
    def message(self) -> str | None:
        """The exception whose message it says that it is; None when it says nothing of the kind."""
        return self.options.get("message")

    @property
    def typed(self) -> bool:
        """Whether its author wrote what is in it, and says why: it has no source, or is a message of the library."""
        return self.unsourced is not None or self.message is not None

    @property
    def diagram(self) -> str:
        """The kind of picture that it is, which needs no source; "" for every other block."""
        if self.kind != "fence" or self.asks or self.typed:
            return ""
        return drawn(self.language, self.content)

    @property
    def unheld(self) -> bool:
        """Whether its author wrote what is in it and does not say why: nothing holds it, and nothing says that."""
        wrong = any(not problem.foreign for problem in self.problems)
        return not (wrong or self.asks or self.typed or self.diagram)

    @property
    def text(self) -> str:
        """Its content as one text, every line ended by a line feed."""
        return "".join(f"{line}\n" for line in self.content)


@dataclass(frozen=True, slots=True, kw_only=True)
class Marker:
    """A comment that asks for something generated: `<!-- snippetlock: verification -->`."""

    name: str
    first: int
    last: int
    prefix: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comment:
    """A comment that stands as a block of its own; nothing inside it is a block or a use."""

    first: int
    last: int
    prefix: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scan:
    """What one page holds, in order. `problems` are all of the page, those of its blocks included.

    `layout` is what it was read from, for whoever reads more of the same page.
    """

    blocks: tuple[Block, ...] = ()
    markers: tuple[Marker, ...] = ()
    comments: tuple[Comment, ...] = ()
    problems: tuple[Problem, ...] = ()
    front: int = 0  # lines of front matter at the top, its marks included
    lines: int = 0
    layout: Layout | None = field(default=None, compare=False, repr=False)
