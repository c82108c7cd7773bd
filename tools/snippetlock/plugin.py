"""The MkDocs plugin `snippetlock`: comforts that only MkDocs can give. Nothing that must hold depends on it.

It opens the project once a build, watches what pages quote, and writes the source views into the site.
"""

from __future__ import annotations

import gc
import logging
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from mkdocs.config.base import Config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import BuildError
from mkdocs.plugins import BasePlugin

from snippetlock import extension
from snippetlock.config import cache_dir, find_root
from snippetlock.errors import SnippetlockError, UsageError
from snippetlock.workflow import Project, open_project
from snippetlock.workflow.sources import State, source_views, write_views
from snippetlock.workflow.stamp import stamp

if TYPE_CHECKING:  # a build has no server, and loading one takes as long as a page
    from mkdocs.livereload import LiveReloadServer

_EXTENSION = ("snippetlock", "snippetlock.extension")  # its two names: that of the entry point, that of the module


class NoOptions(Config):  # type: ignore[no-untyped-call]
    """The plugin has no options of its own: `[tool.snippetlock]` says everything, to the commands as well."""


class SnippetlockPlugin(BasePlugin[NoOptions]):  # type: ignore[no-untyped-call]
    """Opens the project before a build; leaves source views behind after it."""

    seen: object | None = None  # the stamp of the project that is held
    views: Mapping[str, bytes] | None = None  # its source views, once they are made
    left: Mapping[Path, State] | None = None  # the state that each was left in

    def on_startup(self, *, command: Literal["build", "gh-deploy", "serve"], dirty: bool) -> None:
        extension.held.serving = command == "serve"
        # A build makes many objects and throws few away, beside a dictionary of half a million words where a search
        # index reads Chinese: looking through all of them at every turn costs more than our own work.
        gc.set_threshold(20_000, 20, 50)

    def on_config(self, config: MkDocsConfig) -> MkDocsConfig:
        if not any(name in config.markdown_extensions for name in _EXTENSION):
            config.markdown_extensions.append(_EXTENSION[1])
        # Of a warning a strict server dies before it shows the page.
        extension.held.level = logging.INFO if config.strict else logging.WARNING
        # A plugin for languages builds once for each: one look at the project serves them all.
        project, seen = _opened(config)
        if extension.held.project is None or seen is None or seen != self.seen:
            extension.held.project, self.seen, self.views, self.left = project, seen, None, None
        return config

    def on_serve(self, server: LiveReloadServer, /, **_: Any) -> LiveReloadServer:
        for path in _watched(_project()):
            server.watch(str(path))
        return server

    def on_post_build(self, *, config: MkDocsConfig) -> None:
        try:
            if self.views is None:
                self.views = dict(source_views(_project(), directories=config.use_directory_urls))
            self.left = write_views(self.views, Path(config.site_dir), self.left)
        except SnippetlockError as error:
            raise BuildError(str(error)) from None


def _opened(config: MkDocsConfig) -> tuple[Project, object | None]:
    start = Path(config.config_file_path).parent if config.config_file_path else Path.cwd()
    try:
        project = open_project(find_root(start), cache_dir(os.environ))
        _same_pages(project, Path(config.docs_dir))
        return project, stamp(project)
    except SnippetlockError as error:
        raise BuildError(str(error)) from None


def _same_pages(project: Project, built: Path) -> None:
    """Raise `UsageError` where the site is built from a part of the docs, or from more: pages go by their names there.

    A copy of the docs elsewhere, as other plugins make them, has the same names.
    """
    docs, there = project.config.docs.resolve(), built.resolve()
    if docs != there and (docs.is_relative_to(there) or there.is_relative_to(docs)):
        what = f"docs_dir is {there}, and [tool.snippetlock] holds the pages in {docs}"
        raise UsageError(what, mend="name the same folder in mkdocs.yml (docs_dir) and in pyproject.toml (docs)")


def _project() -> Project:
    project = extension.held.project
    assert project is not None  # MkDocs calls on_config before anything else
    return project


def _watched(project: Project) -> tuple[Path, ...]:
    """What pages depend on, besides themselves: definitions, lock, pin, and the library when it is a folder."""
    config, pin = project.config, project.pin
    folder = (config.root / pin.folder,) if pin.kind == "folder" else ()
    return tuple(path for path in (config.snippets, config.lock, config.pin, *folder) if path.exists())
