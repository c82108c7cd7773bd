"""What is wrong with the blocks of a page, by its text and what is defined. Nothing is cut for it."""

from __future__ import annotations

from collections.abc import Iterator

from snippetlock.errors import (
    nearest,
)
from snippetlock.model import Finding
from snippetlock.references import Block
from snippetlock.references.diagrams import DIAGRAMS
from snippetlock.report.text import quantity
from snippetlock.workflow.pages import Page
from snippetlock.workflow.project import Project


def page_findings(project: Project, page: Page) -> Iterator[Finding]:
    """A finding for each block that asks for what there is not, or has no source and does not say why."""
    loose = project.config.unheld != 0  # pages of before have fences with options of other tools
    for problem in page.scan.problems:
        if problem.foreign and loose:
            continue
        place = page.place(problem.line, problem.column)
        yield Finding(rule="SL113", place=place, message=problem.message, mend=problem.mend)
    for block in page.scan.blocks:
        if any(not (problem.foreign and loose) for problem in block.problems):
            continue
        if block.snippet is not None:
            if block.snippet not in project.defined:
                yield _unknown(project, page, block)
        elif block.run is not None:
            if block.run not in project.runs:
                yield _unknown_run(project, page, block)
        elif block.message is not None and not project.config.references:
            yield _unheld(page, block)
        elif block.unheld and project.config.unheld == 0:
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
