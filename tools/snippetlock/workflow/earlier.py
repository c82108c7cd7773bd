"""What a section was when its twin was made from it: from the cache, or from the history of the docs' own repository.

A digest names one text for ever, so what was found once is kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import unified_diff

from snippetlock.errors import RepositoryError
from snippetlock.references.structure import Section, structure
from snippetlock.source.versions import versions
from snippetlock.workflow.pages import Page
from snippetlock.workflow.project import Project

__all__ = ["Earlier", "change", "remember"]

_KIND = "sections"
_MOST = 300  # commits of a page that are looked through
_SHOWN = 60  # lines of a difference
_END = re.compile(r"(?<=[.!?;:。！？；：])[ ]+|(?<=[。！？；])")


def remember(project: Project, section: Section) -> None:
    """Keep a section by its digest, so that it can be shown when it has changed."""
    project.kept.put(_KIND, section.digest, list(section.units))


class Earlier:
    """Looks for sections by their digests. `why` says of each page that was looked through why some were not found.

    `missed` is whether any was not: a commit can bring it. Reads the history of a page once, the newest first, and no
    further than it must.
    """

    def __init__(self, project: Project) -> None:
        self.why: dict[str, str] = {}
        self.missed = False
        self._project = project
        self._seen: dict[str, dict[str, tuple[str, ...]]] = {}
        self._history: dict[str, Iterator[dict[str, tuple[str, ...]]]] = {}

    def units(self, page: Page, digest: str) -> tuple[str, ...] | None:
        """The units of the section of a page that had this digest; None where it cannot be had."""
        kept = self._project.kept.get(_KIND, digest)
        if kept is not None:
            return tuple(kept)
        seen = self._seen.setdefault(page.path, {})
        history = self._history.setdefault(page.path, self._versions(page))
        while digest not in seen and (older := next(history, None)) is not None:
            seen.update(older)
        if digest in seen:
            self._project.kept.put(_KIND, digest, list(seen[digest]))
        self.missed = self.missed or digest not in seen
        return seen.get(digest)

    def _versions(self, page: Page) -> Iterator[dict[str, tuple[str, ...]]]:
        self.why[page.path] = f"the history of {page.path} at hand has no such text"
        try:
            for _, data in versions(self._project.config.root / page.path, _MOST):
                text = data.decode("utf-8-sig", "replace")
                yield {section.digest: section.units for section in structure(text).sections}
        except RepositoryError as error:
            self.why[page.path] = f"the history of {page.path} cannot be read: {error.what}"


def change(old: tuple[str, ...], new: tuple[str, ...]) -> tuple[str, ...]:
    """What differs between two states of a section, sentence by sentence: `-` before what was, `+` before what is."""
    lines = list(unified_diff(_sentences(old), _sentences(new), lineterm="", n=1))[2:]
    said = ["…" if line.startswith("@@") else f"{line[0]} {line[1:]}" for line in lines]
    said = said[1:] if said[:1] == ["…"] else said
    left_out = len(said) - _SHOWN
    return (*said[:_SHOWN], f"… {left_out} more lines") if left_out > 1 else tuple(said)


def _sentences(units: tuple[str, ...]) -> list[str]:
    found: list[str] = []
    for unit in units:
        found += unit.split("\n") if unit.startswith("```") else [part for part in _END.split(unit) if part]
    return found
