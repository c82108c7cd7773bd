"""What a project that begins may quote first: a short thing that the library itself offers.

It is looked for with patterns over a few files, in an order that says what is likely; that it can be quoted, the
cutter says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from snippetlock.config import parse_selector
from snippetlock.errors import SnippetlockError, TreeError, UsageError
from snippetlock.model import Definition, Place, Snippet, Tree, View
from snippetlock.workflow.cache import Cache
from snippetlock.workflow.cut import Cutter
from snippetlock.workflow.layout import outside, plain_name
from snippetlock.workflow.packages import top

__all__ = ["foremost"]

_PUBLIC = re.compile(r"^(?:class|def|async def)[ \t]+([A-Za-z]\w*)", re.M)
_HANDED_ON = re.compile(r"^from[ \t]+[.\w]+[ \t]+import[ \t]*(?:\(((?:#.*|[^)#])*)\)|([^\n(]+))", re.M)
_ALL = re.compile(r"^__all__\b[^=\n]*=[ \t]*[\[(]((?:#.*|[^\])#])*)[\])]", re.M)
_LONGEST = 40  # lines of a good first example
_TRIED = 40  # files to look through for one


def foremost(tree: Tree, cache: Path, name: str, id: str) -> Snippet:
    """Something public of the library called `name` that can be quoted, short if there is any.

    Only without it something private, or of its tests. Raises `UsageError` when the library has neither.
    """
    cutter = Cutter(tree, Cache(cache))
    best: Snippet | None = None
    hidden = False  # whether the best is private
    for selector, private in _candidates(tree, name):
        if private and best is not None and not hidden:
            return best
        try:
            snippet = cutter.cut(
                Definition(id=id, selector=parse_selector(selector), view=View(), place=Place(path=""), places={})
            )
        except SnippetlockError:
            continue
        if len(snippet.numbers) <= _LONGEST:
            return snippet
        best, hidden = (best, hidden) if best else (snippet, private)
    if best is None:
        raise UsageError(
            "nothing public was found to quote in the library", mend="name the folder that holds its packages"
        )
    return best


def _candidates(tree: Tree, library: str) -> Iterator[tuple[str, bool]]:
    """Selectors to try: what shallow public files define and hand on, then what private ones define (True).

    The package that is called like the library comes first, and its tests and examples come last.
    """

    def order(path: str) -> tuple[bool, bool, bool, int, str]:
        other = plain_name(top(path)) != plain_name(library)
        return _beside(path), other, _private(path), path.count("/"), path

    paths = sorted((path for path in tree.paths() if path.endswith(".py")), key=order)
    for path in paths[:_TRIED]:
        module = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        if all(part.isidentifier() for part in module.split(".")):
            try:
                text = tree.read(path).decode("utf-8", errors="replace")
            except TreeError:  # the library may have what nobody can quote: a link to nothing, a file of no rights
                continue
            for name in (*(found[1] for found in _PUBLIC.finditer(text)), *_handed_on(text)):
                yield f"{module}:{name}", _private(path) or _beside(path)


def _beside(path: str) -> bool:
    return outside(path.rpartition("/")[0])


def _handed_on(text: str) -> Iterator[str]:
    """The public names that a module imports from others, as it calls them, and those of its `__all__`."""
    for found in _HANDED_ON.finditer(text):
        for item in re.sub("#.*", "", found[1] or found[2]).split(","):
            name = (item.split() or [""])[-1]
            if re.fullmatch(r"[A-Za-z]\w*", name):
                yield name
    for found in _ALL.finditer(text):
        yield from re.findall(r"[\"']([A-Za-z]\w*)[\"']", re.sub("#.*", "", found[1]))


def _private(path: str) -> bool:
    return any(part.startswith("_") for part in path.removesuffix("__init__.py").split("/"))
