"""What takes the place of a marker (`<!-- snippetlock: rules -->`), and which blocks it publishes."""

from __future__ import annotations

from collections.abc import Callable

from snippetlock.references import Block, Marker
from snippetlock.references.places import address, published
from snippetlock.report.classes import classes_html
from snippetlock.report.coverage import coverage_html
from snippetlock.report.labels import labels
from snippetlock.report.rulebook import Section, anchor, index_html, rule_samples, rule_sections
from snippetlock.report.verification import verification_html
from snippetlock.workflow.coverage import coverage
from snippetlock.workflow.highlighted import highlighted_all
from snippetlock.workflow.pages import Page
from snippetlock.workflow.project import Project
from snippetlock.workflow.verification import verification


def generated(
    project: Project, page: Page, marker: Marker, locate: Callable[[str], str], *, directories: bool
) -> tuple[str, tuple[Section, ...]]:
    """The HTML of a marker, and the sections below it. Raises a `SnippetlockError` where a snippet cannot be cut."""
    words = labels(page.language)
    if marker.name == "rules":
        kept = highlighted_all(project, tuple((sample.text, sample.language) for sample in rule_samples()))

        def lines(text: str, language: str) -> tuple[str, ...]:
            return kept[text, language]

        return index_html(words, lines), tuple(rule_sections(words, lines))
    if marker.name == "classes":
        return classes_html(words, lambda code: _section(project, page, code, locate, directories)), ()
    if marker.name == "coverage":
        return coverage_html(coverage(project, page.language), words), ()
    return verification_html(verification(project, page.language, directories=directories), words, locate), ()


def generated_blocks(marker: Marker) -> tuple[Block, ...]:
    """The code blocks that a marker publishes, in order, as a proof of the site looks for them."""
    if marker.name != "rules":
        return ()
    return tuple(
        Block(
            kind="fence",
            first=marker.first,
            last=marker.last,
            prefix=marker.prefix,
            language=sample.language,
            content=tuple(sample.text.removesuffix("\n").split("\n")),
        )
        for sample in rule_samples()
    )


def _section(project: Project, page: Page, code: str, locate: Callable[[str], str], directories: bool) -> str:
    """The address of a rule's section as a page sees it; empty where no page of its language shows the rules."""
    for other in project.pages:
        if other.language == page.language and any(marker.name == "rules" for marker in other.scan.markers):
            if other is page:
                return f"#{anchor(code)}"
            file = published(other.name, other.language, project.config.languages, directories=directories)
            return f"{locate(address(file))}#{anchor(code)}"
    return ""
