"""Hold what a project's prose names against the pin: every page, its drawings, its claims, and the vocabulary."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path

from snippetlock.model import Finding, Place, Report
from snippetlock.references.groups import shown_groups
from snippetlock.references.verdicts import finding_of
from snippetlock.workflow.ahead import look_ahead
from snippetlock.workflow.claims import claim_findings, claimed
from snippetlock.workflow.figures import strange_figures, together
from snippetlock.workflow.pages import Page
from snippetlock.workflow.project import Project
from snippetlock.workflow.telling import Prose

__all__ = ["added_groups", "chosen", "held_prose", "prose_findings"]


def held_prose(project: Project, only: Collection[str] = ()) -> Report:
    """Every disagreement of the prose, whether the project holds its prose in `check` or not.

    `only` are the pages to look at, by path or name; all where it is empty, and then the vocabulary is held too.
    """
    prose = Prose(project)
    pages = chosen(project, only)
    look_ahead(prose, pages)
    findings = list(_findings(prose, pages, whole=not only, strict=project.config.references != "proven"))
    findings += claim_findings(prose.claims, pages)
    claims = sum(len(claimed(page)) for page in pages)
    groups = added_groups(prose.told(page).groups for page in pages)
    counts = {
        "pages": len(pages),
        "mentions": sum(groups.values()),
        **({"claims": claims} if claims else {}),
        "words of the vocabulary": len(prose.words),
    }
    return Report(findings=tuple(sorted(findings, key=_order)), counts=counts, parts={"mentions": groups})


def added_groups(pages: Iterable[Mapping[str, int]]) -> dict[str, int]:
    """What the mentions of some pages come to, by group."""
    counted: Counter[str] = Counter()
    for groups in pages:
        counted.update(groups)
    return shown_groups(counted)


def prose_findings(project: Project, prose: Prose | None = None) -> Iterator[Finding]:
    """What `check` says of the prose of a project that holds it; of any other its claims alone."""
    prose = prose or Prose(project)
    if project.config.references:
        yield from _findings(prose, project.pages, whole=True, strict=project.config.references != "proven")
    yield from claim_findings(prose.claims, project.pages)


def _findings(prose: Prose, pages: Collection[Page], *, whole: bool, strict: bool) -> Iterator[Finding]:
    needed: set[str] = set()
    drawn: list[tuple[Finding, Place]] = []
    for page in pages:
        told = prose.told(page)
        needed.update(each.entry for each in (*told.verdicts, *(each for *_, each in told.drawn)) if each.entry)
        for verdict in told.verdicts:
            if verdict.rule and (strict or verdict.certain):
                yield finding_of(verdict, page.path)
        for path, line, verdict in told.drawn:
            if verdict.rule and (strict or verdict.certain):
                drawn.append((finding_of(verdict, path), page.place(line)))
    yield from together(drawn)
    yield from strange_figures(prose.project, pages)
    if whole:
        yield from _unneeded(prose, needed)


def _unneeded(prose: Prose, needed: Collection[str]) -> Iterator[Finding]:
    paths = {page.path for page in prose.project.pages}
    for word in prose.words.values():
        gone = [page for page in word.pages if page not in paths]
        if word.name not in needed:
            yield Finding(
                rule="SL306",
                place=word.place,
                message=f"no page needs {word.name!r} to be in the vocabulary",
                evidence=(f"its reason was: {word.reason}",),
                mend="remove the entry",
            )
        elif gone:
            message = f"{word.name!r} is allowed on a page that is not there: {', '.join(gone)}"
            yield Finding(rule="SL306", place=word.place, message=message, mend="correct `pages`")


def chosen(project: Project, only: Collection[str]) -> tuple[Page, ...]:
    """The pages of these paths or names. Raises `UsageError` for one that is none."""
    from snippetlock.errors import UsageError, nearest

    if not only:
        return project.pages
    by_path = {page.path: page for page in project.pages} | {page.name: page for page in project.pages}
    found: dict[str, Page] = {}
    for name in only:
        path = Path(name).as_posix().removeprefix("./")
        if path not in by_path:
            near = nearest(path, by_path)
            mend = f"did you mean {' or '.join(map(repr, near))}?" if near else "name a page by its path"
            raise UsageError(f"no page {name!r} in {project.config.name(project.config.docs)}", mend=mend)
        found[by_path[path].path] = by_path[path]
    return tuple(found.values())


def _order(finding: Finding) -> tuple[str, int, int, str, str]:
    place = finding.place
    return place.path, place.line or 0, place.column or 0, finding.rule, finding.message
