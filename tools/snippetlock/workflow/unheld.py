"""The blocks that nothing holds: which there are, and whether there are as many as the project says.

A project that begins with pages has them, and says how many: so none comes in unseen, and each that goes is noticed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from snippetlock.config.project import place_of
from snippetlock.errors import listed
from snippetlock.model import Finding, Place
from snippetlock.records import dataclass
from snippetlock.report.text import quantity
from snippetlock.workflow.pages import Page
from snippetlock.workflow.project import Project

__all__ = ["Unheld", "number_findings", "unheld_blocks", "unheld_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Unheld:
    """A block that nothing holds: where it begins, its language if it has one, its lines, the first with text in it."""

    place: Place
    language: str
    lines: int
    first: str


def unheld_blocks(project: Project) -> tuple[Unheld, ...]:
    """Every block that nothing holds, in the order of the pages."""
    return tuple(each for page in project.pages for each in unheld_of(page))


def unheld_of(page: Page) -> Iterator[Unheld]:
    """Those of one page."""
    for block in page.scan.blocks:
        if block.unheld:
            first = next((line.strip() for line in block.content if line.strip()), "")
            place = page.place(block.first)
            yield Unheld(place=place, language=block.language, lines=len(block.content), first=first)


def number_findings(project: Project, *, fewer: bool = True) -> Iterator[Finding]:
    """A finding where there are more such blocks than the project says, or `fewer`, where those are asked for too."""
    said = project.config.unheld
    if not said:
        return  # any number may be there, or none, and then each is a finding of its own
    found = unheld_blocks(project)
    count = len(found)
    if count == said or (count < said and not fewer):
        return
    if count > said:
        message = f"{_have(count)} no source and no reason, {count - said} more than `unheld` allows"
        mend = "`snippetlock list --unheld` lists them: quote the new one, or say why it has no source"
        evidence = _by_page(found)
    else:
        message = f"{_have(count)} no source and no reason, {said - count} fewer than `unheld` allows"
        mend = f"write unheld = {count}, so that no new one takes the place" if count else "take `unheld` out"
        evidence = ()
    yield Finding(rule="SL118", place=place_of(project.config, "unheld"), message=message, evidence=evidence, mend=mend)


def _have(count: int) -> str:
    return f"{quantity(count, 'blocks')} {'has' if count == 1 else 'have'}" if count else "no block has"


def _by_page(found: tuple[Unheld, ...]) -> tuple[str, ...]:
    """How many there are on each page, the most first."""
    pages = Counter(each.place.path for each in found)
    return listed([f"{path}  {count}" for path, count in pages.most_common()])
