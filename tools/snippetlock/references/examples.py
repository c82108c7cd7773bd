"""Hold the blocks that a page's author wrote: what their Python imports and calls of the library, and diagrams' names.

Only what begins with the library is held: its imports, names below them, and calls of those. Nothing is run. Of what
is no whole Python the statements are held that can be read.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from snippetlock.index import lookup
from snippetlock.records import dataclass, replace
from snippetlock.references.bench import Bench
from snippetlock.references.blocks import Block
from snippetlock.references.calls import judge_calls
from snippetlock.references.had import of_class
from snippetlock.references.imports import given, imported
from snippetlock.references.naming import judge_name
from snippetlock.references.programs import judge_made
from snippetlock.references.speech import Said
from snippetlock.references.verdicts import Verdict
from snippetlock.references.wording import LONGEST, NAME, shaped

__all__ = ["judge_blocks"]

_PYTHON = ("python", "py", "python3", "pycon")
_LONGEST = 1000  # lines of a block that is no whole Python
_PLURALS = ("(s)", "(es)")
_CALL = re.compile(rf"(?:{NAME.pattern})\([^()\n]*+\)")


@dataclass(frozen=True, slots=True)
class _Code:
    """A block's Python: its text, the line of the page that its first one is, and the columns before it."""

    text: str
    first: int
    column: int


def judge_blocks(bench: Bench, blocks: Iterable[Block]) -> Iterator[Verdict]:
    """The verdicts on what the blocks without a snippet name, by line."""
    for block in blocks:
        if block.snippet is not None or block.kind == "html":
            continue
        if block.diagram:
            yield from _diagram(bench, block)
        elif block.language.lower() in _PYTHON and any(package in block.text for package in bench.packages):
            yield from _python(bench, _code(block))


def _diagram(bench: Bench, block: Block) -> Iterator[Verdict]:
    for number, line in enumerate(block.content):
        at, before = block.first + 1 + number, len(block.prefix) + 1
        taken: set[int] = set()
        for found in _CALL.finditer(line[:LONGEST]):
            if found[0].endswith(_PLURALS):
                continue
            taken.update(range(*found.span()))
            said = Said(text=found[0], line=at, column=before + found.start(), paragraph=0, section=0)
            yield from (_placed(verdict, said.line, said.column) for verdict in judge_calls(bench, said))
        for found in NAME.finditer(line[:LONGEST]):
            first = found[0].partition(".")[0]
            whose = first != found[0] and (first in bench.packages or of_class(bench, found[0]))
            if found.start() not in taken and (whose or shaped(found[0])):
                yield _placed(judge_name(bench, found[0], sure=False), at, before + found.start())


def _placed(verdict: Verdict, line: int, column: int) -> Verdict:
    return replace(verdict, line=line, column=column)


def _at(verdict: Verdict, code: _Code, node: ast.stmt | ast.expr) -> Verdict:
    return _placed(verdict, code.first + node.lineno - 1, code.column + node.col_offset + 1)


def _code(block: Block) -> _Code:
    """The Python of a block: of a dialogue, what was typed."""
    lines = list(block.content)
    typed = [line.lstrip(" ").startswith(">>>") for line in lines]
    column = len(block.prefix)
    if any(typed):
        column += 4
        lines = [line.lstrip(" ")[4:] if line.lstrip(" ").startswith((">>> ", "... ")) else "" for line in lines]
    first = block.first + (block.kind == "fence")
    return _Code("\n".join(lines), first, column)


def _python(bench: Bench, code: _Code) -> Iterator[Verdict]:
    text, tree = code.text, _parsed(code.text)
    if tree is None:
        text = _readable(code.text)
        tree = _parsed(text)
    if tree is None:
        return
    meant: dict[str, str] = {}
    for node, _, bound, name, verdict in imported(bench, tree):
        if name:
            meant[bound] = name
        yield _at(verdict, code, node)
    anew = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    yield from _uses(bench, code, tree, {name: full for name, full in meant.items() if name not in anew})
    for verdict in judge_made(bench, text, tree):
        yield _placed(verdict, code.first + verdict.line - 1, code.column + verdict.column)


def _parsed(text: str) -> ast.Module | None:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _readable(text: str) -> str:
    """A sketch of Python without what is none: the statements that can be read, each in its own lines.

    A statement begins where a line does. Where a text of several lines may hide one, nothing is taken for Python.
    """
    lines = text.split("\n")
    if '"""' in text or "'''" in text or len(lines) > _LONGEST:
        return ""
    starts = [number for number, line in enumerate(lines) if line[:1].strip() and line[0] not in ")]}#"]
    for first, end in zip(starts, [*starts[1:], len(lines)], strict=False):
        if _parsed("\n".join(lines[first:end])) is None:
            lines[first:end] = [""] * (end - first)
    return "\n".join(lines)


def _uses(bench: Bench, code: _Code, tree: ast.AST, meant: dict[str, str]) -> Iterator[Verdict]:
    """Calls and attributes of what was imported."""
    inner: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and id(node) not in inner:
            inner.update(id(part) for part in _chain(node))
            name = _dotted(node, meant)
            if name:
                yield _at(judge_name(bench, name), code, node)
    lines = [line.encode("utf-8", "surrogatepass") for line in code.text.split("\n")]
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = _dotted(node.func, meant)
            text = f"{name}{given(lines, node)}" if name and lookup(bench.index, name) else ""
            if text and len(text) <= LONGEST:
                said = Said(text=text, line=0, column=0, paragraph=0, section=0)
                verdict = next(judge_calls(bench, said, named=False), None)
                if verdict is not None:
                    yield _at(verdict, code, node)


def _chain(node: ast.expr) -> Iterator[ast.expr]:
    while isinstance(node, ast.Attribute):
        node = node.value
        yield node


def _dotted(node: ast.expr, meant: dict[str, str]) -> str:
    """The full name of what an expression reads, where it begins with something that was imported; else empty."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name) or node.id not in meant:
        return ""
    return ".".join([meant[node.id], *reversed(parts)])
