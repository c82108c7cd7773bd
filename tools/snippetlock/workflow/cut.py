"""Cut snippets, through a cache. Knows what a cut depends on, and reuses one only while all of that is unchanged.

A cut is a pure function of the files it consulted, the selector, the view and this tool. So a kept one is used
when the selector, the view and the tool are the same and either the tree is one fixed artifact and the same
one, or each consulted file has the digest it had, and each that had to be absent still is.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from hashlib import sha256
from typing import Any

from snippetlock.errors import SnippetlockError
from snippetlock.model import VIEW_KEYS, Definition, Digests, Selector, Snippet, Span, Tree, View
from snippetlock.records import replace
from snippetlock.text import decode, split_lines
from snippetlock.text import sha256 as digest_of
from snippetlock.workflow.cache import Cache, tool_stamp


class Cutter:
    """Cuts from one tree. `place` is the folder of a tree that has no identity.

    Paths that begin with `own` are of the project's examples: these are read from `files`, and change under us whatever
    the tree is. Without `own` there are none.

    `digests` are those of every file that decided something so far, None for one that had to be absent.
    `failed` says that a cut failed, or a file could not be read: then what was consulted is not among them; or that
    a file was seen in two states, and they hold but the first.
    """

    def __init__(self, tree: Tree, cache: Cache, place: str = "", *, own: str = "", files: Tree | None = None) -> None:
        self.tree = tree
        self.place = place
        self.own = own
        self.files = files if files is not None else tree
        self.digests: dict[str, str | None] = {}
        self.failed = False
        self._cache = cache
        self._cuts: dict[str, Snippet] = {}  # a page in two languages, its source view and the record ask for the same
        self._lines: dict[str, tuple[str, ...]] = {}
        self._stamp = ""

    def cut(self, definition: Definition) -> Snippet:
        """The snippet of a definition. Raises what `select` and `render` raise."""
        key = self._key(definition.selector, definition.view)
        if key in self._cuts:
            return replace(self._cuts[key], id=definition.id)
        self._cuts[key] = snippet = self._cut(definition, key)
        return snippet

    def _cut(self, definition: Definition, key: str) -> Snippet:
        kept = self._cache.get("snippets", key)
        if kept is not None and self.unchanged((path, digest) for path, digest in kept["consulted"]):
            return _loaded(kept, definition)
        # Only here: whoever finds everything in the cache does not pay for the parser.
        from snippetlock.render import render
        from snippetlock.select import find

        try:
            snippet = render(
                definition.id, find(self._tree(definition.selector.path), definition.selector), definition.view
            )
        except SnippetlockError:
            self.failed = True
            raise
        for path, digest in snippet.consulted:
            self._saw(path, digest)
        self._cache.put("snippets", key, _dumped(snippet))
        self._cache.keep_text(snippet.digests.text, snippet.text)
        return snippet

    def unchanged(self, consulted: Iterable[tuple[str, str | None]]) -> bool:
        """Whether files are as they were; always so for those of the same fixed artifact."""
        return all(self._fixed(path) or self._digest(path) == digest for path, digest in consulted)

    def is_own(self, path: str) -> bool:
        """Whether a path is of the project's own examples."""
        return bool(self.own) and path.startswith(self.own)

    def _tree(self, path: str) -> Tree:
        return self.files if self.is_own(path) else self.tree

    def _fixed(self, path: str) -> bool:
        return self.tree.identity is not None and not self.is_own(path)

    def lines(self, path: str) -> tuple[str, ...]:
        """The lines of a file, with their ends. Raises `TreeError` and `SourceError`."""
        if path not in self._lines:
            try:
                data = self._tree(path).read(path)
            except SnippetlockError:
                self.failed = True
                raise
            if not self._fixed(path):
                self._saw(path, digest_of(data))
            self._lines[path] = split_lines(decode(data, path, path.endswith((".py", ".pyi"))))
        return self._lines[path]

    def _saw(self, path: str, digest: str | None) -> None:
        if self.digests.setdefault(path, digest) != digest:
            self.failed = True

    def _digest(self, path: str) -> str | None:
        if path not in self.digests:
            try:
                self.digests[path] = tree_digest(self._tree(path), path)
            except SnippetlockError:
                self.failed = True
                return "refused"  # as no file is: whoever wants it will cut, and hear why
        return self.digests[path]

    def _key(self, selector: Selector, view: View) -> str:
        self._stamp = self._stamp or tool_stamp()
        asked = [
            self._stamp,
            f"own:{self.place}" if self.is_own(selector.path) else self.tree.identity or f"folder:{self.place}",
            selector.text,
            [getattr(view, name) for name in VIEW_KEYS.values()],
        ]
        return sha256(json.dumps(asked).encode()).hexdigest()


def tree_digest(tree: Tree, path: str) -> str | None:
    """The SHA-256 of a file of the tree, or None when there is none. Raises `TreeError` for one that is refused."""
    return digest_of(tree.read(path)) if tree.has(path) else None


def _dumped(snippet: Snippet) -> dict[str, Any]:
    digests = snippet.digests
    return {
        "span": [snippet.span.path, snippet.span.first, snippet.span.last],
        "language": snippet.language,
        "text": snippet.text,
        "numbers": snippet.numbers,
        "highlight": snippet.highlight,
        "digests": [digests.text, digests.tokens, digests.code, digests.signature],
        "consulted": snippet.consulted,
    }


def _loaded(kept: dict[str, Any], definition: Definition) -> Snippet:
    path, first, last = kept["span"]
    text, tokens, code, signature = kept["digests"]
    return Snippet(
        id=definition.id,
        selector=definition.selector,
        view=definition.view,
        span=Span(path=path, first=first, last=last),
        language=kept["language"],
        text=kept["text"],
        numbers=tuple(kept["numbers"]),
        highlight=tuple(kept["highlight"]),
        digests=Digests(text=text, tokens=tokens, code=code, signature=signature),
        consulted=tuple((path, digest) for path, digest in kept["consulted"]),
    )
