"""Gather what the verification page says: quotations with their pages, blocks that have no source, diagrams."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from snippetlock.model import Finding
from snippetlock.references.places import address, published, source_view
from snippetlock.report.verification import Claimed, Diagram, Other, Quotation, Ran, Record, Shown, Typed
from snippetlock.workflow.claims import claimed
from snippetlock.workflow.pages import Page
from snippetlock.workflow.project import Project
from snippetlock.workflow.prose import added_groups
from snippetlock.workflow.runs import judge_run
from snippetlock.workflow.telling import Prose
from snippetlock.workflow.unheld import unheld_of


def verification(project: Project, language: str, *, directories: bool = True) -> Record:
    """The record as a page of one language links to it. Raises a `SnippetlockError` where a snippet cannot be cut."""
    languages = project.config.languages
    by_path = {page.path: page for page in project.pages}
    shown = {path: _shown(page, languages, directories) for path, page in by_path.items()}
    quoting = {place.path for name in project.defined for place in project.uses(name)}
    others = tuple(
        Other(place=str(page.place(block.first)), page=shown[page.path], reason=block.unsourced)
        for page in project.pages
        for block in page.scan.blocks
        if block.unsourced is not None
    )
    diagrams = tuple(
        Diagram(place=str(page.place(block.first)), page=shown[page.path], kind=block.diagram)
        for page in project.pages
        for block in page.scan.blocks
        if block.diagram
    )
    runs = (_ran(project, name, shown) for name in project.runs)
    claims = tuple(
        Claimed(place=str(page.place(claim.line)), page=shown[page.path], text=claim.plain)
        for page in project.pages
        if page.language == language
        for claim in claimed(page)
    )
    return Record(
        pin=project.pin,
        quotations=tuple(_quotation(project, name, language, shown) for name in sorted(project.defined)),
        others=others,
        typed=tuple(_typed(project, shown)),
        diagrams=diagrams,
        claims=claims,
        runs=tuple(run for run in runs if run is not None),
        mentions=_mentions(project, language),
        pages=len(quoting),
        languages=len({by_path[path].language for path in quoting}),
        dated=getattr(project.tree, "dated", ""),
    )


def _typed(project: Project, shown: Mapping[str, Shown]) -> Iterator[Typed]:
    for page in project.pages:
        for block in unheld_of(page):
            yield Typed(place=str(block.place), page=shown[page.path], first=block.first)


def _mentions(project: Project, language: str) -> Mapping[str, int]:
    """What the mentions of a language's pages come to, where a check has counted them; nothing is judged for this."""
    if not project.config.references:
        return {}
    prose = Prose(project)
    told = [prose.kept(page) for page in project.pages if page.language == language]
    return added_groups(each.groups for each in told if each) if all(told) else {}


def _quotation(project: Project, name: str, language: str, shown: Mapping[str, Shown]) -> Quotation:
    snippet = project.snippet(name)
    pages = dict.fromkeys(place.path for place in project.uses(name))
    return Quotation(
        id=name,
        span=snippet.span,
        digest=snippet.digests.text,
        view=source_view(snippet.span.path, language, project.config.languages),
        pages=tuple(shown[path] for path in pages),
    )


def _ran(project: Project, name: str, shown: Mapping[str, Shown]) -> Ran | None:
    """A run whose record is worth something; of any other a check tells."""
    found = judge_run(project, name)
    if isinstance(found, Finding):
        return None
    pages = dict.fromkeys(place.path for place in project.run_uses(name))
    return Ran(
        id=name,
        example=project.examples + project.runs[name].example,
        command=found.command,
        library=found.library,
        facts=tuple(f"{key} {value}" for key, value in found.facts.items()),
        pages=tuple(shown[path] for path in pages),
    )


def _shown(page: Page, languages: tuple[str, ...], directories: bool) -> Shown:
    file = published(page.name, page.language, languages, directories=directories)
    return Shown(title=title(page), language=page.language, address=address(file))


def title(page: Page) -> str:
    """A page's first heading as plain text, or its name where it has none."""
    inside = {line for block in page.scan.blocks for line in range(block.first, block.last + 1)}
    lines = page.text.split("\n")
    for number, line in enumerate(lines[page.scan.front :], start=page.scan.front + 1):
        if line.startswith("# ") and number not in inside:
            return line[2:].partition(" {")[0].replace("`", "").strip().rstrip("#").rstrip()
    return page.name
