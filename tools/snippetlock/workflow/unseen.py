"""Characters in what is quoted that nobody sees, or that turn the order of a line: a page shows them byte for byte.

Looked for in the lines that the lock accepted, so that nothing is cut for it. Only where one of these has such a
character, the snippet is: a view may leave that line out.
"""

from __future__ import annotations

from collections.abc import Iterator

from snippetlock.errors import SnippetlockError
from snippetlock.lock import Entry
from snippetlock.model import Definition, Finding
from snippetlock.reading import read_file
from snippetlock.text import decode, split_lines
from snippetlock.workflow.project import Project

__all__ = ["unseen"]


def unseen(project: Project) -> Iterator[Finding]:
    """A finding for each snippet of which a line hides something. What cannot be read is somebody else's to tell."""
    files: dict[str, str] = {}
    for name, definitions in project.defined.items():
        entry = project.entry(name)
        if entry is None:
            continue
        if entry.path not in files:
            files[entry.path] = _suspect(project, entry.path)
        if files[entry.path]:
            yield from _hidden(project, definitions[0], entry, files[entry.path])


def _suspect(project: Project, path: str) -> str:
    """The text of a file that has such a character somewhere; empty for every other, and for what is no text."""
    data = _bytes(project, path)
    if data.isascii():
        return ""
    from snippetlock.references.characters import hides

    try:
        text = decode(data, path, python=path.endswith((".py", ".pyi")))
    except SnippetlockError:
        return ""
    return text if hides(text) else ""


def _bytes(project: Project, path: str) -> bytes:
    try:
        return read_file(project.config.root / path) if project.is_own(path) else project.tree.read(path)
    except (SnippetlockError, OSError):
        return b""


def _shown(project: Project, definition: Definition) -> str:
    """The text of a snippet; empty where it cannot be cut, which is a finding of its own."""
    try:
        return project.cutter.cut(definition).text
    except SnippetlockError:
        return ""


def _hidden(project: Project, definition: Definition, entry: Entry, text: str) -> Iterator[Finding]:
    from snippetlock.references.characters import hidden_code

    problems = list(hidden_code(text, entry.first, entry.last))
    shown = _shown(project, definition) if problems else ""
    lines = split_lines(text)
    for problem in problems:
        if shown and lines[problem.line - 1].strip() not in shown:
            continue
        yield Finding(
            rule="SL503",
            place=definition.places.get("source", definition.place),
            message=f"what it quotes has {problem.message}",
            evidence=(f"{entry.path}:{problem.line}:{problem.column}  {problem.mend}",),
            mend="quote the lines around it, with `from` and `to`, and tell the library's developers",
            snippet=entry.id,
        )
