"""The drawings in files of their own that pages show: which there are, and what there is to tell of them.

A drawing is held by the page that shows it, as if it were written there; what is wrong with one that several pages
show is told once, with all of them. A file that is not there is the site builder's to tell.
"""

from __future__ import annotations

import os
import posixpath
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from urllib.parse import unquote

from snippetlock.errors import ConfigError
from snippetlock.model import Finding, Place
from snippetlock.reading import no_file, read_file
from snippetlock.records import dataclass, replace
from snippetlock.text import sha256
from snippetlock.workflow.pages import Page, undecodable
from snippetlock.workflow.project import Project

TYPE_CHECKING = False  # as `typing` has it, which costs 3 ms
if TYPE_CHECKING:
    from snippetlock.references.bench import Bench
    from snippetlock.references.verdicts import Verdict

__all__ = ["Figure", "figure_files", "figures_of", "judged", "strange_figures", "together"]

_SUFFIX = ".svg"


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """The file of a drawing, from the project's root, its bytes, and the line (from 1) of the page that shows it."""

    path: str
    line: int
    data: bytes

    @property
    def digest(self) -> str:
        """64 hex digits."""
        return sha256(self.data)

    @property
    def text(self) -> str:
        """What it says; bytes that are not UTF-8 are replaced, and `strange_figures` tells of them."""
        return self.data.decode("utf-8-sig", "replace")


def figures_of(project: Project, page: Page) -> tuple[Figure, ...]:
    """The drawings that a page shows, each once. Raises `ConfigError` for one that is there and cannot be read."""
    config = project.config
    found = []
    for name, line in _named(project, page).items():
        file = config.docs / name
        if _is_within(config.docs, file):
            try:
                found.append(Figure(path=config.name(file), line=line, data=read_file(file)))
            except OSError as error:
                mend = "put a file in its place" if no_file(error) else "mend its permissions"
                path = config.name(file)
                raise ConfigError(f"a figure cannot be read: {error.strerror}", path=path, mend=mend) from error
    return tuple(found)


def figure_files(project: Project) -> tuple[str, ...]:
    """Every file that a page would show a drawing from, whether it is there or not: what a report depends on."""
    return tuple(sorted({str(project.config.docs / name) for page in project.pages for name in _named(project, page)}))


def _named(project: Project, page: Page) -> dict[str, int]:
    """The files of drawings that a page shows, by their paths from the docs folder, with the line that does.

    A page of another language than the first may show the file of that language in place of the one it names.
    """
    if _SUFFIX not in page.text.lower():
        return {}
    from snippetlock.references.structure import structure
    from snippetlock.workflow.sheets import twin_path

    languages, found = project.config.languages, dict[str, int]()
    for link in structure(page.text, page.scan).links:
        path = unquote(link.target.partition("#")[0].partition("?")[0])
        if (
            not link.image
            or not path.lower().endswith(_SUFFIX)
            or path.startswith("/")
            or ":" in path.partition("/")[0]
        ):
            continue
        for base in _bases(page):
            name = posixpath.normpath(posixpath.join(base, path))
            if not name.startswith("../"):
                found.setdefault(name, link.line)
                found.setdefault(twin_path(name, page.language, languages), link.line)
    return found


def _bases(page: Page) -> Iterator[str]:
    """What a path is relative to: the page's folder, and in HTML, which no builder mends, the page's own address."""
    folder = posixpath.dirname(page.name)
    yield folder
    address = posixpath.join(folder, posixpath.basename(page.name).partition(".")[0])
    yield address
    yield posixpath.join(page.language, address)


def _is_within(docs: os.PathLike[str], file: os.PathLike[str]) -> bool:
    """Whether a file is there, and below the docs folder, links followed."""
    top, real = os.path.realpath(docs), os.path.realpath(file)
    return os.path.lexists(real) and not os.path.isdir(real) and os.path.commonpath([top, real]) == top


def judged(
    bench: Bench, figure: Figure, headings: Sequence[int], *, every: bool = False
) -> tuple[Mapping[str, int], tuple[Verdict, ...]]:
    """As `tell_page`, or where `every` verdict is wanted as `judge_page`, of a drawing that stands in a page's section.

    `headings` are the lines of the page's.
    """
    from snippetlock.references.judging import judge_page, tell_page
    from snippetlock.references.speech import drawing

    above = bisect_right(headings, figure.line)
    said = drawing(figure.text, headings[above - 1] if above else 0)
    if not every:
        return tell_page(bench, said)
    return {}, judge_page(bench, said)


def together(found: Iterable[tuple[Finding, Place]]) -> Iterator[Finding]:
    """Findings about drawings, each once, with all places that show it."""
    shown: dict[Finding, dict[Place, None]] = {}
    for finding, place in found:
        shown.setdefault(finding, {})[place] = None
    for finding, places in shown.items():
        yield replace(finding, uses=tuple(places))


def strange_figures(project: Project, pages: Collection[Page]) -> Iterator[Finding]:
    """What no drawing may be or hold: bytes that are not UTF-8, characters that hide something."""
    from snippetlock.references.characters import hidden

    read: dict[str, tuple[bytes, list[Place]]] = {}
    for page in pages:
        for figure in figures_of(project, page):
            read.setdefault(figure.path, (figure.data, []))[1].append(page.place(figure.line))
    for path, (data, uses) in read.items():
        if data.isascii():
            continue
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            yield replace(undecodable(path, error), mend="save the drawing as UTF-8", uses=tuple(uses))
            continue
        for problem in hidden(text, ()):
            place = Place(path=path, line=problem.line, column=problem.column)
            yield Finding(rule="SL503", place=place, message=problem.message, mend=problem.mend, uses=tuple(uses))
