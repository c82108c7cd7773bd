"""Decide which rows of a page are indented code, by the block rules of Python-Markdown. Pure.

Second step after `outline`. Whether four spaces mean code or the next paragraph of a list item depends on
everything before them, so this follows Python-Markdown's own order: its block processors and those of the usual
extensions (admonition, details, tabs, definition lists, footnotes, tables, generic blocks), each cut down to
what it does to indentation.

Linear in the text: rows are shared between the parts of a block, and where a kind of row stands is looked up,
not searched again. Containers nested deeper than `DEPTH` are one paragraph, as the renderer gives up there too.
"""

from __future__ import annotations

from collections import deque

from snippetlock.references.containers import container, definitions, generic, items_of_list, list_indent, notes, quotes
from snippetlock.references.leaves import alone, code, empty, paragraph, references, setext, table
from snippetlock.references.marks import admonition, details, heading, rule_line, tab
from snippetlock.references.outline import OPAQUE, Outline, Row
from snippetlock.references.parts import Nesting, Node, Signed, State, chunks

_LISTS = ("ol", "ul")

# By priority, as Python-Markdown and the extensions register them.
RULES: tuple[Signed, ...] = (
    ("! ", container(admonition, "admonition")),
    ("? ", container(details, "details")),
    ("= ", container(tab, "tabs")),
    ("", empty),
    (" ", list_indent(("li",), _LISTS)),
    ("/", generic),
    (" ", list_indent(("dd", "li"), ("dl", *_LISTS))),
    (" ", code),
    ("\n", table),
    ("#", alone(heading, "h")),
    ("\n", setext),
    ("-_*", alone(rule_line, "hr")),
    ("", items_of_list),
    (":", definitions),
    (">", quotes),
    ("[", notes),
    ("[", references),
    ("", paragraph),
)


def nest(out: Outline) -> Nesting:
    """Apply the block rules to a page's rows."""
    state = State(RULES)
    root = Node("div")
    _elements(state, root, out)
    for label in list(state.found.notes):
        state.note = label
        parts = state.found.notes[label]
        for part in parts:
            state.found.held.update((row.line, label) for row in part.rows())
        state.parse(Node("div"), deque(parts))
    return state.found


def _elements(state: State, root: Node, out: Outline) -> None:
    """Feed the rows between HTML elements to the rules; an element's content has a node of its own."""
    stack = [root]
    rows: list[Row] = []

    def flush() -> None:
        state.parse(stack[-1], deque(chunks(rows)))
        rows.clear()

    for row in out.rows:
        piece = out.pieces.get(row.line) if row.text.endswith(OPAQUE) else None
        if piece is None or piece.kind == "fence" or (piece.prefix and piece.kind not in ("open", "close")):
            rows.append(row)
            continue
        flush()
        if piece.kind == "open":
            stack.append(Node("div", stack[-1].depth + 1))
        elif piece.kind == "close":
            stack.pop()
            stack[-1].add("div")
        else:
            stack[-1].add("p")
    flush()
