"""The words of the tool as data: frozen, slotted, keyword-only. Behaviour lives elsewhere.

Lines and columns are 1-based; regions are half-open offsets in characters of a file's decoded text.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import Literal, Protocol

from snippetlock.records import dataclass, field


class Exit(IntEnum):
    """What the exit code of every command says. The worst wins."""

    CLEAN = 0  # nothing disagrees
    FINDINGS = 1  # the docs, the definitions or the lock need work
    CANNOT = 2  # nothing can be said: mend the setup first
    BUG = 3  # please report


class Progress(Protocol):
    """Told how far long work has come; `total` is 0 while it is not known."""

    def __call__(self, label: str, done: int, total: int) -> None: ...


class Tree(Protocol):
    """The files of one state of the library, read-only, by package path (`tileops/gemm.py`).

    `identity` is the digest of the whole when it is one fixed artifact (a wheel, a commit), and None
    when it can change under us (a folder).
    """

    @property
    def identity(self) -> str | None: ...

    def read(self, path: str) -> bytes:
        """The file's bytes. Raises `MissingFile`, or `TreeError` for a path or file that is refused."""

    def has(self, path: str) -> bool:
        """Whether `read` would find a file. Cheap; does not list the tree."""

    def paths(self) -> tuple[str, ...]:
        """Every file, sorted. May cost a walk: for messages, never for resolving."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Repository:
    """Where the library is developed: links point there, drift compares with it."""

    url: str
    branch: str = "main"
    root: str = ""  # the folder of the repository that holds the packages ("src")
    commit: str | None = None  # the pin's commit, once known


@dataclass(frozen=True, slots=True, kw_only=True)
class Pin:
    """The one state of the library the docs speak of."""

    name: str
    version: str  # "" for a folder or a commit that states none
    kind: Literal["wheel", "folder", "git"]
    file: str = ""  # wheel: its file name
    sha256: str = ""  # wheel: 64 hex digits
    folder: str = ""  # folder: relative to the project's root, or absolute
    commit: str = ""  # git: the full hash, in the repository that `repository` names
    repository: Repository | None = None
    place: str = ""  # the pin file, relative to the project's root

    @property
    def label(self) -> str:
        """What a caption says: `tileops 0.1.0`, or the commit of one that has no version."""
        return f"{self.name} {self.version or self.commit[:10]}".strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """How a file wrote a value, quotes, escapes and line ends included.

    `mixed` says that the lines of the file did not all end alike, so that those of `text` are meant as they are.
    """

    text: str
    mixed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a finding is: a file of the docs project, or of the tree when `pinned`."""

    path: str
    line: int | None = None
    column: int | None = None
    pinned: bool = False

    def __str__(self) -> str:
        numbers = [str(n) for n in (self.line, self.column) if n is not None]
        return ":".join([self.path, *numbers])


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """Lines of one file of the tree, both ends included."""

    path: str
    first: int
    last: int

    def __post_init__(self) -> None:
        if not 1 <= self.first <= self.last:
            raise ValueError(f"bad span {self.path}:{self.first}-{self.last}")

    def __str__(self) -> str:
        lines = f"{self.first}" if self.first == self.last else f"{self.first}-{self.last}"
        return f"{self.path}:{lines}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Selector:
    """What to take: `module:Qualified.name` for Python, `path/to/file.ext:key.path` for other files.

    `module` and `path` exclude each other. `name` is empty for the whole file.
    """

    text: str
    name: str
    module: str = ""
    path: str = ""

    def __str__(self) -> str:
        return self.text


Show = Literal["source", "signature", "skeleton", "body", "docstring"]
Docstrings = Literal["keep", "drop", "summary"]
Comments = Literal["keep", "drop"]


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """How to show what was taken. `docstrings=None` is `drop` for a signature and `keep` elsewhere.

    `from_`, `to` and `match` are patterns of Python's statements, or whole lines of other files; "" is none.
    `count` is how many statements `match` names, None for any but none; before it `imports` of the module it needs.
    """

    show: Show = "source"
    keep: tuple[str, ...] = ()
    from_: str = ""
    to: str = ""
    match: str = ""
    count: int | None = None
    docstrings: Docstrings | None = None
    comments: Comments = "keep"
    highlight: tuple[str, ...] = ()
    imports: bool = False


VIEW_KEYS: Mapping[str, str] = {
    "show": "show", "keep": "keep", "from": "from_", "to": "to", "match": "match", "count": "count",
    "docstrings": "docstrings", "comments": "comments", "highlight": "highlight", "imports": "imports",
}  # fmt: skip
"""The keys of a definition that make up its view, in the order they are written in, and the field of each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    """One entry of a definitions file. `places` maps a key (`source`, `keep`, …) to where it stands."""

    id: str
    selector: Selector
    view: View
    place: Place
    places: Mapping[str, Place]


@dataclass(frozen=True, slots=True, kw_only=True)
class Region:
    """Characters `start` up to, not including, `end` of a file's text."""

    start: int
    end: int


PartKind = Literal["module", "class", "function", "attribute", "key"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One thing a selector can name, taken apart. Regions count from the start of the file.

    `whole` runs from the first column of the first line of its attached comment block, else of its first
    decorator, else of its header, to the end of its last line, the line's end included where the file
    has one. `lead` is that comment block (whole lines). `head` is what a signature shows: decorators up
    to the header's colon (for an attribute or a key: the statement). `body` is everything after the
    header that belongs to it, docstring included (whole lines; for a body on the header's own line it
    starts after the colon). `docstring` is the docstring's statement, quotes included, from its first to
    its last character. `comments` and `literals` are every comment, and every string literal that runs
    over several lines, inside `whole`, in order, those of members included. `members` are the definitions
    directly inside, in order; `selector` is the name that selects each alone (`value@setter`, `f#2`).
    """

    name: str
    selector: str
    kind: PartKind
    whole: Region
    lead: Region | None = None
    head: Region
    body: Region | None = None
    docstring: Region | None = None
    members: tuple[Part, ...] = ()
    comments: tuple[Region, ...] = ()
    literals: tuple[Region, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What a selector named: the file's text and the part in it.

    `consulted` are the files that decided, each with its SHA-256, or None for one that had to be absent:
    while they stay as they are, the answer does too.
    """

    selector: Selector
    path: str
    text: str
    language: str  # "python", "yaml", …: a fence's language
    part: Part
    consulted: tuple[tuple[str, str | None], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Digests:
    """SHA-256 of what is shown, each blind to one thing more than the one before it."""

    text: str  # as shown
    tokens: str  # layout aside: line breaks, quotes, trailing commas
    code: str  # comments and docstrings aside
    signature: str  # what a caller sees


@dataclass(frozen=True, slots=True, kw_only=True)
class Snippet:
    """A named selector and view, cut. `text` keeps the file's own line ends.

    `numbers` has one entry a line of `text`: its line in the file, or None for an elision mark.
    `highlight` are lines of `text`, counted from 1.
    """

    id: str
    selector: Selector
    view: View
    span: Span
    language: str
    text: str
    numbers: tuple[int | None, ...]
    highlight: tuple[int, ...]
    digests: Digests
    consulted: tuple[tuple[str, str | None], ...]


Level = Literal["error", "note"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One disagreement: rule, where, what, the evidence (a line each), how to mend it.

    `snippet` is its id where the finding is about one; `uses` are the pages that show it. A note is worth
    knowing, and fails nothing.
    """

    rule: str
    place: Place
    message: str
    evidence: tuple[str, ...] = ()
    mend: str = ""
    snippet: str = ""
    uses: tuple[Place, ...] = ()
    level: Level = "error"


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What a command found, sorted, and what it looked at (`counts`: name to number, in order).

    `parts` are what a count is made of, by its name.
    """

    findings: tuple[Finding, ...]
    counts: Mapping[str, int]
    parts: Mapping[str, Mapping[str, int]] = field(default_factory=dict)

    @property
    def exit(self) -> Exit:
        return Exit.FINDINGS if any(finding.level == "error" for finding in self.findings) else Exit.CLEAN
