"""The pages of a project in groups: a page, and its twins in the other languages. Judges nothing."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Mapping
from urllib.parse import unquote

from snippetlock.records import dataclass
from snippetlock.references.structure import Structure, structure
from snippetlock.workflow.front import Front, read_front
from snippetlock.workflow.pages import Page
from snippetlock.workflow.project import Project

__all__ = ["Group", "Sheet", "common", "groups", "led", "one_file", "twin_path"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """A page with what it has in common with its twin, and what its front matter says of that."""

    page: Page
    shape: Structure
    front: Front


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """One page in every language that it is there in, by language. `name` is that of the first language's."""

    name: str
    sheets: Mapping[str, Sheet]


def groups(project: Project) -> tuple[Group, ...]:
    """Every page of the project, sorted by name."""
    languages = project.config.languages
    found: dict[str, dict[str, Sheet]] = {}
    for page in project.pages:
        sheet = Sheet(page=page, shape=structure(page.text, page.scan), front=read_front(page.text, page.scan.front))
        found.setdefault(common(page.name, languages), {}).setdefault(page.language, sheet)
    return tuple(Group(name=name, sheets=found[name]) for name in sorted(found))


def common(name: str, languages: tuple[str, ...]) -> str:
    """A file's name without its language: that of the page in the first one."""
    folder, slash, file = name.rpartition("/")
    parts = file.split(".")
    if len(parts) > 2 and parts[-2] in languages:
        del parts[-2]
    return f"{folder}{slash}{'.'.join(parts)}"


def twin_path(path: str, language: str, languages: tuple[str, ...]) -> str:
    """Where the twin of a page in another language is, from the path of the page in any."""
    whole = common(path, languages)
    stem, dot, suffix = whole.rpartition(".")
    return whole if language == languages[0] else f"{stem}.{language}{dot}{suffix}"


def led(target: str, page: Page, languages: tuple[str, ...]) -> str:
    """Where a link of a page leads, said so that its twin's link to the same is the same: from the docs folder."""
    if ":" in target.partition("/")[0] or target.startswith(("//", "/")):
        return target
    path, mark, anchor = target.partition("#")
    path, query, asked = path.partition("?")
    here = common(page.name, languages)
    joined = posixpath.normpath(posixpath.join(posixpath.dirname(here), unquote(path))) if path else here
    return f"{common(joined, languages)}{query}{asked}{mark}{anchor}"


def one_file(project: Project, one: Sheet, other: Sheet) -> bool:
    """Whether two pages are one file, by links."""
    root = project.config.root
    return os.path.realpath(root / one.page.path) == os.path.realpath(root / other.page.path)
