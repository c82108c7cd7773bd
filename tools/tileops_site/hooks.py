"""What MkDocs and its translation plugin do not do for a site in two languages, and the lists of the library's ops.

MkDocs calls these functions by their names.
"""

from __future__ import annotations

import json
import logging
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mkdocs.exceptions import BuildError
from mkdocs.plugins import event_priority

from snippetlock import extension
from snippetlock.errors import SnippetlockError
from tileops_site.catalogue import Family
from tileops_site.listing import marked, placed
from tileops_site.made import catalogue_of

if TYPE_CHECKING:
    from jinja2 import Environment
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

_INDEX = "search/search_index.json"
_MISSING = "404.html"
_SHEETS = {"api/": "_mkdocstrings", "benchmarks/": "benchmarks"}  # the pages that have a style sheet of their own
# Those, and the colours of Material: all that this site shows of them are in site.css.
_SHEET = re.compile(r'<link rel="stylesheet" href="[^"]*/(_mkdocstrings|benchmarks|palette)\.(?:\w+\.min\.)?css">\s*')
_BLANK = re.compile(r"\s*\n\s*")
_OBJECT = re.compile(r"(?:^|/)api/.*#(?:[a-z_]+\.)+(.+)")  # what the reference has an entry for, without its module


# The Chinese search cuts words with it, and it tells of its dictionary whenever it is loaded.
logging.getLogger("jieba").addFilter(lambda record: record.levelno >= logging.WARNING)


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Put the lists of families and ops in the place of their markers."""
    if not marked(markdown):
        return markdown
    try:
        return placed(markdown, _catalogue(), str(config.theme["language"]))
    except SnippetlockError as error:
        raise BuildError(f"{page.file.src_uri}: {error}") from None


def _catalogue() -> tuple[Family, ...]:
    project = extension.held.project
    assert project is not None  # the plugin has opened it before any page is read
    return catalogue_of(project.tree)


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    return lean(output, page.url.removeprefix(f"{config.theme['language']}/"))


def lean(html: str, url: str) -> str:
    """A page without style sheets that say nothing of it, and without the blank lines that templates leave.

    `url` is the page's address below its language's folder. What stands in the article is left alone.
    """
    wanted = {name for folder, name in _SHEETS.items() if url.startswith(folder)}

    def once(found: re.Match[str]) -> str:
        if found[1] not in wanted:
            return ""
        wanted.remove(found[1])  # in the second language mkdocstrings has its own there twice
        return found[0]

    html = _SHEET.sub(once, html)
    start, end = html.find("<article"), html.rfind("</article>")
    if start < 0:
        return html
    return _BLANK.sub("\n", html[:start]) + html[start:end] + _BLANK.sub("\n", html[end:])


def on_env(env: Environment, config: MkDocsConfig, files: Files) -> None:
    """Keep the error page of the default language: each language's build would overwrite it."""
    templates = config.theme.static_templates  # the same set in every build
    templates.add(_MISSING)
    if config.theme["language"] in _folders(config):
        templates.remove(_MISSING)


@event_priority(-200)  # after the translation plugin (-100), which writes one index for all languages
def on_post_build(config: MkDocsConfig) -> None:
    """Give each language a search index of its own; the theme asks for the one of its page."""
    site = Path(config.site_dir)
    index = site / _INDEX
    if not index.is_file():
        return
    whole = json.loads(index.read_text(encoding="utf-8"))
    parts = split(whole, _folders(config))
    for folder, part in parts.items():
        if part["docs"]:
            _write(site / folder / _INDEX, part)


def split(index: dict[str, Any], folders: tuple[str, ...]) -> dict[str, dict[str, Any]]:
    """One index a language, by folder; "" is the default language. Locations count from the folder."""
    docs: dict[str, list[dict[str, Any]]] = {folder: [] for folder in ("", *folders)}
    for entry in index["docs"]:
        folder = next((f for f in folders if entry["location"].startswith(f"{f}/")), "")
        location = entry["location"].removeprefix(f"{folder}/") if folder else entry["location"]
        docs[folder].append(titled({**entry, "location": location}))
    return {folder: {**index, "docs": entries} for folder, entries in docs.items()}


def titled(entry: dict[str, Any]) -> dict[str, Any]:
    """An entry of the API reference is called what its object is; its heading, a whole signature, becomes text.

    A word of a title counts a thousand times one of the text, and `default` is a parameter of many. What is named by a
    word of the guides is most often a member of something, so members count for less than what has them.
    """
    if not (found := _OBJECT.search(entry["location"])):
        return entry
    boost = entry.get("boost", 1) / (5 if "." in found[1] else 1)
    text = f"<p>{entry['title']}</p> {entry['text']}"
    return {**entry, "title": f"<code>{found[1]}</code>", "text": text, "boost": boost}


def _folders(config: MkDocsConfig) -> tuple[str, ...]:
    """The folders of the languages that are not the default one."""
    plugin = config.plugins.get("i18n")
    if plugin is None:
        return ()
    return tuple(language.locale for language in plugin.config.languages if not language.default)


def _write(path: Path, index: dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(path.name + ".part")
    draft.write_text(json.dumps(index, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")
    os.replace(draft, path)
