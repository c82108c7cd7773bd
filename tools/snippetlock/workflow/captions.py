"""Hold the caption of a published snippet, its links and its line numbers against the snippet. Changes nothing.

What a caption has to say is put together here from the snippet alone, not by the code that writes captions.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from urllib.parse import unquote

from snippetlock.links import fragment
from snippetlock.links import permalink as link_to
from snippetlock.lock.runs import Record
from snippetlock.model import Snippet
from snippetlock.references.places import source_view
from snippetlock.references.published import Figure, Pre
from snippetlock.report.labels import labels
from snippetlock.workflow.pages import Page
from snippetlock.workflow.project import Project

_SOURCES = "sources/"


def misquoted(project: Project, page: Page, name: str, snippet: Snippet, pre: Pre) -> tuple[str, ...]:
    """What a published block says wrongly of its snippet, as lines of evidence; empty when all of it is right.

    `name` is the page's HTML file, below the site's root.
    """
    found = pre.figure
    if found is None:
        return ("it has no caption",)
    lines = []
    for what, wanted, published in _compared(project, page, name, snippet, found):
        if wanted != published:
            lines += [f"{what}:", f"wanted {wanted!r}", f"published {published!r}"]
    numbers = tuple("" if number is None else str(number) for number in snippet.numbers)
    if numbers != pre.numbers:
        pairs = [*zip(numbers, pre.numbers, strict=False)]
        at = next((index for index, (a, b) in enumerate(pairs) if a != b), len(pairs))
        old, new = (repr(side[at]) if at < len(side) else "nothing" for side in (numbers, pre.numbers))
        lines += [f"the number of line {at + 1}:", f"wanted {old}", f"published {new}"]
    return tuple(lines)


def _compared(
    project: Project, page: Page, name: str, snippet: Snippet, found: Figure
) -> Iterator[tuple[str, str, str]]:
    """Each thing that a caption says: what it is, what it has to be, what it is on the page."""
    span, pin, words = snippet.span, project.pin, labels(page.language)
    shown = words.span(span.first, span.last)
    own = project.is_own(span.path)
    origin, link = words.own if own else pin.label, ""
    if pin.repository and not own:
        link = link_to(pin.repository, pin.repository.commit, span.path, span.first, span.last)
    abridged = words.abridged if None in snippet.numbers else ""
    parts = [f"{span.path} {shown}", abridged, origin, words.repository if link else ""]
    yield "the caption", _plain(" · ".join(part for part in parts if part)), found.caption
    spoken = words.figure.format(path=span.path, lines=shown, pin=origin)
    yield "the caption as it is read aloud", _plain(spoken), _plain(found.name)
    view = source_view(span.path, page.language, project.config.languages)
    mark = fragment(span.first, span.last)
    yield "the link to the source view", f"{view}#{mark}", _target(found.source, name, view)
    yield "the link into the repository", link, found.repository
    yield "the id", snippet.id, found.snippet


def caption_of(project: Project, page: Page, example: str, record: Record) -> str:
    """What the figure of a recorded run has to say around its code."""
    facts = (f"{key} {value}" for key, value in record.facts.items())
    return _plain(" · ".join((labels(page.language).run, project.examples + example, record.library, *facts)))


def _plain(text: str) -> str:
    """As a browser shows it: blanks and line ends run together."""
    return " ".join(text.split())


def _target(address: str, name: str, view: str) -> str:
    """Where a link of the page leads, from the site's root.

    Of an address that begins elsewhere only what follows the folder of source views can be held against anything.
    """
    path, _, mark = address.partition("#")
    path = unquote(path)
    if "://" in path or path.startswith("/"):
        if path.endswith(f"/{_SOURCES}{view.partition(_SOURCES)[2]}"):
            path = view
    elif path:
        path = posixpath.normpath(posixpath.join(posixpath.dirname(name), path))
    return f"{path}#{mark}" if mark else path
