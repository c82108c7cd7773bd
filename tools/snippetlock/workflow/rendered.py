"""Say which page the text is that a builder renders: the project's own, which is scanned, or one that has to be."""

from __future__ import annotations

from snippetlock.text import normalise
from snippetlock.workflow.pages import Page, language
from snippetlock.workflow.project import Project


def recognise(project: Project, name: str, text: str) -> tuple[Page, int]:
    """The page that a text is of, and how many lines its file has above the text.

    `name` is its path below the docs folder, empty where the builder does not say. It is the project's own page when
    the text is all of its file below the front matter; else one whose text is the one given.
    """
    known = next((page for page in project.pages if page.name == name), None) if name else None
    above, same = _above(known, text) if known else (0, False)
    return (known if known and same else _changed(project, name, text)), above


def _changed(project: Project, name: str, text: str) -> Page:
    """A page whose text is not that of its file, or that has none."""
    config = project.config
    path = config.name(config.docs / name) if name else "this page"
    spoken = language(name, config.languages) if name else config.languages[0]
    return Page(path=path, name=name, language=spoken, text=text, front=False)


def _above(page: Page, text: str) -> tuple[int, bool]:
    """How many lines a builder took off the top of a page's file, and whether that is the front matter alone.

    Nothing is known of a text that is no end of the file.
    """
    lines = normalise(page.text).rstrip("\n").split("\n")
    shown = text.rstrip("\n").split("\n")
    above = len(lines) - len(shown)
    if above < 0 or lines[above:] != shown:
        return 0, False
    return above, above >= page.scan.front and not any(line.strip() for line in lines[page.scan.front : above])
