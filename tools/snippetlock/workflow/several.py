"""A snippet that means several things in the older of two states already: which, and what it is in the newer one."""

from __future__ import annotations

from snippetlock.errors import AmbiguousSymbol, RepositoryError, SnippetlockError, ViewError
from snippetlock.model import Definition, Tree
from snippetlock.render import Laid
from snippetlock.select import find

__all__ = ["is_several", "several"]


def is_several(error: SnippetlockError) -> bool:
    """Whether an error says that something is there more than once."""
    return isinstance(error, AmbiguousSymbol) or (isinstance(error, ViewError) and error.several)


def several(definition: Definition, error: SnippetlockError, tree: Tree, states: tuple[str, str]) -> str:
    """What is to be said of it, in a line. `tree` is of the newer of the two `states`; raises `RepositoryError`."""
    old, new = states
    which = ""
    if isinstance(error, AmbiguousSymbol):
        which = ": " + ", ".join(f"{selector} ({path}:{line})" for selector, path, line in error.candidates)
        left = error.count - len(error.candidates)
        which += f" and {left} more" if left else ""
    return f"at {old} already: {error.headline}{which}; {_now(definition, tree, new)}"


def _now(definition: Definition, tree: Tree, new: str) -> str:
    try:
        laid = Laid(definition.id, find(tree, definition.selector), definition.view)
        return f"at {new} it is one, {laid.span}"
    except RepositoryError:
        raise
    except SnippetlockError as error:
        return f"at {new} too" if is_several(error) else f"at {new}: {error.headline}"
