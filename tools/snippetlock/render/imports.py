"""Import statements in one order: sorting them, splitting or joining them is layout."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from snippetlock.render.normal import Statement, statements

__all__ = ["bound", "in_order"]


def in_order(every: Iterable[Statement]) -> Iterator[Statement]:
    """The statements, with those of each run of imports one a name, sorted; the comments of a run follow it.

    A run that binds a name twice, or anything by a star, stays as it is: there the order decides.
    """
    run: list[Statement] = []
    for statement in every:
        imports = _is_import(statement)
        if run and statement.depth >= 0 and not (imports and statement.depth == run[0].depth):
            yield from _sorted(run)
            run = []
        if run or imports:
            run.append(statement)
        else:
            yield statement
    yield from _sorted(run)


def bound(text: str) -> frozenset[str]:
    """The names that the import statements of a text bind; `*` for those of a star."""
    every = (one for statement in statements(text) if _is_import(statement) for one in _single(statement))
    return frozenset(_binds(one)[0] for one in every)


def _is_import(statement: Statement) -> bool:
    return statement.depth >= 0 and statement.pieces[0] in ("import", "from") and "import" in statement.pieces


def _sorted(run: list[Statement]) -> list[Statement]:
    single = [one for statement in run if statement.depth >= 0 for one in _single(statement)]
    origins: dict[str, tuple[str, ...]] = {}
    for one in single:
        name, origin = _binds(one)
        if name == "*" or origins.setdefault(name, origin) != origin:
            return run
    return [*sorted(single, key=lambda one: one.pieces), *(s for s in run if s.depth < 0)]


def _single(statement: Statement) -> Iterator[Statement]:
    """An import statement as one for each of its names."""
    pieces = statement.pieces
    at = pieces.index("import") + 1
    clause: list[str] = []
    for piece in (*pieces[at:], ","):
        if piece == ",":
            yield statement._replace(pieces=(*pieces[:at], *clause))
            clause = []
        else:
            clause.append(piece)


def _binds(one: Statement) -> tuple[str, tuple[str, ...]]:
    """The name that an import of one name binds, and what to: `import a.b` and `import a.c` both bind `a`."""
    if "as" in one.pieces or one.pieces[0] == "from":
        return one.pieces[-1], one.pieces[: one.pieces.index("as")] if "as" in one.pieces else one.pieces
    return one.pieces[1], one.pieces[:2]
