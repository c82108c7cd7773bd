"""Render pages as sites do, and read what a browser would show of it."""

from __future__ import annotations

from markdown import Markdown

from snippetlock.references.published import preformatted

COMMON = ["pymdownx.details", "pymdownx.tabbed", "pymdownx.blocks.admonition", "admonition", "def_list", "footnotes"]
COMMON += ["md_in_html", "tables", "attr_list"]
NONE = COMMON
PLAIN = ["fenced_code", *COMMON]
SUPER = ["pymdownx.superfences", "pymdownx.highlight", *COMMON]
OPTIONS = {"pymdownx.tabbed": {"alternate_style": True}, "pymdownx.highlight": {"use_pygments": False}}


def render(page: str, extensions: list, options: dict | None = None) -> str:
    configs = {name: value for name, value in OPTIONS.items() if name in extensions}
    return Markdown(extensions=extensions, extension_configs={**configs, **(options or {})}).convert(page)


def published(html: str) -> list[str]:
    return [pre.text for pre in preformatted(html)]
