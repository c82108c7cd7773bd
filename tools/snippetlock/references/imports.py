"""What a program imports of the library, and what it gives to a call. Reads syntax trees; nothing is run."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from snippetlock.records import replace
from snippetlock.references.bench import Bench
from snippetlock.references.naming import judge_name
from snippetlock.references.verdicts import Verdict

__all__ = ["given", "imported"]

_IMPORTING = {"ImportError", "ModuleNotFoundError", "AttributeError", "Exception", "BaseException"}
_NAMED = (ast.Name, ast.Attribute)


def imported(bench: Bench, tree: ast.AST) -> Iterator[tuple[ast.stmt, ast.alias, str, str, Verdict]]:
    """What a program imports of the library.

    Each as the statement and the part of it, what that binds, the dotted name that is read below it (empty where the
    name is imported from another place too), and the verdict. What may fail is left aside: it may be for another
    state of the library. Of several names of a module that is not there only the first says that it is not.
    """
    guarded = {id(inner) for node in ast.walk(tree) if _may_fail(node) for inner in ast.walk(node)}
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    places: dict[str, set[str]] = {}
    for node in nodes:
        for alias in node.names:
            bound = alias.asname or (alias.name if isinstance(node, ast.ImportFrom) else alias.name.partition(".")[0])
            places.setdefault(bound, set()).add(_place(node, alias))
    for node in nodes:
        if id(node) not in guarded:
            told: set[str] = set()
            for alias, bound, name in _imports(node):
                if name.partition(".")[0] in bench.packages:
                    # `import a.b` binds `a`, and `a.b` is what is read below it.
                    meant = name if isinstance(node, ast.ImportFrom) or _renamed(node, bound) else bound
                    sure = len(places[bound]) == 1
                    verdict = judge_name(bench, name)
                    if verdict.rule and verdict.message in told:
                        verdict = replace(verdict, rule="", state="aside")
                    told.add(verdict.message)
                    yield node, alias, bound, meant if sure else "", verdict


def _imports(node: ast.Import | ast.ImportFrom) -> Iterator[tuple[ast.alias, str, str]]:
    """What an import binds, and the dotted name of what that is."""
    for alias in node.names:
        if isinstance(node, ast.ImportFrom):
            if node.module and not node.level:
                name = "" if alias.name == "*" else f".{alias.name}"  # of a star the module is told, and no name
                yield alias, alias.asname or alias.name, f"{node.module}{name}"
        else:
            yield alias, alias.asname or alias.name.partition(".")[0], alias.name


def _place(node: ast.Import | ast.ImportFrom, alias: ast.alias) -> str:
    """Where what an import binds is from: of `import a.b` and `import a.c` the same, for both bind `a`."""
    if isinstance(node, ast.ImportFrom):
        return f"{'.' * node.level}{node.module or ''}:{alias.name}"
    return alias.name if alias.asname else alias.name.partition(".")[0]


def _may_fail(node: ast.AST) -> bool:
    """Whether a statement takes an import that fails for an answer."""
    if isinstance(node, ast.Try):
        return any(handler.type is None or _IMPORTING & _names(handler.type) for handler in node.handlers)
    if isinstance(node, ast.With):
        calls = [each.context_expr for each in node.items if isinstance(each.context_expr, ast.Call)]
        return any("suppress" in _names(call.func) and _IMPORTING & _names(*call.args) for call in calls)
    return False


def _names(*nodes: ast.AST) -> set[str]:
    """The last parts of the names that expressions consist of."""
    inner = [each for node in nodes for each in ast.walk(node)]
    return {each.attr if isinstance(each, ast.Attribute) else each.id for each in inner if isinstance(each, _NAMED)}


def _renamed(node: ast.Import | ast.ImportFrom, bound: str) -> bool:
    return any(alias.asname == bound for alias in node.names)


def given(lines: Sequence[bytes], node: ast.Call) -> str:
    """What a call is given, in brackets and on one line; comments are left out. The parser counts columns in bytes."""
    parts = []
    arguments: list[ast.expr | ast.keyword] = [*node.args, *node.keywords]
    for each in sorted(arguments, key=lambda each: (each.lineno, each.col_offset)):
        first, last = each.lineno, each.end_lineno or each.lineno
        taken = list(lines[first - 1 : last])
        taken[-1] = taken[-1][: each.end_col_offset]
        taken[0] = taken[0][each.col_offset :]
        text = b"\n".join(taken).decode("utf-8", "surrogatepass")
        parts.append(" ".join((ast.unparse(each) if "#" in text and last > first else text).split()))
    return f"({', '.join(parts)})"
