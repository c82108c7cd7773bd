"""What was accepted of a library that is not at hand any more: from a commit of its folder's repository, or kept text.

Nothing is taken on trust. Whatever is found counts only where cutting it gives the text whose digest the lock has.
"""

from __future__ import annotations

import io
import os
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from snippetlock.config import parse_selector
from snippetlock.errors import SnippetlockError
from snippetlock.lock import Entry
from snippetlock.model import Definition, Selector, Snippet, Tree
from snippetlock.source import DictTree, GitTree, pinned_folder
from snippetlock.source.commits import past
from snippetlock.source.repository import holding, local
from snippetlock.text import split_lines
from snippetlock.workflow.cut import Cutter, tree_digest
from snippetlock.workflow.project import Project

__all__ = ["Regained", "regained"]

_COMMITS = 200  # states of a file that are looked at


class Regained(NamedTuple):
    """A tree in which `definition` shows what was accepted: `snippet`. `said` is where it is from.

    `whole` says that the tree is all that there was, and not the text of this snippet alone.
    """

    tree: Tree
    definition: Definition
    snippet: Snippet
    said: str
    whole: bool


def regained(project: Project, entry: Entry, definition: Definition) -> Regained | None:
    """What the lock accepted for a definition, where a commit or the cache still has it. Asks no network."""
    for tree, selector, said, whole in (*_commits(project, entry), *_kept(project, entry)):
        wanted = Definition(
            id=definition.id, selector=selector, view=entry.view, place=definition.place, places=definition.places
        )
        try:
            snippet = Cutter(tree, project.kept, said).cut(wanted)
        except SnippetlockError:
            continue
        if snippet.digests.text == entry.digests.text:
            return Regained(tree, wanted, snippet, said, whole)
    return None


_Try = tuple[Tree, Selector, str, bool]


def _commits(project: Project, entry: Entry) -> Iterator[_Try]:
    """The newest commit in which the snippet's file is as the lock has it, where git looks after the pinned folder."""
    lock = project.lock
    digest = lock.files.get(entry.path) if lock else None
    if digest is None or lock is None or lock.pin.kind != "folder" or project.pin.kind != "folder":
        return
    try:
        folder = Path(os.path.realpath(pinned_folder(project.pin, project.config.root)))
        top = holding(folder)
        root = folder.relative_to(top).as_posix().removeprefix(".")
        repo = local(top)
        for commit in past(repo, f"{root}/{entry.path}".removeprefix("/"), _COMMITS):
            tree = GitTree(repo, commit, root)
            if tree_digest(tree, entry.path) == digest:
                yield tree, parse_selector(entry.selector), f"commit {commit[:10]}", True
                return
    except SnippetlockError:  # nothing of it is kept there, or it cannot be read: then the cache may have it
        return


def _kept(project: Project, entry: Entry) -> Iterator[_Try]:
    """The text that the cache kept, as the only one in its file: by the public name, else where it was defined."""
    text = project.kept.text(entry.digests.text)
    if text is None:
        return
    selector = parse_selector(entry.selector)
    bare = re.split("[#@]", selector.name)[0]
    names = [selector]
    home = entry.path.removesuffix(".py").removesuffix("/__init__")
    if entry.path.endswith(".py") and all(part.isidentifier() for part in home.split("/")):
        names.append(parse_selector(f"{home.replace('/', '.')}:{bare}"))
    for body in _bodies(entry.path, bare, text):
        files = {entry.path: body.encode("utf-8", "surrogateescape")}
        public = f"{selector.module.replace('.', '/')}/__init__.py"
        if len(names) > 1 and selector.module and selector.module != names[1].module:
            first = bare.partition(".")[0]
            files[public] = f"from {names[1].module} import {first} as {first}\n".encode()
        for name in names:
            yield DictTree(files), name, "the kept text", False


def _bodies(path: str, name: str, text: str) -> Iterator[str]:
    """A file that has this text under this name: as it is, or in its classes, with or without what is in strings."""
    outer = name.split(".")[:-1] if path.endswith(".py") else []
    if not outer:
        yield text
        return
    head = "".join(f"{'    ' * depth}class {each}:\n" for depth, each in enumerate(outer))
    lines = split_lines(text)
    for left in (frozenset[int](), _in_strings(text)):
        yield head + "".join(
            line if number in left or not line.strip() else "    " * len(outer) + line
            for number, line in enumerate(lines, start=1)
        )


def _in_strings(text: str) -> frozenset[int]:
    """The lines that begin inside a string."""
    found: set[int] = set()
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.STRING:
                found |= set(range(token.start[0] + 1, token.end[0] + 1))
    except (tokenize.TokenError, SyntaxError):  # the view left out a part: then it is no file of its own
        return frozenset()
    return frozenset(found)
