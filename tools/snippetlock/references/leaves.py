"""The block rules for what holds no other block: code, tables, headings, rules, definitions of links, text. Pure."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from snippetlock.references.lines import INDENT, TAB
from snippetlock.references.marks import reference
from snippetlock.references.outline import Row
from snippetlock.references.parts import Node, Part, Parts, Rule, State, Title


def empty(state: State, parent: Node, parts: Parts) -> bool:
    """The blank row that a part begins with, or nothing at all."""
    part = parts[0]
    if part.start < part.end and part.first:
        return False
    parts.popleft()
    if part.start + 1 < part.end:
        parts.appendleft(part.part(part.start + 1))
    return True


def code(state: State, parent: Node, parts: Parts) -> bool:
    """Rows that are indented: code, which goes on after blank rows."""
    part = parts[0]
    if not part.first.startswith(INDENT):
        return False
    parts.popleft()
    node = parent.last
    if node is None or node.tag != "pre":
        node = parent.add("pre")
        state.found.code.append((state.note, node.rows))
    taken, rest = part.detab(part.start, TAB)
    node.rows.extend(taken)
    if rest.start < rest.end:
        parts.appendleft(rest)
    return True


def table(state: State, parent: Node, parts: Parts) -> bool:
    """A row with bars above one of dashes and bars, and all below them."""
    part = parts[0]
    if part.end - part.start < 2 or "|" not in part.first:
        return False
    second = part.shared.rows[part.start + 1].text
    if "-" not in second or "|" not in second or second.strip("|:- "):
        return False
    state.found.table.update(row.line for row in parts.popleft().rows())
    parent.add("table")
    return True


def alone(test: Callable[[str], object], tag: str) -> Rule:
    """Headings and rules: one row anywhere in a part, with the rest of the part before and after it."""

    def rule(state: State, parent: Node, parts: Parts) -> bool:
        part = parts[0]
        at = part.find(test)
        if at < 0:
            return False
        parts.popleft()
        if at > part.start:
            state.parse(parent, deque([part.part(part.start, at)]))
        parent.add(tag)
        if tag == "h":
            state.found.titles.append(_hashed(part.shared.rows[at], state.note))
        if at + 1 < part.end:
            rest = part.part(at + 1)
            if tag == "h" and state.isstate("looselist"):
                rest = Part.of(
                    [Row(r.text[TAB:] if r.text.startswith(INDENT) else r.text, r.line) for r in rest.rows()]
                )
            parts.appendleft(rest)
        return True

    return rule


def _hashed(row: Row, note: str) -> Title:
    level = min(6, len(row.text) - len(row.text.lstrip("#")))
    return Title(row.line, level, row.text[level:].rstrip(" ").rstrip("#").strip(" "), note)


def setext(state: State, parent: Node, parts: Parts) -> bool:
    """A heading that is underlined."""
    part = parts[0]
    if part.end - part.start < 2:
        return False
    second = part.shared.rows[part.start + 1].text.rstrip(" ")
    if not second or (second.strip("=") and second.strip("-")):
        return False
    parts.popleft()
    parent.add("h")
    text, line = part.shared.rows[part.start]
    state.found.titles.append(Title(line, 1 if second.startswith("=") else 2, text.strip(" "), state.note))
    if part.start + 2 < part.end:
        parts.appendleft(part.part(part.start + 2))
    return True


def references(state: State, parent: Node, parts: Parts) -> bool:
    """A row that says where the name of a link leads, anywhere in a part."""
    part = parts[0]
    at = part.find(reference)
    if at < 0:
        return False
    parts.popleft()
    state.found.defined.append(part.shared.rows[at])
    if at + 1 < part.end:
        parts.appendleft(part.part(at + 1))
    if at > part.start:
        parts.appendleft(part.part(part.start, at))
    return True


def paragraph(state: State, parent: Node, parts: Parts) -> bool:
    """What no other rule took."""
    parts.popleft()
    if not state.isstate("list"):
        parent.add("p")
    return True
