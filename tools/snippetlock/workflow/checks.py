"""Hold pages, definitions and lock against the pinned library. Collects every finding; changes nothing."""

from __future__ import annotations

import os
from collections.abc import Iterator

from snippetlock.config.strays import EXAMPLES, RUNS
from snippetlock.errors import SnippetlockError
from snippetlock.model import Finding, Report
from snippetlock.workflow.directives import page_findings
from snippetlock.workflow.held import lock_findings
from snippetlock.workflow.judging import definition_findings, duplicates
from snippetlock.workflow.pages import Page
from snippetlock.workflow.project import Project
from snippetlock.workflow.unheld import number_findings
from snippetlock.workflow.unseen import unseen

TYPE_CHECKING = False  # as `typing` has it, which costs 3 ms
if TYPE_CHECKING:
    from snippetlock.workflow.telling import Prose


def check(project: Project) -> Report:
    """Every disagreement, sorted by place. Raises what means "could not check"."""
    project.tree  # noqa: B018 - without the library nothing can be said, and that is an error, not a finding
    prose = _ahead(project)
    if not project.defined and (project.lock is not None or project.uses_in_order):
        raise project.nothing_defined()  # a finding for each block and entry would hide that, or there be none
    alone = [found[0] for found in project.defined.values() if len(found) == 1]
    findings = [
        *project.unreadable,
        *(finding for page in project.pages for finding in page_findings(project, page)),
        *(finding for page in project.pages for finding in _hidden(page)),
        *unseen(project),
        *number_findings(project),
        *duplicates(project),
        *lock_findings(project),
        *_prose(project, prose),
        *_programs(project),
        *_runs(project),
        *_twins(project),
        *(finding for one in alone for finding in definition_findings(project, one)),
    ]
    blocks = [block for page in project.pages for block in page.scan.blocks]
    counts = {
        "snippets": len(project.defined),
        "pages": len(project.pages),
        "unsourced blocks": sum(block.unsourced is not None for block in blocks),
        **({} if project.config.unheld == 0 else {"unheld blocks": sum(block.unheld for block in blocks)}),
        "diagrams": sum(bool(block.diagram) for block in blocks),
        **({"claims": claims} if (claims := _claims(project)) else {}),
        **({"recorded runs": len(project.runs)} if project.runs else {}),
    }
    return Report(findings=tuple(sorted(findings, key=_order)), counts=counts)


def _hidden(page: Page) -> Iterator[Finding]:
    if page.text.isascii():
        return
    from snippetlock.references.characters import hidden

    for problem in hidden(page.text, page.scan.blocks):
        place = page.place(problem.line, problem.column)
        yield Finding(rule="SL503", place=place, message=problem.message, mend=problem.mend)


def _ahead(project: Project) -> Prose | None:
    """The prose, judged on all cores where the pages are many; before anybody else has scanned them."""
    if not project.config.references or project.jobs == 1:
        return None
    from snippetlock.workflow.ahead import look_ahead
    from snippetlock.workflow.telling import Prose

    try:
        pages = project.pages
    except SnippetlockError:
        return None  # which is said in its turn
    prose = Prose(project)
    look_ahead(prose, pages)
    return prose


def _prose(project: Project, prose: Prose | None) -> Iterator[Finding]:
    if project.config.references or any("<!--" in page.text for page in project.pages):  # which may be a claim
        from snippetlock.workflow.prose import prose_findings  # not for who does not ask for it

        yield from prose_findings(project, prose)


def _claims(project: Project) -> int:
    """How many statements the pages make that are held."""
    pages = [page for page in project.pages if "<!--" in page.text]
    if not pages:
        return 0
    from snippetlock.workflow.claims import claimed

    return sum(len(claimed(page)) for page in pages)


def _programs(project: Project) -> Iterator[Finding]:
    if os.path.isdir(project.config.snippets / EXAMPLES):
        from snippetlock.workflow.programs import program_findings

        yield from program_findings(project)


def _runs(project: Project) -> Iterator[Finding]:
    if project.runs or os.path.isdir(project.config.snippets / RUNS):
        from snippetlock.workflow.runs import run_findings

        yield from run_findings(project)


def _twins(project: Project) -> Iterator[Finding]:
    if len(project.config.languages) > 1 and project.config.twins != "off":
        from snippetlock.workflow.parity import twin_findings

        yield from twin_findings(project)


def _order(finding: Finding) -> tuple[str, int, int, str, str]:
    place = finding.place
    return place.path, place.line or 0, place.column or 0, finding.rule, finding.message
