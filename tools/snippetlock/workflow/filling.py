"""Say what takes the place of each directive of a page. Changes no text: the Markdown extension does.

Everything a page asks for is tried, so that one look tells its author all that is wrong with it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from snippetlock.errors import SnippetlockError
from snippetlock.model import Finding, Snippet
from snippetlock.references import Block, Comment, Marker
from snippetlock.references.lines import INDENT, expand, opening
from snippetlock.references.places import source_view
from snippetlock.report.html import figure, problem_box, unsourced_figure
from snippetlock.report.labels import labels
from snippetlock.report.verification import verification_html
from snippetlock.text import split_lines
from snippetlock.workflow.checks import judge, page_findings
from snippetlock.workflow.pages import Page
from snippetlock.workflow.project import Project
from snippetlock.workflow.verification import verification


@dataclass(frozen=True, slots=True, kw_only=True)
class Filling:
    """HTML for lines `first` to `last` of a page's text (1-based), to stand behind the prefix of the first."""

    first: int
    last: int
    prefix: str
    html: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Filled:
    """What a page becomes, and what is wrong with it. With findings, `fillings` hold boxes that say so."""

    fillings: tuple[Filling, ...]
    findings: tuple[Finding, ...]

    def messages(self) -> tuple[str, ...]:
        """Each finding as text: where, what, evidence, mend."""
        return tuple(message(finding) for finding in self.findings)


def fill(
    project: Project, page: Page, locate: Callable[[str], str], *, directories: bool = True, above: int = 0
) -> Filled:
    """Fill a page. `locate` turns an address below the site's root into one that the page can link to.

    `above` is how many lines of the page's file are not in `page.text`; findings count them. Raises a
    `SnippetlockError` for what is wrong with the whole project: no pin, a lock that cannot be read.
    """
    words = labels(page.language)
    findings = list(page_findings(project, page))
    fillings: list[Filling] = []
    for block in page.scan.blocks:
        mine = [finding for finding in findings if _within(finding, block)]
        html = ""
        if block.snippet is not None and not mine:
            snippet, failure = _cut(project, page, block)
            if snippet is not None:
                view = source_view(snippet.span.path, page.language, project.config.languages)
                html = figure(snippet, project.pin, words, locate(view))
            elif failure is not None:
                findings.append(failure)
                mine = [failure]
        elif block.unsourced is not None and not mine:
            html = unsourced_figure(block.text, block.language, block.unsourced, words, block.options.get("title", ""))
        if mine:
            html = problem_box([message(_moved(finding, above)) for finding in mine], words)
        if html:
            fillings.append(_filling(block, html))
    for marker in page.scan.markers:
        record = verification(project, page.language, directories=directories)
        fillings.append(_filling(marker, verification_html(record, words, locate)))
    lines = split_lines(page.text)
    for comment in page.scan.comments:
        # The renderer looks for fences inside comments too; the scanner does not.
        if any(opening(expand(line.rstrip("\r\n"))) for line in lines[comment.first : comment.last]):
            fillings.append(_filling(comment, "<!-- -->"))
    boxed = {filling.first for filling in fillings}
    loose = [f for f in findings if not any(_within(f, b) and b.first in boxed for b in page.scan.blocks)]
    if loose:
        html = problem_box([message(_moved(finding, above)) for finding in loose], words)
        fillings.append(Filling(first=page.scan.front + 1, last=page.scan.front, prefix="", html=html))
    return Filled(
        fillings=tuple(sorted(fillings, key=lambda filling: (filling.first, filling.last))),
        findings=tuple(
            sorted(
                (_moved(f, above) for f in findings), key=lambda f: (f.place.line or 0, f.place.column or 0, f.message)
            )
        ),
    )


def message(finding: Finding) -> str:
    """A finding as text of several lines: where and what, then the evidence, then how to mend it."""
    mend = [f"  mend: {finding.mend}"] if finding.mend else []
    return "\n".join([f"{finding.place}: {finding.message}", *(f"  {line}" for line in finding.evidence), *mend])


def _moved(finding: Finding, lines: int) -> Finding:
    line = finding.place.line
    return replace(finding, place=replace(finding.place, line=line + lines)) if line else finding


def _filling(piece: Block | Marker | Comment, html: str) -> Filling:
    prefix = piece.prefix
    if isinstance(piece, Block) and piece.kind == "indented":
        prefix = prefix[: -len(INDENT)]  # behind all of it the HTML would be code itself
    return Filling(first=piece.first, last=piece.last, prefix=prefix, html=html)


def _within(finding: Finding, block: Block) -> bool:
    return block.first <= (finding.place.line or 0) <= block.last


def _cut(project: Project, page: Page, block: Block) -> tuple[Snippet | None, Finding | None]:
    """Cut the snippet of a directive; where that fails, the finding stands at the directive."""
    place = page.place(block.first, block.columns.get("snippet"))
    name = block.snippet or ""
    found = project.defined[name]
    if len(found) > 1:
        evidence = tuple(str(definition.place) for definition in found)
        return None, Finding(
            rule="SL110",
            place=place,
            message=f"the snippet {name!r} is defined {len(found)} times",
            evidence=evidence,
            mend="keep one of them",
            snippet=name,
        )
    snippet, failure = judge(project, found[0])
    if failure is None:
        return snippet, None
    evidence = (f"defined at {failure.place}", *failure.evidence)
    return None, Finding(
        rule=failure.rule, place=place, message=failure.message, evidence=evidence, mend=failure.mend, snippet=name
    )


def page_error(filled: Filled) -> SnippetlockError:
    """One error that says everything wrong with a page."""
    first, *rest = filled.messages()
    return SnippetlockError("\n".join([first, *rest]))
