"""The blocks that nothing holds: which there are, and whether there are as many as the project says.

A project that begins with pages has them, and says how many: so none comes in unseen, and each that goes is noticed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from snippetlock.config.project import PROJECT, place_of, unheld_in
from snippetlock.errors import SnippetlockError, listed
from snippetlock.model import Finding, Place
from snippetlock.records import dataclass
from snippetlock.report.text import quantity
from snippetlock.workflow.files import SUFFIXES
from snippetlock.workflow.pages import Page
from snippetlock.workflow.project import Project

_MOST = 300  # commits of the configuration that are looked through
_EDITED = 0.5  # of its characters; a block so much alike is the one it was

__all__ = ["Unheld", "number_findings", "unheld_blocks", "unheld_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Unheld:
    """A block that nothing holds: where it begins, its language if it has one, its lines, the first with text in it.

    `text` is all of it, by which it is known again on another page.
    """

    place: Place
    language: str
    lines: int
    first: str
    text: str


def unheld_blocks(project: Project) -> tuple[Unheld, ...]:
    """Every block that nothing holds, in the order of the pages."""
    return tuple(each for page in project.pages for each in unheld_of(page))


def unheld_of(page: Page) -> Iterator[Unheld]:
    """Those of one page."""
    for block in page.scan.blocks:
        if block.unheld:
            first = next((line.strip() for line in block.content if line.strip()), "")
            place = page.place(block.first)
            yield Unheld(place=place, language=block.language, lines=len(block.content), first=first, text=block.text)


def number_findings(project: Project, *, fewer: bool = True) -> Iterator[Finding]:
    """A finding where there are more such blocks than the project says, or `fewer`, where those are asked for too."""
    said = project.config.unheld
    if not said:
        return  # any number may be there, or none, and then each is a finding of its own
    found = unheld_blocks(project)
    count = len(found)
    if count > said:
        yield _more(project, found, said)
    elif count < said and fewer:
        message = f"{_have(count)} no source and no reason, {said - count} fewer than `unheld` allows"
        mend = f"write unheld = {count}, so that no new one takes the place" if count else "take `unheld` out"
        yield Finding(rule="SL118", place=place_of(project.config, "unheld"), message=message, mend=mend)


def _more(project: Project, found: tuple[Unheld, ...], said: int) -> Finding:
    """At the first block that was not there when the number was written, where the docs' history tells; else there."""
    place = place_of(project.config, "unheld")
    message = f"{_have(len(found))} no source and no reason, {len(found) - said} more than `unheld` allows"
    new = _new(project, found, said)
    if new:
        evidence = listed([f"{place}  unheld = {said}", *(f"{each.place}  {each.first}" for each in new)])
        one = "the new one" if len(new) == 1 else "what is new since that was written"
        mend = f'quote {one}, or say why it has no source: unsourced="reason"'
        return Finding(rule="SL118", place=new[0].place, message=message, evidence=evidence, mend=mend)
    mend = "`snippetlock list --unheld` lists them: quote the new one, or say why it has no source"
    return Finding(rule="SL118", place=place, message=message, evidence=_by_page(found), mend=mend)


def _new(project: Project, found: tuple[Unheld, ...], said: int) -> tuple[Unheld, ...]:
    """The blocks that no page had in the commit that wrote the number; nothing where the history does not tell.

    One that was only edited is not new: of each that is gone the most alike is what it became.
    """
    from snippetlock.source.versions import versions

    config = project.config
    project.lasting = False  # the next commit may tell more
    commit = ""
    try:
        for name, data in versions(config.root / PROJECT, _MOST):
            if unheld_in(data) != said:
                break
            commit = name
        old = _texts(project, commit) if commit else None
    except SnippetlockError:  # no repository, or a shallow one
        old = None
    if not old:  # no page was there, or none that a commit has: behind a link
        return ()
    new: list[Unheld] = []
    for each in found:
        if old[each.text] > 0:
            old[each.text] -= 1
        else:
            new.append(each)
    every = tuple(new)
    for text in old.elements():
        if len(new) > len(found) - said and (edited := _became(text, new)):
            new.remove(edited)
    return tuple(new) or every


def _became(text: str, new: Sequence[Unheld]) -> Unheld | None:
    """What a block that is no more became: the most alike, if it is alike."""
    alike = [(SequenceMatcher(None, text, each.text, autojunk=False).ratio(), -at) for at, each in enumerate(new)]
    best, at = max(alike, default=(0.0, 0))
    return new[-at] if best >= _EDITED else None


def _texts(project: Project, commit: str) -> Counter[str]:
    """The blocks that nothing holds of all pages in a commit of the docs' own repository, by their text."""
    from snippetlock.source import GitTree
    from snippetlock.source.repository import holding, local

    config = project.config
    top = holding(config.root)
    counted: Counter[str] = Counter()
    with local(top) as repo:
        tree = GitTree(repo, commit, config.docs.relative_to(top).as_posix())
        for name in tree.paths():
            if name.lower().endswith(SUFFIXES):
                text = tree.read(name).decode("utf-8-sig", "replace")
                page = Page(path=name, name=name, language="", text=text)
                counted.update(each.text for each in unheld_of(page))
    return counted


def _have(count: int) -> str:
    return f"{quantity(count, 'blocks')} {'has' if count == 1 else 'have'}" if count else "no block has"


def _by_page(found: tuple[Unheld, ...]) -> tuple[str, ...]:
    """How many there are on each page, the most first."""
    pages = Counter(each.place.path for each in found)
    return listed([f"{path}  {count}" for path, count in pages.most_common()])
