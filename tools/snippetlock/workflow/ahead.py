"""Judge pages on all cores before somebody asks what there is to tell of them. Changes nothing but how long it takes.

Whatever goes wrong with a page is left for who asks for it: he makes it again, and the error stands where it belongs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from snippetlock.errors import SnippetlockError, WorkerError
from snippetlock.records import replace
from snippetlock.references import Scan
from snippetlock.workflow.pages import Page
from snippetlock.workflow.telling import Prose, Told

TYPE_CHECKING = False  # as `typing` has it, which costs 3 ms
if TYPE_CHECKING:
    from snippetlock.workflow.workers import Tick

__all__ = ["ENOUGH", "look_ahead"]

ENOUGH = 500_000
"""Characters of pages from which on it pays: they take half a second, the processes a tenth of one to begin and end."""

_TASK = 64_000  # characters: a tenth of a second, so that nobody waits long for the last one, or for an interruption


def look_ahead(prose: Prose, pages: Sequence[Page]) -> None:
    """Have pages scanned and judged by the processes that the project may use, where they are many."""
    left = list(pages)
    if prose.project.jobs == 1 or sum(len(page.text) for page in left) < ENOUGH:
        return
    from snippetlock.workflow.workers import cores  # not for who has few pages

    jobs = prose.project.jobs or cores()
    while jobs > 1 and sum(len(page.text) for page in left) >= ENOUGH:
        try:
            if prose.kept(left[0]) is None:
                prose.open()  # once, for all of them: they inherit it
        except WorkerError:
            raise
        except SnippetlockError:
            return
        for page, seen, told in _judged(prose, left, jobs):
            page.was_scanned(seen)
            if told is not None:
                prose.take(page, told)
        again = [page for page in left if not prose.has(page)]
        if len(again) == len(left):
            return
        left = again


def _judged(prose: Prose, pages: Sequence[Page], jobs: int) -> Iterable[tuple[Page, Scan, Told | None]]:
    """What was seen on each page, and what there is to tell of it; nothing where that is not kept nor can be made."""
    from snippetlock.workflow.workers import spread

    def do(some: Sequence[Page], tick: Tick) -> list[tuple[Scan, Told | None]]:
        return [(replace(page.scan, layout=None), _told(prose, page)) for page in some]

    groups = list(_groups(pages))
    for some, found in zip(groups, spread(do, groups, jobs), strict=True):
        for page, (seen, told) in zip(some, found, strict=True):
            yield page, seen, told


def _told(prose: Prose, page: Page) -> Told | None:
    try:
        return prose.told(page) if prose.is_open else prose.kept(page)
    except SnippetlockError:
        return None


def _groups(pages: Iterable[Page]) -> Iterable[list[Page]]:
    """Pages in their order, as many together as make a task."""
    some: list[Page] = []
    size = 0
    for page in pages:
        some.append(page)
        size += len(page.text)
        if size >= _TASK:
            yield some
            some, size = [], 0
    if some:
        yield some
