"""Say what takes the place of each directive of a page. Changes no text: the Markdown extension does.

Everything a page asks for is tried, so that one look tells its author all that is wrong with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from snippetlock.errors import SnippetlockError
from snippetlock.model import Finding, Snippet
from snippetlock.records import dataclass, replace
from snippetlock.references import Block, Comment, Marker
from snippetlock.references.lines import INDENT, expand, opening
from snippetlock.references.places import source_view
from snippetlock.report.html import figure, message_figure, problem_box, run_figure, unsourced_figure
from snippetlock.report.labels import Labels, labels
from snippetlock.report.rulebook import Section
from snippetlock.text import split_lines
from snippetlock.workflow.directives import page_findings
from snippetlock.workflow.generated import generated
from snippetlock.workflow.highlighted import highlighted
from snippetlock.workflow.judging import judge, unaccepted
from snippetlock.workflow.pages import Page
from snippetlock.workflow.project import Project
from snippetlock.workflow.runs import judge_run, said


@dataclass(frozen=True, slots=True, kw_only=True)
class Filling:
    """HTML for lines `first` to `last` of a page's text (1-based), to stand behind the prefix of the first.

    `sections` follow it, each with a heading that is to be one of the page's own: in its contents, with an anchor.
    """

    first: int
    last: int
    prefix: str
    html: str
    sections: tuple[Section, ...] = ()


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
        filled = "" if mine else _block(project, page, block, locate)
        if isinstance(filled, Finding):
            findings.append(filled)
            mine = [filled]
        html = _box(mine, above, words) if mine else str(filled)
        if html:
            fillings.append(_filling(block, html))
    for marker in page.scan.markers:
        html, sections = generated(project, page, marker, locate, directories=directories)
        fillings.append(replace(_filling(marker, html), sections=sections))
    fillings += _hidden_fences(page)
    boxed = [block for block in page.scan.blocks if any(filling.first == block.first for filling in fillings)]
    loose = [finding for finding in findings if not any(_within(finding, block) for block in boxed)]
    if loose:
        front = page.scan.front
        fillings.append(Filling(first=front + 1, last=front, prefix="", html=_box(loose, above, words)))
    moved = [_moved(finding, above) for finding in findings]
    return Filled(
        fillings=tuple(sorted(fillings, key=lambda filling: (filling.first, filling.last))),
        findings=tuple(sorted(moved, key=lambda f: (f.place.line or 0, f.place.column or 0, f.message))),
    )


def _block(project: Project, page: Page, block: Block, locate: Callable[[str], str]) -> str | Finding:
    """The HTML of a block with which nothing is wrong so far; empty for one that is the site's business."""
    words = labels(page.language)
    if block.snippet is not None:
        snippet = _cut(project, page, block)
        if isinstance(snippet, Finding):
            return snippet
        view = source_view(snippet.span.path, page.language, project.config.languages)
        code = highlighted(project, snippet.text, snippet.language)
        own = project.is_own(snippet.span.path)
        return figure(snippet, project.pin, words, locate(view), code, own=own)
    if block.run is not None:
        found = judge_run(project, block.run)
        if isinstance(found, Finding):
            place = page.place(block.first, block.columns.get("run"))
            return replace(found, place=place, evidence=(f"defined at {found.place}", *found.evidence), uses=())
        text = said(found.command, found.output)
        example = project.examples + project.runs[block.run].example
        return run_figure(block.run, example, found.library, found.facts, text, words)
    if block.typed:
        title, code = block.options.get("title", ""), highlighted(project, block.text, block.language)
        if block.message is not None:
            return message_figure(block.text, block.language, block.message, words, title, code)
        return unsourced_figure(block.text, block.language, block.unsourced or "", words, title, code)
    return ""


def _hidden_fences(page: Page) -> Iterator[Filling]:
    """Comments with a fence in them: a renderer looks for fences inside comments too, the scanner does not."""
    lines = split_lines(page.text) if page.scan.comments else ()
    for comment in page.scan.comments:
        if any(opening(expand(line.rstrip("\r\n"))) for line in lines[comment.first : comment.last]):
            yield _filling(comment, "<!-- -->")


def _box(findings: Sequence[Finding], above: int, words: Labels) -> str:
    return problem_box([message(_moved(finding, above)) for finding in findings], words)


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


def _cut(project: Project, page: Page, block: Block) -> Snippet | Finding:
    """Cut the snippet of a directive; where that fails, the finding stands at the directive."""
    place = page.place(block.first, block.columns.get("snippet"))
    name = block.snippet or ""
    found = project.defined[name]
    if len(found) > 1:
        evidence = tuple(str(definition.place) for definition in found)
        message = f"the snippet {name!r} is defined {len(found)} times"
        return Finding(
            rule="SL110", place=place, message=message, evidence=evidence, mend="keep one of them", snippet=name
        )
    snippet, failure = judge(project, found[0])
    if snippet is not None:
        # Whatever builds the site, and whether or not `check` ran before it: nothing unaccepted is published.
        failure = next(unaccepted(project, found[0], snippet), None)
        if failure is None:
            return snippet
    assert failure is not None  # it is one or the other
    evidence = (f"defined at {failure.place}", *failure.evidence)
    return replace(failure, place=place, evidence=evidence, uses=())


def page_error(filled: Filled) -> SnippetlockError:
    """One error that says everything wrong with a page."""
    first, *rest = filled.messages()
    return SnippetlockError("\n".join([first, *rest]))
