"""How much of the library's public names the pages of a language speak of, in inline code or by showing it."""

from __future__ import annotations

import re

from snippetlock.references.speech import speech
from snippetlock.report.coverage import Covered
from snippetlock.workflow.pages import Page
from snippetlock.workflow.project import Project

_WORD = re.compile(r"[^\W\d]\w*")


def coverage(project: Project, language: str) -> tuple[Covered, ...]:
    """One entry a public module, in order. A name counts for each module that has it, like one that is exported twice.

    Whether a mention is right is no matter here: a check has said that. Raises what reading the library does.
    """
    from snippetlock.index import open_index
    from snippetlock.index.public import public
    from snippetlock.workflow.cache import tool_stamp

    named: set[str] = set()
    for page in project.pages:
        if page.language == language:
            named |= _named(project, page)
    index = open_index(project.tree, project.kept, tool_stamp())
    return tuple(
        Covered(
            module=module,
            named=tuple(name for name in names if name in named),
            silent=tuple(name for name in names if name not in named),
        )
        for module, names in public(index).items()
    )


def _named(project: Project, page: Page) -> set[str]:
    """The identifiers in a page's code spans, and what the snippets that it shows are called."""
    texts = [said.text for said in speech(page.text, page.scan.layout).spans]
    for block in page.scan.blocks:
        for definition in project.defined.get(block.snippet or "", ()):
            texts.append(definition.selector.name)
    return {word for text in texts for word in _WORD.findall(text)}
