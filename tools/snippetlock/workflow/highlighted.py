"""Highlight once for all builds: what Pygments made of a text is kept by the text's digest."""

from __future__ import annotations

from collections.abc import Mapping

from snippetlock import __version__
from snippetlock.report.html import code_lines, pygments_version
from snippetlock.text import sha256
from snippetlock.workflow.project import Project


def highlighted(project: Project, text: str, language: str) -> tuple[str, ...]:
    """Each line of a text as HTML, without its end (`report.html.code_lines`), from the cache where it is there."""
    key = cache_key("lines", language, sha256(text))
    kept = project.kept.get("highlighted", key)
    if kept is None:
        kept = list(code_lines(text, language))
        project.kept.put("highlighted", key, kept)
    return tuple(kept)


def highlighted_all(project: Project, texts: tuple[tuple[str, str], ...]) -> Mapping[tuple[str, str], tuple[str, ...]]:
    """The same for many small texts, each with its language: they are kept in one piece."""
    key = cache_key("all", sha256(repr(texts)))
    kept = project.kept.get("highlighted", key)
    if kept is None:
        kept = [list(code_lines(*each)) for each in texts]
        project.kept.put("highlighted", key, kept)
    return {each: tuple(lines) for each, lines in zip(texts, kept, strict=True)}


def cache_key(*parts: str) -> str:
    """A key for what these parts, this tool and the Pygments at hand make."""
    return sha256("\n".join((__version__, pygments_version(), *parts)))
