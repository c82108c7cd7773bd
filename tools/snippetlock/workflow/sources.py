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

State = tuple[int, ...]
"""What tells a file from the same one written to since, or from one put in its place, without reading it."""


def write_views(views: Mapping[str, bytes], site: Path, known: Mapping[Path, State] | None = None) -> dict[Path, State]:
    """Write views below `site`, each whole or not at all; one that is there as it is stays untouched.

    Returns the state that each was left in. Given as `known` with the same views, it saves reading those again that
    nobody touched since.
    """
    left: dict[Path, State] = {}
    for name, data in views.items():
        file = site / name
        state = _state(file)
        if state is None or state != (known or {}).get(file):
            if state is None or file.read_bytes() != data:
                file.parent.mkdir(parents=True, exist_ok=True)
                temporary = file.with_name(f".{file.name}.{os.getpid()}")
                temporary.write_bytes(data)
                temporary.replace(file)
            state = _state(file)
        if state is not None:
            left[file] = state
    return left


def _state(file: Path) -> State | None:
    try:
        found = os.stat(file)
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


def source_views(project: Project, *, directories: bool = True) -> Iterator[tuple[str, bytes]]:
    """Each view's name below the site's root, and its HTML in UTF-8."""
    languages = project.config.languages
    notice = _licence(project)
    titles = {page.path: title(page) for page in project.pages}
    for path, snippets in sorted(quoted_files(project).items()):
        digest, count, code = _code(project, path, snippets)  # the same in every language
        for reader in languages:
            name = source_view(path, reader, languages)
            links = _links(project, titles, name, directories)
            home = relative(address(f"{prefix(reader, languages)}index.html"), name)
            view = View(
                path=path,
                code=code,
                count=count,
                digest=digest,
                pin=project.pin,
                quoted=tuple(_quoted(project, snippet, links, reader) for snippet in snippets),
                licence="" if project.is_own(path) else notice,
                root=relative("", name),
                home=home if directories else f"{home}index.html",
                twins=tuple(_twin(path, other, languages, name) for other in languages if other != reader),
                own=project.is_own(path),
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


def _links(project: Project, titles: Mapping[str, str], name: str, directories: bool) -> dict[str, Link]:
    """A link from the view `name` to each page, by the page's path."""
    languages = project.config.languages

    def href(page: Page) -> str:
        return relative(address(published(page.name, page.language, languages, directories=directories)), name)

    return {page.path: Link(href=href(page), text=titles[page.path], language=page.language) for page in project.pages}


def _quoted(project: Project, snippet: Snippet, links: Mapping[str, Link], reader: str) -> Quoted:
    """A quotation with the pages of the reader's language that show it, or of any when none of those does."""
    users = [links[path] for path in dict.fromkeys(place.path for place in project.uses(snippet.id))]
    own = [link for link in users if link.language == reader] or users
    return Quoted(
        id=snippet.id, first=snippet.span.first, last=snippet.span.last, shown=_shown(snippet), pages=tuple(own)
    )


def _shown(snippet: Snippet) -> frozenset[int]:
    return frozenset(number for number in snippet.numbers if number is not None)


def _licence(project: Project) -> str:
    """The library's licence, from the cache where the tree is one fixed artifact: then its zip stays closed."""
    identity = project.tree.identity
    key = sha256(identity or "")
    kept = project.kept.get("licences", key) if identity else None
    if kept is None:
        kept = licence(project.tree)  # type: ignore[arg-type]  # every tree of `source` can say its notices
        if identity:
            project.kept.put("licences", key, kept)
    return str(kept)


def _code(project: Project, path: str, snippets: list[Snippet]) -> tuple[str, int, bytes]:
    """A file's SHA-256, how many lines it has, and its code as HTML; from the cache where it has the same marks there.

    A file of a tree that is one fixed artifact is not even read then.
    """
    tree, language = project.files, snippets[0].language
    fixed = None if project.is_own(path) else project.tree.identity
    data = b"" if fixed else tree.read(path)
    marks = [(snippet.span.first, snippet.span.last, sorted(_shown(snippet))) for snippet in snippets]
    key = cache_key("view", language, path, fixed or sha256(data), repr(marks))
    kept = project.kept.data("views", key)
    if kept is None:
        data = data or tree.read(path)
        text = decode(data, path, language == "python")
        lines = highlighted(project, text, language)
        kept = f"{sha256(data)} {len(lines)}\n{source_code(text, lines, marks)}".encode("utf-8", "surrogatepass")
        project.kept.put_data("views", key, kept)
    facts, _, html = kept.partition(b"\n")
    digest, count = facts.decode("ascii").split(" ")
    return digest, int(count), html
