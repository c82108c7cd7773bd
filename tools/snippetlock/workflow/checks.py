"""Hold pages, definitions and lock against the pinned library. Collects every finding; changes nothing.

A snippet is not cut where the lock already proves what the cut would be: see `held`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from snippetlock.config.strays import EXAMPLES, RUNS
from snippetlock.errors import (
    AmbiguousSymbol,
    HighlightError,
    MissingFile,
    SelectorError,
    SnippetlockError,
    SourceError,
    TreeError,
    ViewError,
    nearest,
)
from snippetlock.lock import Entry
from snippetlock.model import Definition, Finding, Place, Report, Snippet
from snippetlock.records import replace
from snippetlock.references import Block
from snippetlock.references.diagrams import DIAGRAMS
from snippetlock.report.text import quantity
from snippetlock.workflow.accepted import accepted_text, difference
from snippetlock.workflow.held import holds, lock_findings, selection_changes
from snippetlock.workflow.pages import Page
from snippetlock.workflow.project import Project
from snippetlock.workflow.unseen import unseen


def check(project: Project) -> Report:
    """Every disagreement, sorted by place. Raises what means "could not check"."""
    project.tree  # noqa: B018 - without the library nothing can be said, and that is an error, not a finding
    if not project.defined and (project.lock is not None or project.uses_in_order):
        raise project.nothing_defined()  # a finding for each block and entry would hide that, or there be none
    findings = [
        *project.unreadable,
        *(finding for page in project.pages for finding in page_findings(project, page)),
        *(finding for page in project.pages for finding in _hidden(page)),
        *unseen(project),
        *duplicates(project),
        *lock_findings(project),
        *_prose(project),
        *_programs(project),
        *_runs(project),
        *_twins(project),
        *(finding for found in project.defined.values() if len(found) == 1 for finding in _snippet(project, found[0])),
    ]
    blocks = [block for page in project.pages for block in page.scan.blocks]
    counts = {
        "snippets": len(project.defined),
        "pages": len(project.pages),
        "unsourced blocks": sum(block.unsourced is not None for block in blocks),
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


def _prose(project: Project) -> Iterator[Finding]:
    if project.config.references or any("<!--" in page.text for page in project.pages):  # which may be a claim
        from snippetlock.workflow.prose import prose_findings  # not for who does not ask for it

        yield from prose_findings(project)


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


def judge(project: Project, definition: Definition) -> tuple[Snippet | None, Finding | None]:
    """Cut a snippet; where it cannot be cut, the finding that says why."""
    try:
        return project.cutter.cut(definition), None
    except (SelectorError, SourceError, TreeError, ViewError) as error:
        return None, _failure(project, definition, error)


def _order(finding: Finding) -> tuple[str, int, int, str, str]:
    place = finding.place
    return place.path, place.line or 0, place.column or 0, finding.rule, finding.message


# Pages


def page_findings(project: Project, page: Page) -> Iterator[Finding]:
    """What is wrong with a page's blocks, by its text and the definitions alone: nothing is cut."""
    for problem in page.scan.problems:
        place = page.place(problem.line, problem.column)
        yield Finding(rule="SL113", place=place, message=problem.message, mend=problem.mend)
    for block in page.scan.blocks:
        if block.problems:
            continue
        if block.snippet is not None:
            if block.snippet not in project.defined:
                yield _unknown(project, page, block)
        elif block.run is not None:
            if block.run not in project.runs:
                yield _unknown_run(project, page, block)
        elif block.message is not None and not project.config.references:
            yield _unheld(page, block)
        elif not block.typed and not block.diagram:
            yield _unsourced(page, block)


def _unknown(project: Project, page: Page, block: Block) -> Finding:
    name = block.snippet or ""
    near = nearest(name, project.defined)
    return Finding(
        rule="SL111",
        place=page.place(block.first, block.columns.get("snippet")),
        message=f"no definition has the id {name!r}",
        mend=f"did you mean {' or '.join(repr(n) for n in near)}?" if near else "",
        snippet=name,
    )


def _unknown_run(project: Project, page: Page, block: Block) -> Finding:
    near = nearest(block.run or "", project.runs)
    return Finding(
        rule="SL131",
        place=page.place(block.first, block.columns.get("run")),
        message=f"no run has the id {block.run!r}",
        mend=f"did you mean {' or '.join(repr(n) for n in near)}?" if near else "",
    )


def _unheld(page: Page, block: Block) -> Finding:
    return Finding(
        rule="SL112",
        place=page.place(block.first, block.columns.get("message")),
        message="a message that nothing holds: `references` is off",
        mend='set references = true under [tool.snippetlock], or say why it has no source: unsourced="reason"',
    )


def _unsourced(page: Page, block: Block) -> Finding:
    called = {"fence": "a code block", "indented": "an indented code block", "html": "a <pre> in raw HTML"}[block.kind]
    first = next((line for line in block.content if line.strip()), "")
    mend = "" if block.kind == "fence" else 'write it as a fence, with snippet="id" or unsourced="reason"'
    message = f"{called} of {quantity(len(block.content), 'lines')} that has no source"
    if block.language in DIAGRAMS:
        message = f"a {block.language} block that is no diagram: it begins with none of that language's words"
        mend = 'begin it with the kind of the diagram (`flowchart`, …), or give it a snippet="id" or unsourced="reason"'
    return Finding(
        rule="SL112",
        place=page.place(block.first),
        message=message,
        evidence=(first,) if first else (),
        mend=mend,
    )


# Definitions


def duplicates(project: Project) -> Iterator[Finding]:
    """A finding at every definition whose id an earlier one has."""
    for name, found in project.defined.items():
        for definition in found[1:]:
            yield Finding(
                rule="SL110",
                place=definition.place,
                message=f"the id {name!r} is defined here and at {found[0].place}",
                evidence=tuple(f"{d.place}  {d.selector}" for d in found),
                snippet=name,
                uses=project.uses(name),
            )


def _snippet(project: Project, definition: Definition) -> Iterator[Finding]:
    name = definition.id
    if not project.uses(name):
        yield Finding(rule="SL109", place=definition.place, message=f"no page shows {name!r}", snippet=name)
    if holds(project, definition):
        return
    snippet, failure = judge(project, definition)
    if failure:
        yield _beneath(project, definition, failure) or failure
    elif snippet:
        yield from unaccepted(project, definition, snippet)


def unaccepted(project: Project, definition: Definition, snippet: Snippet) -> Iterator[Finding]:
    """How a snippet differs from what the lock accepted; nothing where a finding about the whole lock stands."""
    if project.lock and not project.lock.edited:
        yield from _compare(project, definition, snippet, project.entry(definition.id))


def _compare(project: Project, definition: Definition, snippet: Snippet, entry: Entry | None) -> Iterator[Finding]:
    uses = project.uses(definition.id)
    if entry is None:
        yield Finding(
            rule="SL104",
            place=definition.place,
            message=f"{definition.id!r} was never accepted",
            evidence=(f"{snippet.span}",),
            mend=_look(definition.id),
            snippet=definition.id,
            uses=uses,
        )
        return
    changed = snippet.digests.text != entry.digests.text
    if changes := selection_changes(definition, entry):
        yield Finding(
            rule="SL117",
            place=definition.places.get("source", definition.place),
            message=f"the definition of {definition.id!r} is not the accepted one",
            evidence=(*changes, *(_difference(project, snippet, entry) if changed else ())),
            mend=_look(definition.id),
            snippet=definition.id,
            uses=uses,
        )
    elif changed:
        yield Finding(
            rule="SL103",
            place=definition.place,
            message=f"{snippet.span} is not what was accepted for {definition.id!r}",
            evidence=_difference(project, snippet, entry),
            mend=f"read it where it is shown, then accept it: snippetlock update {definition.id}",
            snippet=definition.id,
            uses=uses,
        )


def _look(name: str) -> str:
    return f"look at it with `snippetlock show {name}`, then accept it: snippetlock update {name}"


def _beneath(project: Project, definition: Definition, failure: Finding) -> Finding | None:
    """The change of the source that made a highlight fail: it comes first, and says so in one finding."""
    entry = project.entry(definition.id)
    if failure.rule not in ("SL107", "SL108") or entry is None or project.lock is None or project.lock.edited:
        return None
    if selection_changes(definition, entry):
        return None
    plain = replace(definition, view=replace(definition.view, highlight=()))
    for finding in _compare(project, plain, project.cutter.cut(plain), replace(entry, view=plain.view)):
        return replace(
            finding,
            evidence=(*finding.evidence, f"{failure.place}  {failure.message}"),
            mend=f"{finding.mend} (once its `highlight` fits the new text)",
        )
    return None


def _difference(project: Project, snippet: Snippet, entry: Entry) -> tuple[str, ...]:
    return difference(accepted_text(project, entry), snippet.text, str(snippet.span))


_RULES: tuple[tuple[type[SnippetlockError], str, tuple[str, ...]], ...] = (
    (HighlightError, "SL107", ("highlight",)),
    (ViewError, "SL114", ("keep", "docstrings", "comments", "show")),
    (AmbiguousSymbol, "SL102", ("source",)),
    (SelectorError, "SL101", ("source",)),
    (MissingFile, "SL101", ("source",)),
    (TreeError, "SL116", ("source",)),
    (SourceError, "SL116", ("source",)),
)


def _failure(project: Project, definition: Definition, error: SnippetlockError) -> Finding:
    """The finding for an error that a definition caused: at the definition, with the error's own place as evidence."""
    rule, keys = next((rule, keys) for kind, rule, keys in _RULES if isinstance(error, kind))
    if isinstance(error, HighlightError) and error.times:
        rule = "SL108"
    where = (error.where,) if error.where and error.where not in error.what else ()
    return Finding(
        rule=rule,
        place=_blamed(definition, (error.key,) if isinstance(error, ViewError) and error.key else keys, error.what),
        message=error.what,
        evidence=(*where, *error.evidence),
        mend=error.mend,
        snippet=definition.id,
        uses=project.uses(definition.id),
    )


def _blamed(definition: Definition, keys: tuple[str, ...], what: str) -> Place:
    """The item of a list that the message quotes, else the first of the keys that the definition has."""
    places = definition.places
    for key in ("keep", "highlight"):
        for number, item in enumerate(getattr(definition.view, key)):
            if key in keys and repr(item) in what:
                return places.get(f"{key}.{number}", definition.place)
    return next((places[key] for key in keys if key in places), definition.place)
