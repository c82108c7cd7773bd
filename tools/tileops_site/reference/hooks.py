"""Brings the API reference into a build of MkDocs, which calls these functions by their names.

The pages lie nowhere on disk. A server leaves them out: they take most of a build, and nobody edits them.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

from mkdocs.exceptions import BuildError
from mkdocs.plugins import event_priority

from snippetlock.errors import SnippetlockError
from snippetlock.workflow import Project
from tileops_site.made import add_pages, catalogue_of, filled, give_text, language_of, project_of
from tileops_site.reference.markup import Known
from tileops_site.reference.pages import (
    INDEX,
    LANGUAGES,
    MARKER,
    Reference,
    listed,
    made_pages,
    navigation,
    references,
    targets,
)
from tileops_site.reference.unpacking import unpack

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

_CHECKOUT = Path("tileops_ref/checkout")  # below the project; where mkdocs.yml tells mkdocstrings to look


class _Made:
    """What was made for a configuration: a site in two languages is built once for each, out of the same one."""

    serving = False
    config: MkDocsConfig | None = None
    pages: tuple[Reference, ...] = ()
    texts: Mapping[str, str] = MappingProxyType({})


_made = _Made()


def on_startup(command: Literal["build", "gh-deploy", "serve"], dirty: bool) -> None:
    _made.serving = command == "serve"


@event_priority(100)  # before the translation plugin looks at the navigation
def on_config(config: MkDocsConfig) -> MkDocsConfig:
    if _made.config is not config and not _made.serving:
        try:
            _make(project_of(config))
        except SnippetlockError as error:
            raise BuildError(str(error)) from None
        _made.config = config
    if _made.pages:
        config.nav = filled(config.nav, INDEX, navigation(_made.pages))
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    return add_pages(files, config, _made.texts)


def on_pre_page(page: Page, config: MkDocsConfig, files: Files) -> Page:
    return give_text(page, _made.texts)


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    if MARKER not in markdown:
        return markdown
    return markdown.replace(MARKER, listed(_made.pages, language_of(page, LANGUAGES)) if _made.pages else "")


def _make(project: Project) -> None:
    pages = references(project.tree, catalogue_of(project.tree))
    unpack(project.tree, project.config.root / _CHECKOUT)
    _made.pages = pages
    _made.texts = made_pages(pages, f"{project.pin.name} {project.pin.version}")
    Known.targets = targets(pages)
