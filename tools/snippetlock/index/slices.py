"""The text of a node of `ast`, cut out of the source it was parsed from."""

from __future__ import annotations

import ast
import re

from snippetlock.text import NEWLINE

LONGEST = 400
"""Characters of a value that are kept; a longer one stays in its file."""

_LAYOUT = re.compile(r"[ \t\f]*\n[ \t\f]*")


class Slicer:
    """Cuts nodes out of one text. `ast` counts columns in bytes of UTF-8, and every line end as one."""

    def __init__(self, text: str) -> None:
        self._lines = NEWLINE.split(text) if "\r" in text else text.split("\n")

    def cut(self, node: ast.expr) -> str:
        """The node's text, on one line."""
        first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
        start, end = node.col_offset, node.end_col_offset or 0
        if first == last:
            return self._part(first, start, end)
        rows = [self._part(first, start, None), *self._lines[first + 1 : last], self._part(last, 0, end)]
        return _LAYOUT.sub(" ", "\n".join(rows))

    def value(self, node: ast.expr) -> str:
        """The node's text where it is short, else nothing."""
        if (node.end_lineno or node.lineno) - node.lineno > 20:
            return ""
        text = self.cut(node)
        return text if len(text) <= LONGEST else ""

    def _part(self, number: int, start: int, end: int | None) -> str:
        line = self._lines[number]
        if line.isascii():
            return line[start:end]
        return line.encode("utf-8", "surrogatepass")[start:end].decode("utf-8", "surrogatepass")


def dotted(node: ast.AST) -> str:
    """`a.b.c` for names and attributes of names, with `()` for what is called on the way; else nothing."""
    if isinstance(node, ast.Name):
        return node.id
    words: list[str] = []
    called = ""
    while True:
        if isinstance(node, ast.Attribute):
            words.append(node.attr + called)
            node, called = node.value, ""
        elif isinstance(node, ast.Name):
            words.append(node.id + called)
            return ".".join(reversed(words))
        elif isinstance(node, ast.Call) and words and not called:
            node, called = node.func, "()"
        else:
            return ""
