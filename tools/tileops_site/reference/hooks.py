"""Brings the API reference into a build of MkDocs, which calls these functions by their names.

The pages lie nowhere on disk. A server leaves them out: they take most of a build, and nobody edits them.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

from mkdocs.exceptions import BuildError
from mkdocs.plugins import event_priority
from mkdocs.structure.files import File

from snippetlock.config import cache_dir, find_root
from snippetlock.errors import SnippetlockError
from snippetlock.workflow import open_project
from tileops_site.catalogue import read_catalogue
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
            _make(Path(config.config_file_path).parent)
        except SnippetlockError as error:
            raise BuildError(str(error)) from None
        _made.config = config
    config.nav = [_filled(item) for item in config.nav or []]
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    for name in _made.texts:
        # Not `File.generated`: the translation plugin makes its own file of each, and forgets what was in it.
        files.append(File(name, config.docs_dir, config.site_dir, config.use_directory_urls))
    return files


def on_pre_page(page: Page, config: MkDocsConfig, files: Files) -> Page:
    """Give a made page its text. Not by `on_page_read_source`, which only one hook may answer: the benchmarks do."""
    if page.file.src_uri in _made.texts:
        page.file.content_string = _made.texts[page.file.src_uri]
    return page


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    if MARKER not in markdown:
        return markdown
    language = next((one for one in LANGUAGES if page.file.src_uri.endswith(f".{one}.md")), LANGUAGES[0])
    return markdown.replace(MARKER, listed(_made.pages, language) if _made.pages else "")


def _make(root: Path) -> None:
    project = open_project(find_root(root), cache_dir(os.environ))
    pages = references(project.tree, read_catalogue(project.tree))
    unpack(project.tree, project.config.root / _CHECKOUT)
    _made.pages = pages
    _made.texts = made_pages(pages, f"{project.pin.name} {project.pin.version}")
    Known.targets = targets(pages)


def _filled(item: Any) -> Any:
    """The entry of the section with all its pages; any other as it is."""
    if isinstance(item, dict) and INDEX in item.values():
        return {title: navigation(_made.pages) for title in item} if _made.pages else item
    return item
