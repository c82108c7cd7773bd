"""Write a source view of each file that the docs quote, in each language, into a finished site."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from snippetlock.model import Snippet
from snippetlock.references.places import address, prefix, published, relative, source_view
from snippetlock.report.labels import labels
from snippetlock.report.sourceview import Link, Quoted, View, source_code, source_page
from snippetlock.source.notice import licence
from snippetlock.text import decode, sha256
from snippetlock.workflow.highlighted import cache_key, highlighted
from snippetlock.workflow.pages import Page
from snippetlock.workflow.project import Project
from snippetlock.workflow.verification import title


def write_source_views(project: Project, site: Path, *, directories: bool = True) -> tuple[str, ...]:
    """Write the views below `site` and return their names.

    Raises a `SnippetlockError` for a snippet that cannot be cut, and OSError for a folder that cannot be written.
    """
    views = dict(source_views(project, directories=directories))
    write_views(views, site)
    return tuple(views)


def write_views(views: Mapping[str, str], site: Path) -> None:
    """Write views below `site`, each whole or not at all; one that is there as it is stays untouched."""
    for name, html in views.items():
        file, data = site / name, html.encode("utf-8", "surrogatepass")
        file.parent.mkdir(parents=True, exist_ok=True)
        if not file.exists() or file.read_bytes() != data:
            temporary = file.with_name(f".{file.name}.{os.getpid()}")
            temporary.write_bytes(data)
            temporary.replace(file)


def source_views(project: Project, *, directories: bool = True) -> Iterator[tuple[str, str]]:
    """Each view's name below the site's root, and its HTML."""
    languages = project.config.languages
    pages = {page.path: page for page in project.pages}
    notice = licence(project.tree)  # type: ignore[arg-type]  # every tree of `source` can say its notices
    for path, snippets in sorted(quoted_files(project).items()):
        data = project.tree.read(path)
        language = snippets[0].language
        text = decode(data, path, language == "python")
        digest, code, count = sha256(data), "", 0
        for reader in languages:
            name = source_view(path, reader, languages)
            quoted = tuple(_quoted(project, snippet, pages, reader, name, directories) for snippet in snippets)
            if not code:  # the same in every language
                code, count = _code(project, text, language, quoted)
            home = relative(address(f"{prefix(reader, languages)}index.html"), name)
            view = View(
                path=path,
                code=code,
                count=count,
                digest=digest,
                pin=project.pin,
                quoted=quoted,
                licence=notice,
                root=relative("", name),
                home=home if directories else f"{home}index.html",
                twins=tuple(_twin(path, other, languages, name) for other in languages if other != reader),
            )
            yield name, source_page(view, labels(reader))


def _twin(path: str, language: str, languages: tuple[str, ...], name: str) -> Link:
    address = relative(source_view(path, language, languages), name)
    return Link(href=address, text=labels(language).own_name, language=language)


def quoted_files(project: Project) -> dict[str, list[Snippet]]:
    """The snippets of each file of the tree that a page shows, in the order of their lines."""
    found: dict[str, list[Snippet]] = {}
    for name in sorted(project.defined):
        if project.uses(name):
            snippet = project.snippet(name)
            found.setdefault(snippet.span.path, []).append(snippet)
    for snippets in found.values():
        snippets.sort(key=lambda snippet: (snippet.span.first, snippet.span.last, snippet.id))
    return found


def _quoted(
    project: Project, snippet: Snippet, pages: dict[str, Page], reader: str, name: str, directories: bool
) -> Quoted:
    """A quotation with the pages of the reader's language that show it, or of any when none of those does."""
    users = [pages[path] for path in dict.fromkeys(place.path for place in project.uses(snippet.id))]
    own = [page for page in users if page.language == reader] or users
    languages = project.config.languages
    links = tuple(
        Link(
            href=relative(address(published(page.name, page.language, languages, directories=directories)), name),
            text=title(page),
            language=page.language,
        )
        for page in own
    )
    span = snippet.span
    shown = frozenset(number for number in snippet.numbers if number is not None)
    return Quoted(id=snippet.id, first=span.first, last=span.last, shown=shown, pages=links)


def _code(project: Project, text: str, language: str, quoted: tuple[Quoted, ...]) -> tuple[str, int]:
    """The file's code as HTML and how many lines it has, from the cache where it is there with the same marks."""
    marks = [(q.first, q.last, sorted(q.shown)) for q in quoted]
    key = cache_key("view", language, sha256(text), repr(marks))
    kept = project.kept.get("highlighted", key)
    if kept is None:
        lines = highlighted(project, text, language)
        kept = [source_code(text, lines, quoted), len(lines)]
        project.kept.put("highlighted", key, kept)
    return str(kept[0]), int(kept[1])
