"""The Markdown extension `snippetlock`: puts what `workflow.filling` says into the page's text. Thin.

Works with Python-Markdown alone. What MkDocs knows of the page being rendered is used where it is at hand.

A directive becomes a placeholder for finished HTML behind the same prefix, so it lands wherever the directive
stood, at any depth. That is done after whitespace is normalised (30) and front matter is gone (27), and before
anybody else looks for fences (25); the page is read as it was before normalising, or tabs would be lost.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from markdown import Markdown
from markdown.extensions import Extension
from markdown.preprocessors import Preprocessor

from snippetlock.config import cache_dir, find_root
from snippetlock.errors import SnippetlockError
from snippetlock.references import scan
from snippetlock.references.lines import expand
from snippetlock.references.places import address, published, relative
from snippetlock.text import normalise
from snippetlock.workflow import Page, Project, open_project
from snippetlock.workflow.filling import Filling, fill, page_error
from snippetlock.workflow.pages import language as language_of


@dataclass(slots=True)
class Held:
    """The project that a builder opened for this build, and whether its author is at work (`mkdocs serve`)."""

    project: Project | None = None
    serving: bool = False


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


class _AsWritten(Preprocessor):
    """Keeps the page's lines as they were before whitespace is normalised."""

    lines: tuple[str, ...] = ()

    def run(self, lines: list[str]) -> list[str]:
        self.lines = tuple(normalise("\n".join(lines)).split("\n"))
        return lines


class _Fill(Preprocessor):
    def __init__(self, md: Markdown, as_written: _AsWritten, options: dict[str, str]) -> None:
        super().__init__(md)
        self.as_written = as_written
        self.options = options

    def run(self, lines: list[str]) -> list[str]:
        try:
            return self._filled(lines)
        except SnippetlockError as error:
            raise _failure(error) from None

    def _filled(self, lines: list[str]) -> list[str]:
        written = self.as_written.lines
        same = all(expand(a) == b for a, b in zip(written, lines, strict=False)) and len(lines) >= len(written)
        text = "\n".join(written if same else lines)
        project = held.project or open_project(self._root(), cache_dir(os.environ))
        page, locate, directories = self._page(project, text)
        above = _lines_above(project, page.name, text)
        filled = fill(project, page, locate, directories=directories, above=above)
        if filled.findings and not held.serving:
            raise page_error(filled)
        for filling in reversed(filled.fillings):
            lines[filling.first - 1 : filling.last] = self._placed(filling)
        return lines

    def _placed(self, filling: Filling) -> list[str]:
        held_place = filling.prefix + self.md.htmlStash.store(filling.html)
        return [held_place] if filling.first <= filling.last else [held_place, ""]

    def _root(self) -> Path:
        return Path(self.options["root"]) if self.options["root"] else find_root(Path.cwd())

    def _page(self, project: Project, text: str) -> tuple[Page, Callable[[str], str], bool]:
        """The page being rendered, how it links, and whether pages have folders as addresses."""
        languages = project.config.languages
        relpath = self.md.treeprocessors["relpath"] if "relpath" in self.md.treeprocessors else None  # noqa: SIM401
        file = getattr(relpath, "file", None)  # MkDocs' own, and not public
        name = str(getattr(file, "src_uri", "") or self.options["page"])
        page = Page(
            path=project.config.name(project.config.docs / name) if name else "this page",
            name=name,
            language=language_of(name, languages) if name else languages[0],
            text=text,
            scan=scan(text, front=False),
        )
        directories = bool(getattr(file, "use_directory_urls", True))
        here = (
            str(getattr(file, "url", ""))
            if file
            else address(published(name, page.language, languages, directories=directories) if name else "")
        )
        sources = self.options["sources"]

        def locate(target: str) -> str:
            if sources and "sources/" in target:
                return sources.rstrip("/") + "/" + target.partition("sources/")[2]
            return relative(target, "" if here in (".", "./") else here)

        return page, locate, directories


def _lines_above(project: Project, name: str, text: str) -> int:
    """How many lines of the page's file a builder took off its top (front matter), when that can be told."""
    whole = next((normalise(page.text) for page in project.pages if page.name == name), "") if name else ""
    body = text.strip("\n")
    if not body or not whole.rstrip("\n").endswith(body):
        return 0
    return whole.count("\n", 0, whole.rindex(body)) - (len(text) - len(text.lstrip("\n")))


def _failure(error: SnippetlockError) -> Exception:
    """MkDocs' clean failure when MkDocs is what runs us, else the error itself. Never imports MkDocs."""
    exceptions = sys.modules.get("mkdocs.exceptions")
    return exceptions.BuildError(str(error)) if exceptions else error


def makeExtension(**options: Any) -> SnippetlockExtension:
    """What Python-Markdown calls when the extension is named by its module."""
    return SnippetlockExtension(**options)
