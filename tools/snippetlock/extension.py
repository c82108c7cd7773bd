"""The Markdown extension `snippetlock`: puts what `workflow.filling` says into the page's text. Thin.

Works with Python-Markdown alone. What MkDocs knows of the page being rendered is used where it is at hand.

A directive becomes a placeholder for finished HTML behind the same prefix, so it lands wherever the directive
stood, at any depth. That is done after whitespace is normalised (30) and front matter is gone (27), and before
anybody else looks for fences (25); the page is read as it was before normalising, or tabs would be lost.
"""

from __future__ import annotations

import logging
import os
import re
import sys
from collections.abc import Callable
from html import escape
from pathlib import Path
from typing import Any

from markdown import Markdown
from markdown.extensions import Extension
from markdown.inlinepatterns import InlineProcessor
from markdown.preprocessors import Preprocessor

from snippetlock.config import cache_dir, find_root
from snippetlock.errors import SnippetlockError
from snippetlock.records import dataclass
from snippetlock.references.lines import expand
from snippetlock.references.places import address, published, relative
from snippetlock.report.rulebook import Section
from snippetlock.text import normalise
from snippetlock.workflow import Page, Project, open_project
from snippetlock.workflow.filling import Filling, fill, page_error
from snippetlock.workflow.rendered import recognise


@dataclass(slots=True)
class Held:
    """The project that a builder opened for this build, and whether its author is at work (`mkdocs serve`).

    `level` is that of what is logged then. `page` is what is being rendered: the builder's file, the renderer, lines.
    """

    project: Project | None = None
    serving: bool = False
    level: int = logging.WARNING
    page: tuple[object, Markdown, list[str]] | None = None


_CLAIM = r"<!--[ \t]*claim[ \t]*:"
_log = logging.getLogger("mkdocs.plugins.snippetlock")  # what MkDocs shows in its terminal

# Builders make a Markdown object a page, so what all pages share lives here; `plugin` sets it for each build.
held = Held()


class SnippetlockExtension(Extension):
    """Fill directives from the pinned library. Options are strings; an empty one means "find out"."""

    def __init__(self, **options: Any) -> None:
        self.config = {
            "root": ["", "the project's folder; by default the nearest one above the working directory"],
            "page": ["", "the page's path below the docs folder, where the builder does not say"],
            "sources": ["", "the address of the folder of source views as the page sees it"],
        }
        super().__init__(**options)

    def extendMarkdown(self, md: Markdown) -> None:
        as_written = _AsWritten(md)
        md.preprocessors.register(as_written, "snippetlock-text", 40)
        md.preprocessors.register(_Fill(md, as_written, self.getConfigs()), "snippetlock", 26)
        # After code spans (190), and before anybody takes `[a][not b]` for a link; comments as such come at 90.
        md.inlinePatterns.register(_Claims(_CLAIM, md), "snippetlock-claim", 185)


class _AsWritten(Preprocessor):
    """Keeps the page's lines as they were before whitespace is normalised."""

    lines: tuple[str, ...] = ()

    def run(self, lines: list[str]) -> list[str]:
        self.lines = tuple(normalise("\n".join(lines)).split("\n"))
        return lines


class _Claims(InlineProcessor):
    """Claims within a text, as the comments that they are: nothing in them is a link or a mark."""

    def handleMatch(self, m: re.Match[str], data: str) -> tuple[str | None, int | None, int | None]:  # type: ignore[override]
        end = data.find("-->", m.end())
        if end < 0:
            return None, None, None
        return self.md.htmlStash.store(data[m.start() : end + 3]), m.start(), end + 3


class _Fill(Preprocessor):
    def __init__(self, md: Markdown, as_written: _AsWritten, options: dict[str, str]) -> None:
        super().__init__(md)
        self.as_written = as_written
        self.options = options

    def run(self, lines: list[str]) -> list[str]:
        if self._within_a_page(lines):
            return lines
        try:
            return self._filled(lines)
        except SnippetlockError as error:
            raise _failure(error, self._file()) from None

    def _within_a_page(self, lines: list[str]) -> bool:
        """Whether another extension renders a text of its own for a page, like a docstring.

        What code is in that is none of the page's: a proof of the site says whether it may be there.
        """
        file = self._file()
        if file and held.page and held.page[0] is file and held.page[1] is not self.md and held.page[2] != lines:
            return True
        held.page = (file, self.md, list(lines)) if file else None
        return False

    def _filled(self, lines: list[str]) -> list[str]:
        written = self.as_written.lines
        same = all(expand(a) == b for a, b in zip(written, lines, strict=False)) and len(lines) >= len(written)
        text = "\n".join(written if same else lines)
        project = held.project or open_project(self._root(), cache_dir(os.environ))
        page, above, locate, directories = self._page(project, text)
        # Lines of the file become lines of the text by `above`; where the text is another, nothing has to move.
        whole = page.text is not text
        filled = fill(project, page, locate, directories=directories, above=0 if whole else above)
        if filled.findings and not held.serving:
            raise page_error(filled)
        for message in filled.messages():  # the page says it in a box, which nobody may be looking at
            _log.log(held.level, message)
        up = above if whole else 0
        for filling in reversed(filled.fillings):
            lines[max(0, filling.first - 1 - up) : max(0, filling.last - up)] = self._placed(filling)
        return lines

    def _placed(self, filling: Filling) -> list[str]:
        held_place = filling.prefix + self.md.htmlStash.store(filling.html)
        lines = [held_place] if filling.first <= filling.last else [held_place, ""]
        inside = "".join(character if character in "> " else " " for character in filling.prefix)
        for section in filling.sections:
            lines += [inside, inside + self._heading(section), inside]
            lines += [inside + self.md.htmlStash.store(section.html), inside] if section.html else []
        return lines

    def _heading(self, section: Section) -> str:
        """A heading of the page's own, where its anchor can be said; else one that is no part of its contents."""
        if "attr_list" in self.md.treeprocessors:
            return f"{'#' * section.level} {section.title} {{ #{section.anchor} }}"
        tag = f"h{section.level}"
        return self.md.htmlStash.store(f'<{tag} id="{escape(section.anchor)}">{escape(section.title)}</{tag}>')

    def _root(self) -> Path:
        return Path(self.options["root"]) if self.options["root"] else find_root(Path.cwd())

    def _file(self) -> Any:
        """MkDocs' object for the file being rendered, which is not public; None for other builders."""
        known = self.md.treeprocessors
        return getattr(known["relpath"], "file", None) if "relpath" in known else None

    def _page(self, project: Project, text: str) -> tuple[Page, int, Callable[[str], str], bool]:
        """The page being rendered, the number of its file's lines above the text, how it links, whether to folders."""
        languages = project.config.languages
        file = self._file()
        name = str(getattr(file, "src_uri", "") or self.options["page"])
        page, above = recognise(project, name, text)
        directories = bool(getattr(file, "use_directory_urls", True))
        here = published(name, page.language, languages, directories=directories) if name else ""
        here = str(getattr(file, "url", "")) if file else address(here)
        sources = self.options["sources"]

        def locate(target: str) -> str:
            if sources and "sources/" in target:
                return sources.rstrip("/") + "/" + target.partition("sources/")[2]
            return relative(target, "" if here in (".", "./") else here)

        return page, above, locate, directories


def _failure(error: SnippetlockError, file: Any) -> Exception:
    """MkDocs' clean failure when MkDocs is what runs us, else the error itself. Never imports MkDocs."""
    exceptions = sys.modules.get("mkdocs.exceptions") if file else None
    return exceptions.BuildError(str(error)) if exceptions else error


def makeExtension(**options: Any) -> SnippetlockExtension:
    """What Python-Markdown calls when the extension is named by its module."""
    return SnippetlockExtension(**options)
