"""Brings the benchmark pages into a build of MkDocs, which calls these functions by their names.

`SNAPSHOT` names a night, or a folder of several; `none` builds without one. Without it the branch that
`tileops_ref/benchmarks.yaml` names is shown as far as the cache has it: nothing is fetched while a site is built. The
pages lie nowhere on disk.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from mkdocs.exceptions import BuildError
from mkdocs.plugins import event_priority

from snippetlock.errors import RepositoryError, SnippetlockError
from snippetlock.workflow import Project
from tileops_site.benchmarks.book import Book
from tileops_site.benchmarks.model import Night
from tileops_site.benchmarks.opening import named
from tileops_site.benchmarks.section import (
    FOLDER,
    MARKER,
    at_path,
    book_of,
    fetched_place,
    labels,
    made_pages,
    marked,
    navigation,
    read_nights,
)
from tileops_site.benchmarks.settings import load_settings
from tileops_site.benchmarks.words import LANGUAGES, WORDS
from tileops_site.made import add_pages, filled, give_text, language_of, project_of

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page


class _Made:
    """What was made for a configuration: a site in two languages is built once for each, out of the same one.

    A server reads its configuration again for every build, and keeps this module.
    """

    config: MkDocsConfig | None = None
    book: Book | None = None
    pages: Mapping[str, str] = MappingProxyType({})
    history = False


_made = _Made()


@event_priority(100)  # before the translation plugin looks at the navigation
def on_config(config: MkDocsConfig) -> MkDocsConfig:
    if _made.config is not config:
        try:
            _make(project_of(config))
        except SnippetlockError as error:
            raise BuildError(str(error)) from None
        _made.config = config
    entries = navigation(night=_made.book is not None, history=_made.history)
    config.nav = filled(config.nav, f"{FOLDER}index.md", entries)
    plugin = config.plugins.get("i18n")
    for language in plugin.config.languages if plugin else ():
        if language.locale in WORDS and not language.default:
            language.nav_translations = {**(language.nav_translations or {}), **labels(language.locale)}
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    return add_pages(files, config, _made.pages)


def on_pre_page(page: Page, config: MkDocsConfig, files: Files) -> Page:
    return give_text(page, _made.pages)


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    if MARKER not in markdown:
        return markdown
    return markdown.replace(MARKER, marked(_made.book, language_of(page, LANGUAGES)))


def _make(project: Project) -> None:
    nights = _nights(project, os.environ.get("SNAPSHOT", ""))
    _made.book = book_of(project, nights[-1]) if nights else None
    _made.pages = made_pages(_made.book, nights) if _made.book else {}
    _made.history = len(nights) > 1


def _nights(project: Project, snapshot: str) -> tuple[Night, ...]:
    if snapshot == "none":
        return ()
    settings = load_settings(project.config.root)
    if snapshot:
        return at_path(named(project.config.root / snapshot, project.config.root), settings)
    try:
        place = fetched_place(project, settings, ask=False, environ={})
    except RepositoryError:  # not in the cache: nobody has asked for it on this machine
        return ()
    return read_nights((place,), settings)
