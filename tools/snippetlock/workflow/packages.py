"""Which folders at the top of a library's tree are packages that snippets come from, or went to."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from snippetlock.model import Definition

__all__ = ["BESIDE", "is_beside", "packages", "top"]

BESIDE = frozenset({"benchmarks", "docs", "examples", "scripts", "test", "tests"})  # they have copies of everything


def packages(definitions: Iterable[Definition]) -> set[str]:
    """The top-level names that the definitions take from."""
    return {top(each.selector.path or each.selector.module.replace(".", "/")) for each in definitions}


def top(path: str) -> str:
    """The package of a path, or the module where it is a file at the top."""
    return path.split("/")[0].removesuffix(".py")


def is_beside(path: str, wanted: Collection[str]) -> bool:
    """Whether a file is in a folder beside the packages, and in none of those wanted."""
    name = top(path)
    return (name in BESIDE or name.startswith(".")) and name not in wanted
