"""What the hooks of this site share: pages that lie nowhere on disk, and one look at the library for all of them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mkdocs.structure.files import File

from snippetlock.config import cache_dir, find_root
from snippetlock.model import Tree
from snippetlock.workflow import Project, open_project
from tileops_site.catalogue import Family, read_catalogue

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page


class _Kept:
    """What was opened and read last: MkDocs builds once for each language, out of the same configuration."""

    config: MkDocsConfig | None = None
    project: Project | None = None
    tree: Tree | None = None
    catalogue: tuple[Family, ...] = ()


_kept = _Kept()


def project_of(config: MkDocsConfig) -> Project:
    """The docs project of a configuration, opened once for it. Raises a `SnippetlockError` where there is none."""
    if _kept.project is None or _kept.config is not config:
        root = find_root(Path(config.config_file_path).parent)
        _kept.project, _kept.config = open_project(root, cache_dir(os.environ)), config
    return _kept.project


def catalogue_of(tree: Tree) -> tuple[Family, ...]:
    """The families and ops of a tree, read once for it. Raises as `read_catalogue` does."""
    same = tree is _kept.tree or (_kept.tree is not None and tree.identity and tree.identity == _kept.tree.identity)
    if not same:
        _kept.catalogue, _kept.tree = read_catalogue(tree), tree
    return _kept.catalogue


def add_pages(files: Files, config: MkDocsConfig, names: Iterable[str]) -> Files:
    """Let MkDocs know of pages that are made."""
    for name in names:
        # Not `File.generated`: the translation plugin makes its own file of each, and forgets what was in it.
        files.append(File(name, config.docs_dir, config.site_dir, config.use_directory_urls))
    return files


def give_text(page: Page, texts: Mapping[str, str]) -> Page:
    """Give a made page its text. Not by `on_page_read_source`, which only one hook of a site may answer."""
    if page.file.src_uri in texts:
        page.file.content_string = texts[page.file.src_uri]
    return page


def language_of(page: Page, languages: Sequence[str]) -> str:
    """The language that a page's name says, the first one where it says none."""
    return next((one for one in languages if page.file.src_uri.endswith(f".{one}.md")), languages[0])


def filled(nav: Iterable[Any] | None, index: str, entries: list[Any]) -> list[Any]:
    """The navigation with all pages of a section in the place of its first one."""
    return [_filled(item, index, entries) for item in nav or ()]


def _filled(item: Any, index: str, entries: list[Any]) -> Any:
    return dict.fromkeys(item, entries) if isinstance(item, dict) and index in item.values() else item
