"""What a library says is public: the names in the `__all__` of each module that has no private part in its path."""

from __future__ import annotations

from snippetlock.index.index import Index

__all__ = ["public"]


def public(index: Index) -> dict[str, tuple[str, ...]]:
    """The public names of each module, sorted, by the module's dotted name.

    A module without `__all__`, or with one that is not written out, says nothing; nor does a name that begins with an
    underscore, or one that is a module itself.
    """
    found = {}
    for module, number in sorted(index.modules.items()):
        if number < 0 or any(part.startswith("_") for part in module.split(".")):
            continue
        listed = index.file(number).sheet["all"]
        names, complete = listed or ((), False)
        own = {name for name in names if not name.startswith("_") and f"{module}.{name}" not in index.modules}
        if complete and own:
            found[module] = tuple(sorted(own))
    return found
