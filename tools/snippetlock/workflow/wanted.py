"""What each block of a page is to look like once it is published, or why that cannot be told. Reads no site."""

from __future__ import annotations

from snippetlock.model import Finding, Snippet
from snippetlock.records import dataclass
from snippetlock.references import Block
from snippetlock.workflow.captions import caption_of
from snippetlock.workflow.held import same_pin
from snippetlock.workflow.judging import judge
from snippetlock.workflow.pages import Page
from snippetlock.workflow.project import Project
from snippetlock.workflow.runs import judge_run, said

__all__ = ["Wanted", "drawing_of", "wanted_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """A block that a page asks for: what is to be published, and what the page calls it."""

    key: tuple[str, str]
    block: Block
    name: str
    accepted: str | None = None  # the lock's digest, for a snippet
    held: bool = True  # whether what is published has to be its text
    snippet: Snippet | None = None
    caption: str = ""  # for a run: what its figure has to say


def wanted_of(project: Project, page: Page, block: Block) -> tuple[Wanted | None, Finding | None]:
    """What a block of a page is to look like; nothing for one that has no right to be there."""
    if block.run is not None:
        return _wanted_run(project, page, block)
    if block.snippet is None:
        if block.typed:
            name = "the unsourced block" if block.message is None else "the message"
            return Wanted(key=("text", block.text), block=block, name=name), None
        if block.diagram:
            return Wanted(key=("diagram", drawing_of(block.text)), block=block, name="the diagram"), None
        if block.unheld and project.config.unheld != 0:
            return Wanted(key=("text", block.text), block=block, name="the unheld block", held=False), None
        return None, None
    found = project.defined.get(block.snippet, ())
    place = page.place(block.first, block.columns.get("snippet"))
    if len(found) != 1:
        message = f"the snippet {block.snippet!r} is defined {len(found)} times"
        return None, Finding(
            rule="SL111" if not found else "SL110", place=place, message=message, snippet=block.snippet
        )
    snippet, failure = judge(project, found[0])
    if snippet is None:
        return None, failure
    entry = project.entry(block.snippet)
    accepted: str | None = entry.digests.text if entry else ""
    if project.lock is None or project.lock.edited or not same_pin(project):
        accepted = None  # nothing counts as accepted, and the finding about the whole lock says so for all
    key = ("text", snippet.text)
    return Wanted(key=key, block=block, name=repr(snippet.id), accepted=accepted, snippet=snippet), None


def _wanted_run(project: Project, page: Page, block: Block) -> tuple[Wanted | None, Finding | None]:
    name = block.run or ""
    if name not in project.runs:
        place = page.place(block.first, block.columns.get("run"))
        return None, Finding(rule="SL131", place=place, message=f"no run has the id {name!r}")
    found = judge_run(project, name)
    if isinstance(found, Finding):
        return None, found
    caption = caption_of(project, page, project.runs[name].example, found)
    key = ("text", said(found.command, found.output))
    return Wanted(key=key, block=block, name=f"the run {name!r}", caption=caption), None


def drawing_of(text: str) -> str:
    """A diagram's text as far as it matters: a program reads it, and renderers differ in blanks."""
    return "\n".join(" ".join(line.split()) for line in text.strip().split("\n"))
