"""What a program imports of the library, and what it gives to a call. Reads syntax trees; nothing is run."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from snippetlock.references.bench import Bench
from snippetlock.references.naming import judge_name
from snippetlock.references.verdicts import Verdict

__all__ = ["given", "imported"]


def imported(bench: Bench, tree: ast.AST) -> Iterator[tuple[ast.stmt, ast.alias, str, str, Verdict]]:
    """What a program imports of the library: the statement and the part of it, what that binds, the dotted name that is
    read below it, and the verdict. What stands in a `try` is left aside: it may be for another state of the library.
    """
    guarded = {id(inner) for node in ast.walk(tree) if isinstance(node, ast.Try) for inner in ast.walk(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom) and id(node) not in guarded:
            for alias, bound, name in _imports(node):
                if name.partition(".")[0] in bench.packages:
                    # `import a.b` binds `a`, and `a.b` is what is read below it.
                    meant = name if isinstance(node, ast.ImportFrom) or _renamed(node, bound) else bound
                    yield node, alias, bound, meant, judge_name(bench, name)


def _imports(node: ast.Import | ast.ImportFrom) -> Iterator[tuple[ast.alias, str, str]]:
    """What an import binds, and the dotted name of what that is."""
    for alias in node.names:
        if isinstance(node, ast.ImportFrom):
            if node.module and not node.level and alias.name != "*":
                yield alias, alias.asname or alias.name, f"{node.module}.{alias.name}"
        else:
            yield alias, alias.asname or alias.name.partition(".")[0], alias.name


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
