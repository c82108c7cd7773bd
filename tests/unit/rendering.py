"""Render pages as sites do, and read what a browser would show of it."""

from __future__ import annotations

from pathlib import Path

from markdown import Markdown

from snippetlock.references.published import Pre, read
from snippetlock.workflow import Project
from snippetlock.workflow.sources import source_views, write_views

COMMON = ["pymdownx.details", "pymdownx.tabbed", "pymdownx.blocks.admonition", "admonition", "def_list", "footnotes"]
COMMON += ["md_in_html", "tables", "attr_list"]
NONE = COMMON
PLAIN = ["fenced_code", *COMMON]
SUPER = ["pymdownx.superfences", "pymdownx.highlight", *COMMON]
OPTIONS = {"pymdownx.tabbed": {"alternate_style": True}, "pymdownx.highlight": {"use_pygments": False}}


def render(page: str, extensions: list, options: dict | None = None) -> str:
    configs = {name: value for name, value in OPTIONS.items() if name in extensions}
    return Markdown(extensions=extensions, extension_configs={**configs, **(options or {})}).convert(page)


def preformatted(html: str) -> tuple[Pre, ...]:
    """The blocks of a page, without what is uncertain."""
    return read(html).blocks


def write_source_views(project: Project, site: Path, *, directories: bool = True) -> tuple[str, ...]:
    """Write the views below `site`; their names."""
    views = dict(source_views(project, directories=directories))
    write_views(views, site)
    return tuple(views)


def published(html: str) -> list[str]:
    return [pre.text for pre in preformatted(html)]
